"""Self-contained HTML reports of a released result."""
