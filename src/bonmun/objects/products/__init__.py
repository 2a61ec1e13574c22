"""Products: from markup and from the visible page, which shows the price, the stock and the codes of a product."""
