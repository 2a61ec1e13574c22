"""A page made safe to show in a frame."""
