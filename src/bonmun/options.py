"""The settings of an extraction, grouped by stage: fetch, read, method, output, chunks. `Options` holds all of them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, get_args

from bonmun.errors import BadConfig
from bonmun.settings import check_settings, setting

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

__all__ = [
    "DEFAULTS",
    "MIN_PART",
    "WHOLE",
    "ChunkOptions",
    "Favour",
    "FetchOptions",
    "MethodOptions",
    "Options",
    "OutputOptions",
    "PartOptions",
    "ReadOptions",
    "RuleOptions",
    "Tables",
]

Favour = Literal["precision", "balanced", "recall"]
Tables = Literal["gfm", "html"]
MAX_FETCH_SECONDS = 86_400
MAX_CHUNK_WORDS = 100_000
MIN_PART = 200  # tokens or words; a smaller part would hold little but the sentence about the rest
MAX_PART = 10_000_000  # tokens or words
MAX_CURSOR = 10**12


@dataclass(frozen=True, kw_only=True)
class FetchOptions:
    """How one URL is downloaded."""

    timeout: float = setting(
        30.0, "Timeout of a download in seconds.", stage="fetch", minimum=0.001, maximum=MAX_FETCH_SECONDS
    )
    allow_private: bool = setting(False, "Allow URLs that lead into the local network.", stage="fetch")


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """How a page is decoded and parsed."""

    encoding: str | None = setting(
        None,
        "Encoding of the page, if it is known.",
        stage="read",
        kind="text",
        metavar="NAME",
        in_file=True,
        is_remote=True,
    )
    max_bytes: int = setting(20_000_000, "Maximum page size in bytes.", stage="read", minimum=1)
    ruby: bool = setting(False, "Keep ruby annotations: 漢字(かんじ).", stage="read", in_file=True, is_remote=True)
    crawled: date | None = setting(
        None,
        'Date of the download, to resolve "2 days ago".',
        stage="read",
        kind="date",
        metavar="DATE",
        is_remote=True,
    )


@dataclass(frozen=True, kw_only=True)
class MethodOptions:
    """What the method is given; each method takes some of these (see `methods()`)."""

    favour: Favour = setting(
        "balanced",
        "Keep less text (precision) or more (recall); only for auto.",
        stage="method",
        choices=get_args(Favour),
        flags=("--favour", "--favor"),
        in_file=True,
        is_remote=True,
    )
    model: str | Path | None = setting(
        None, "Model file with weights, made by `bonmun train`.", stage="method", kind="path", metavar="FILE"
    )
    site_model: Any = setting(  # a SiteModel, or the path of a file that holds one
        None,
        "Site model or counts; text that repeats on a site is dropped.",
        stage="method",
        kind="path",
        metavar="FILE",
    )
    title: str | None = setting(
        None,
        "Headline of the page, for methods that compare with it.",
        stage="method",
        kind="text",
        metavar="TEXT",
        is_remote=True,
    )

    def list_method_settings(self) -> dict[str, Any]:
        """Return the settings of this stage that differ from their defaults, by name."""
        if self is DEFAULTS:
            return {}
        defaults = _list_method_defaults().items()
        return {name: value for name, default in defaults if (value := getattr(self, name)) != default}


@dataclass(frozen=True, kw_only=True)
class RuleOptions:
    """Rules for single sites, which overrule the method."""

    rules: Any = setting(  # a RuleSet, the path of a file or folder, or "none"
        None,
        "Rule file or folder with rules for sites; none: no rules.",
        stage="method",
        kind="path",
        metavar="PATH",
        in_file=True,
    )


@dataclass(frozen=True, kw_only=True)
class OutputOptions:
    """What documents show; none of these changes which blocks are kept."""

    links: bool | None = setting(  # None: as the format does
        None,
        "Include links. By default, Markdown and HTML do.",
        stage="output",
        kind="flag",
        in_file=True,
        is_remote=True,
    )
    images: bool | None = setting(
        None,
        "Include images. By default, Markdown and HTML do.",
        stage="output",
        kind="flag",
        in_file=True,
        is_remote=True,
    )
    embeds: bool = setting(
        False, "Include embedded videos and other players, as links.", stage="output", in_file=True, is_remote=True
    )
    tables: Tables = setting(
        "gfm",
        "Tables in Markdown: GFM, or HTML with merged cells.",
        stage="output",
        choices=get_args(Tables),
        in_file=True,
        is_remote=True,
    )
    comments: bool = setting(False, "Append readers' comments.", stage="output", in_file=True, is_remote=True)
    front_matter: bool = setting(
        False, "Start Markdown with metadata as YAML.", stage="output", in_file=True, is_remote=True
    )
    objects: bool = setting(
        False,
        "Include typed objects such as recipes and products in JSON and with chunks.",
        stage="output",
        in_file=True,
        is_remote=True,
    )
    posts: bool | None = setting(  # None: on pages that are threads
        None,
        "Write author and date above each post. By default, threads have them, but not in text.",
        stage="output",
        kind="flag",
        in_file=True,
        is_remote=True,
    )


@dataclass(frozen=True, kw_only=True)
class ChunkOptions:
    """How a text is split into chunks."""

    chunk_words: int = setting(
        200,
        "Maximum chunk size in words.",
        stage="chunks",
        minimum=1,
        maximum=MAX_CHUNK_WORDS,
        in_file=True,
        is_remote=True,
    )
    chunk_overlap: int = setting(
        0,
        "Words that a chunk repeats from the previous one.",
        stage="chunks",
        minimum=0,
        maximum=MAX_CHUNK_WORDS,
        in_file=True,
        is_remote=True,
    )


@dataclass(frozen=True, kw_only=True)
class PartOptions:
    """Which part of a document is written, for readers with a limit, such as language models.

    PartOptions(max_tokens=4000)                # the beginning; its end tells the cursor of the next part
    PartOptions(max_tokens=4000, cursor=15204)  # the next part
    PartOptions(outline=True)                   # the headings with their sizes
    PartOptions(section="History")              # one section, by its heading or its number in the outline
    """

    max_tokens: int | None = setting(
        None,
        "Maximum length in tokens of a language model (estimated).",
        stage="parts",
        kind="integer",
        minimum=MIN_PART,
        maximum=MAX_PART,
        is_remote=True,
    )
    max_words: int | None = setting(
        None,
        "Maximum length in words.",
        stage="parts",
        kind="integer",
        minimum=MIN_PART,
        maximum=MAX_PART,
        is_remote=True,
    )
    cursor: int | None = setting(
        None,
        "Where to continue, as the previous part says.",
        stage="parts",
        kind="integer",
        minimum=0,
        maximum=MAX_CURSOR,
        is_remote=True,
    )
    section: str | None = setting(
        None,
        "Only this section: its heading, or its number in the outline.",
        stage="parts",
        kind="text",
        metavar="TITLE|N",
        is_remote=True,
    )
    outline: bool = setting(False, "Only the headings, with sizes.", stage="parts", is_remote=True)

    def __post_init__(self) -> None:
        check_settings(self)
        if self.outline and self.section is not None:
            raise BadConfig("The outline is that of the whole document: leave out section.")

    @property
    def is_whole(self) -> bool:
        """Whether the whole document is written."""
        return self == WHOLE


WHOLE = PartOptions()


@dataclass(frozen=True, kw_only=True)
class Options(FetchOptions, ReadOptions, MethodOptions, RuleOptions, OutputOptions, ChunkOptions):
    """Settings of an extraction. Create one and use it for any number of pages.

    Options(links=False, images=False)   # Markdown and HTML without links and images
    Options(links=True, images=True)     # links and images in XML, too
    Options(embeds=True)                 # embedded videos become links
    Options(tables="html")               # Markdown tables as HTML, with spans
    Options(comments=True)               # readers' comments after the main text
    Options(front_matter=True)           # Markdown starts with the metadata as YAML
    Options(objects=True)                # recipes, products … in JSON
    Options(ruby=True)                   # 漢字(かんじ): ruby annotations in brackets
    Options(encoding="euc-kr")           # the encoding from the HTTP header, if you have it
    Options(max_bytes=50_000_000)        # larger pages raise TooBig
    Options(allow_private=True)          # fetch() may access the local network
    Options(crawled=datetime(2026, 3, 4, 9))  # "3 hours ago" becomes a date
    Options(favour="precision")          # keep less text; "recall" keeps more (method auto)
    Options(model="mine.npz")            # weights made by `bonmun train`
    Options(site_model=sites)            # drop text that repeats on the site
    Options(rules="rules.toml")          # rules for single sites; rules="none" switches the shipped ones off
    Options(chunk_words=300, chunk_overlap=30)

    Only the settings of the method and the rules change which blocks are kept. Settings that do not apply are ignored,
    so that the same record works for bytes, strings and parsed pages: `encoding` and `max_bytes`, for instance, only
    apply to pages that are not parsed yet.
    """

    def __post_init__(self) -> None:
        check_settings(self)


DEFAULTS = Options()


@cache
def _list_method_defaults() -> dict[str, Any]:
    return {each.name: getattr(DEFAULTS, each.name) for each in fields(MethodOptions)}
