"""Author candidates and the choice among them."""
