"""``dpwilcoxon budget ...``: one file per command."""
