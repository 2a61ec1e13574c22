"""The command line: one file a command, which turns arguments into calls and shows what comes of them."""
