"""How work is done, whatever it is: files that are written whole or not at all, child processes, progress."""
