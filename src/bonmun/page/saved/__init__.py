"""Pages as browsers save them: MHTML, web archives."""
