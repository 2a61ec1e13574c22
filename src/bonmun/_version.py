"""The version, alone in a file so that any module can read it."""

__version__ = "0.2.0"
