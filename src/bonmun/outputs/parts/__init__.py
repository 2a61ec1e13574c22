"""Parts of a long document: an outline, one section, or as much as fits a budget of tokens or words."""
