"""Power, type I error and planning, by simulation on data that nobody gave."""
