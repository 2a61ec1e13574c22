"""Pages saved by browsers: MHTML, Safari web archives and SingleFile."""
