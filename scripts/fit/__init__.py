"""Scripts that fit shipped constants and weights to labelled pages."""
