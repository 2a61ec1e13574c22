"""Why a text is kept or not, on a screen: what the web page shows, and the web page."""
