"""Where pairs come from: arrays, data frames, files, standard input, databases and clusters."""
