"""How good and how fast methods and peers are: metrics, data sets, the alignment of gold texts with pages."""
