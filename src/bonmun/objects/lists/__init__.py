"""Lists: the items of a listing or collection, found by repetition on the visible page."""
