"""Differences to exact integers. Pure: no noise, no randomness, no input or output."""
