"""Differentially private Wilcoxon signed-rank tests for paired data."""
