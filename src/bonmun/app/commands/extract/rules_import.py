"""`bonmun rules import`: convert site configurations of Full-Text RSS."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bonmun.app.commands.shared.shell import complain, output_to, say_count, wrong_use
from bonmun.errors import BadConfig

__all__ = ["rules_import_command"]


def rules_import_command(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of ftr-site-config files: example.org.txt.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Rule file to write.")],
) -> None:
    """Convert site configurations of Full-Text RSS to a rule file, and report what could not be converted."""
    from bonmun.rules.ftr_import import MAX_CONFIG_BYTES, ConvertedConfig, convert_config
    from bonmun.rules.write import write_rule
    from bonmun.work.files import open_atomically

    with wrong_use(), output_to(str(output)):
        paths = sorted(folder.glob("*.txt")) if folder.is_dir() else []
        if not paths:
            raise BadConfig(f"{folder}: there are no .txt files.")
        whole = ConvertedConfig()
        for path in paths:
            with path.open("rb") as file:
                found = convert_config(path.name, file.read(MAX_CONFIG_BYTES + 1))
            whole.rules += found.rules
            whole.problems += found.problems
        for problem in whole.problems:
            complain(problem)
        with open_atomically(output) as file:
            file.write("\n".join(map(write_rule, whole.rules)).encode())
        complain(
            f"{output}: {say_count(len(whole.rules), 'rule')} from {say_count(len(paths), 'file')}; "
            f"{say_count(len(whole.problems), 'line')} could not be converted."
        )
