"""Scripts that make shipped data, fit constants and measure; run them as modules from the root of the repository."""
