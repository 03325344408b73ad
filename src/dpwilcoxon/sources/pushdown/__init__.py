"""The way from the rows of a table to an exact statistic, written as SQL for any engine."""
