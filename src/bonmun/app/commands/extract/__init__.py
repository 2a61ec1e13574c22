"""`bonmun extract`, `compare` and `methods`."""
