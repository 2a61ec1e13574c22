"""The report of `bonmun bench`: tables, plots and files."""
