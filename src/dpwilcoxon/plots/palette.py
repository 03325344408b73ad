"""The colours of all pictures; what matters is told apart by lightness and line style too."""

INK = "#1c2733"
QUIET = "#555555"  # of what is written beside the curves
RED = "#b3402a"
DEEP_RED = "#9a2a17"
BLUE = "#2f6fab"
GOLD = "#c9922a"
TEAL = "#3f8f86"
VIOLET = "#8b6fae"
GREY = "#8b949c"
OLIVE = "#5b6b2f"
