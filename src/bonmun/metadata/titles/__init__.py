"""Title candidates and the choice among them."""
