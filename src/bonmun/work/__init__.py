"""Running work: atomic writes, stored results, child processes, progress bars."""
