"""The only room that draws private noise, and the only one that imports OpenDP."""
