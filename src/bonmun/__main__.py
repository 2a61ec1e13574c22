"""`python -m bonmun`: the same as the `bonmun` command."""

from bonmun.cli import main

main()
