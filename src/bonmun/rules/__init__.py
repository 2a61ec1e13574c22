"""Rules: what people know about a site, written in TOML files (docs/how-to/rules.md)."""
