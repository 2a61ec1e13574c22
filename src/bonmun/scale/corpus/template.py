"""List the texts that repeat on each site, from a file of counts, in batches of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bonmun.errors import MissingExtra
from bonmun.scale.corpus.sql import BY_PLACE, BY_TEXT, PLACES, SITE_PAGES

try:
    import pyarrow as pa
except ImportError:
    raise MissingExtra("Tables need pyarrow: pip install 'bonmun[corpus]'.") from None

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bonmun.scale.corpus.counts import Counts

__all__ = ["TEMPLATE", "identify_template", "list_template"]

ROWS_AT_ONCE = 2000
TABLES = {"template_sites": SITE_PAGES, "template_texts": BY_TEXT, "template_by_place": BY_PLACE}
TEMPLATE = pa.schema(
    [
        ("site", pa.string()),
        ("text", pa.string()),  # null if the counts were merged and no part knew that the text repeats
        ("pages", pa.int64()),  # of the site that have the text
        ("of_pages", pa.int64()),  # of the site
        ("occurrences", pa.int64()),
        ("in_template", pa.bool_()),  # whether it stands where texts repeat, on at least one page
    ]
)
# The texts on two pages or more, those on most pages first. The key makes the order of equal rows the same every time.
ROWS = """
with here as (
    select site, text, sum(occurrences)::bigint as occurrences, bool_or(place in (
        select p.place from template_places p where p.site = l.site)) as in_template
    from leaves l semi join template_texts using (site, text) group by site, text)
select s.name as site, string as text, t.pages::bigint as pages, t.all_pages::bigint as of_pages, occurrences,
       in_template
from template_texts t join here using (site, text) left join strings using (text)
     join (select site, min(name) as name from sites group by site) s using (site)
order by s.name, t.pages desc, string nulls last, t.text
"""


def list_template(counts: Counts, skipped: int = 0) -> Iterator[pa.RecordBatch]:
    """Yield the texts that are on two pages of a site or more, without the first `skipped` rows."""
    names = {"leaves": "leaves", "sites": "sites", "site_pages": "template_sites"}
    names |= {"by_text": "template_texts", "by_place": "template_by_place"}
    for table, query in {**TABLES, "template_places": PLACES}.items():
        counts.query(f"create or replace temp table {table} as {query.format(**names)}")
    counts.query("set enable_progress_bar = false")  # it would be written to stdout
    result = counts.connection.execute(f"{ROWS} offset {skipped}")
    while rows := result.fetchmany(ROWS_AT_ONCE):
        columns = zip(*rows, strict=True)
        arrays = [pa.array(column, each.type) for column, each in zip(columns, TEMPLATE, strict=True)]
        yield pa.RecordBatch.from_arrays(arrays, schema=TEMPLATE)


def identify_template(counts: Counts) -> dict[str, Any]:
    """Return what identifies the rows of a file of counts, so that an interrupted run is only resumed with the same."""
    summary = counts.summary()
    return {"counts": str(counts.path.resolve()), "pages": summary.pages, "leaves": summary.leaves}
