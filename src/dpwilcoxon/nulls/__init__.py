"""Null distributions: what a noisy statistic looks like when nothing changed."""
