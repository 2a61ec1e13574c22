"""Readers of markup for machines: JSON-LD, microdata, RDFa Lite and microformats, all as `Item`s."""
