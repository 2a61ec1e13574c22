"""The next page of a page, as its pager links to it."""
