"""Scripts that print or write the figures in docs/."""
