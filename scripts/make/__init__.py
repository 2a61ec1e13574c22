"""Scripts that make data files of the package."""
