"""`python -m bonmun`: the same as the `bonmun` command."""

from bonmun.app.cli import main

main()
