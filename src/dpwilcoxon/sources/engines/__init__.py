"""Tables in databases and clusters, which are asked in SQL and whose rows stay there."""
