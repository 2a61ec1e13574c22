"""Date candidates and the choice among them."""
