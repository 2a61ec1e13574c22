"""The command line: names in, pages out; documents in, files out; one file for each large command."""
