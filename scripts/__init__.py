"""Scripts that make shipped data, fit constants and print figures; run them as modules from the root of the project."""
