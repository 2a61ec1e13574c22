"""The inspector: a web page that shows why each text of a page is kept or dropped."""
