"""`--rules` and `bonmun rules`: the command line, the config file, the service and a resumed run use rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bonmun.app.inspector.report_work import make_report_page, name_page
from bonmun.app.serve.jobs import JobLimits, JobRequest, extract_job
from bonmun.app.serve.settings import ServiceOptions
from bonmun.errors import BadConfig, BadRule
from bonmun.extraction import Extraction
from bonmun.lab.annotate.page_sources import PageSource
from bonmun.lab.evaluate.systems.systems import choose_systems
from bonmun.lab.gold.examples import Example
from bonmun.rules.rule_set import load_rules
from bonmun.scale.corpus.batches import ExtractJob
from bonmun.scale.corpus.output import Output
from bonmun.scale.corpus.runs import identify_extraction
from bonmun.scale.corpus.sources.reader import Reader
from samples import save

if TYPE_CHECKING:
    from samples import Bonmun

SENTENCE = "The lamp of the old lighthouse was lit again this spring, and the village came to see it."
HTML = (
    f"<title>A lamp</title><h1>A lamp</h1><div class=a><p>{SENTENCE} {SENTENCE}</p></div><div class=b>Only this.</div>"
)
RULE = '[[rule]]\nname = "lamp"\nhosts = ["lamp.example"]\nmain = ".b"\n'
URL = "https://lamp.example/1"


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    save("mine.toml", RULE)
    return save("a.html", HTML)


def test_an_option_a_config_file_or_none(bonmun: Bonmun, page: str) -> None:
    assert bonmun("extract", page, "--url", URL, "--rules", "mine.toml").stdout == "Only this.\n"
    assert SENTENCE in bonmun("extract", page, "--url", URL).stdout
    save("bonmun.toml", 'rules = "mine.toml"\n')
    assert bonmun("extract", page, "--url", URL).stdout == "Only this.\n"
    assert SENTENCE in bonmun("extract", page, "--url", URL, "--rules", "none").stdout


def test_the_explanation_names_the_rule(bonmun: Bonmun, page: str) -> None:
    assert "rule lamp: main" in bonmun("extract", page, "--url", URL, "--rules", "mine.toml", "--explain").stdout


def test_a_wrong_rule_file_ends_with_its_line(bonmun: Bonmun, page: str) -> None:
    save("wrong.toml", RULE.replace('".b"', '"b["'))
    result = bonmun("extract", page, "--rules", "wrong.toml")
    assert result.exit_code == 2
    assert "wrong.toml, line 4: `main` has an invalid selector 'b['" in result.stderr
    checked = bonmun("rules", "check", "wrong.toml", "mine.toml")
    assert (checked.exit_code, checked.stdout) == (2, "mine.toml: 1 rule\n")
    assert "line 4" in checked.stderr


def test_rules_are_listed_and_shown(bonmun: Bonmun, page: str) -> None:
    assert bonmun("rules", "list", "--rules", "mine.toml").stdout.startswith("lamp ")
    shown = bonmun("rules", "show", "lamp", "--rules", "mine.toml").stdout
    assert shown == '# mine.toml:1\n[[rule]]\nname = "lamp"\nhosts = ["lamp.example"]\nmain = [".b"]\n\n'
    missing = bonmun("rules", "show", "lamps")
    assert (missing.exit_code, "`bonmun rules list` lists all" in missing.stderr) == (2, True)


def test_rules_are_tried_on_pages(bonmun: Bonmun, page: str) -> None:
    result = bonmun("rules", "test", "mine.toml", page, "--url", URL)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "a.html: lamp"
    assert "  lamp: main kept; everything else is dropped (1)" in lines
    assert any(line.startswith(f"  - {SENTENCE[:40]}") for line in lines)
    assert "  + Only this." in lines
    assert lines[-1] == "1 of 1 page matched, 0 failed."
    assert "no rule matches" in bonmun("rules", "test", "mine.toml", page).stdout


def test_the_service_uses_its_own_rules_only(page: str) -> None:
    limits = JobLimits.of(ServiceOptions(rules=Path("mine.toml")))
    body = JobRequest(HTML.encode(), query=f"url={URL}&format=text")
    assert extract_job(body, limits).body == b"Only this."
    with pytest.raises(BadConfig, match="rules"):
        extract_job(JobRequest(HTML.encode(), query=f"url={URL}&rules=/etc/passwd"), limits)
    save("wrong.toml", "[[rule]]")
    with pytest.raises(BadRule, match="line 1"):
        ServiceOptions(rules=Path("wrong.toml"))


def test_a_run_with_other_rules_is_not_resumed(page: str) -> None:
    def identify(rules: str | None) -> dict[str, object]:
        return identify_extraction(ExtractJob(Extraction(rules=rules)), Reader([page], "lamp"), 30)

    save("same.toml", RULE)
    save("other.toml", RULE.replace(".b", ".a"))
    assert identify("mine.toml") == identify("same.toml")  # what they say counts
    with Output("out.parquet", ExtractJob().schema, identify("mine.toml")):
        pass  # not finished
    with pytest.raises(BadConfig, match="an unfinished run with other rules; resume it with its first command"):
        Output("out.parquet", ExtractJob().schema, identify("other.toml")).__enter__()
    with pytest.raises(BadConfig, match="other rules"):
        Output("out.parquet", ExtractJob().schema, identify(None)).__enter__()


@pytest.mark.parametrize(
    "command", ["extract", "compare", "report", "render", "inspect", "bench run", "corpus extract", "crawl"]
)
def test_every_command_that_extracts_takes_rules(bonmun: Bonmun, command: str) -> None:
    assert "--rules" in bonmun(*command.split(), "--help").stdout


def test_comparisons_reports_and_measurements_use_rules(bonmun: Bonmun, page: str) -> None:
    how = ["compare", page, "--url", URL, "-m", "all", "-f", "json"]
    compared = [json.loads(bonmun(*how, *more).stdout)["methods"] for more in ([], ["--rules", "mine.toml"])]
    assert compared[0][0]["characters"] > compared[1][0]["characters"] == len("Only this.")
    rules = load_rules("mine.toml")
    source = PageSource("a.html", URL, HTML.encode())
    _, data = make_report_page(source, ("all",), rules)
    assert data["answers"]["all"]["outputs"]["text"] == "Only this."
    assert name_page(source, ("all",), rules) != name_page(source, ("all",))
    (system, *_), _ = choose_systems(["rules"], [], options=Extraction(rules="mine.toml"))
    (other, *_), _ = choose_systems(["rules"], [])
    example = Example("a", HTML, "", url=URL)
    assert system.run(example).text == "Only this."
    assert system.version() != other.version()
