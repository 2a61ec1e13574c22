"""What the pages of a site have in common, as rules that a person can read and correct (docs/how-to/site-rules.md)."""
