"""The networks of the other trained methods."""
