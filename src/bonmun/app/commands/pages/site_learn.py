"""`bonmun site learn`: learn rules from the pages of a site."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bonmun.app.commands.shared.arguments import PAGES_HELP
from bonmun.app.commands.shared.settings import take_settings
from bonmun.app.commands.shared.shell import complain, output_to, say_count, wrong_use
from bonmun.errors import BadConfig
from bonmun.extraction import Extraction

__all__ = ["HOST_HELP", "SETTINGS", "site_learn_command"]

SETTINGS = "model favour rules encoding max_bytes allow_private timeout"
HOST_HELP = "Host of pages that have no URL and declare none."


@take_settings(Extraction, into="extraction", only=SETTINGS)
def site_learn_command(
    names: Annotated[list[str], typer.Argument(metavar="SRC...", help=PAGES_HELP)],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Rule file to write: site.toml.")],
    extraction: Extraction,
    site: Annotated[str | None, typer.Option(metavar="HOST", help=HOST_HELP)] = None,
    main: Annotated[
        bool, typer.Option("--main", help="Write `main` instead of `within` where both give the same text.")
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing file.")] = False,
) -> None:
    """Learn rules from pages of a site: where the text, title, authors, date and posts are, and what to drop.

    Pages with the same layout get one rule, if the default method is confident of at least three of them. Read the file
    before you use it: `bonmun extract SRC --rules FILE`.
    """
    from bonmun.app.commands.pages.site_pages import SitePagesReader
    from bonmun.learn.site_rules import learn_site, write_learned
    from bonmun.learn.survey import study_site
    from bonmun.rules.rule_files import parse_rules
    from bonmun.work.files import check_folder, write_text

    with wrong_use(), output_to(str(output)):
        check_folder(output)
        if output.exists() and not overwrite:
            raise BadConfig(f"{output}: the file already exists; use another name, or replace it with --overwrite.")
        reader = SitePagesReader(names, extraction, site)
        texts, rules, layouts = [], 0, 0
        sites = reader.survey()
        for each in reader.each_site(sites):
            learned = learn_site(study_site(each, reader.load, extraction), allow_main=main)
            rules += len(learned.rules)
            layouts += len(learned.layouts)
            texts.append(write_learned(learned))
            for number, layout in enumerate(learned.layouts, 1):
                if layout.learned.rule is None:
                    complain(f"{each.name}, layout {number}: {layout.learned.notes[0]}")
        if not rules:
            complain("No rule was learned, so no file is written.")
            raise typer.Exit(1)
        text = "\n".join(texts)
        parse_rules(text.encode("utf-8", "replace"), str(output))  # what `bonmun rules check` does
        write_text(output, text)
        complain(
            f"{output}: {say_count(rules, 'rule')} for {say_count(layouts, 'layout')} of "
            f"{say_count(len(sites), 'site')}."
        )
    raise typer.Exit(1 if reader.failed else 0)
