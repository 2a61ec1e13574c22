"""The network of the default method and the decision made from it."""
