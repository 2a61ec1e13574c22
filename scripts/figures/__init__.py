"""Scripts that measure: the numbers, tables and images in docs/."""
