"""Sites: which site a URL belongs to, and what repeats on the pages of a site."""
