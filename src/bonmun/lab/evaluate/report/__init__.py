"""Tables, plots and reports of results."""
