"""Where pairs come from: arrays in memory, files, standard input."""
