"""The paper of Couch et al. (2018), item by item: measured again and set beside the print."""
