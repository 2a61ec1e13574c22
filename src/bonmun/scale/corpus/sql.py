"""SQL queries: create the tables of counts, add pages, sum equal rows, find what repeats on each site."""

from __future__ import annotations

from bonmun.sites.ranks import MAX_KEPT_TEXTS
from bonmun.sites.site import MIN_SHARE
from bonmun.sites.tally import MIN_LEAVES

__all__ = [
    "ADD",
    "BY_PLACE",
    "BY_TEXT",
    "FREQUENCIES",
    "FREQUENT",
    "PLACES",
    "SITES_BY_NAME",
    "SITE_PAGES",
    "SUM_UP",
    "TABLES",
    "TEXTS",
]

TABLES = """
create table about (name varchar primary key, value varchar);
create table pages (raw ubigint, page ubigint);            -- keys of their bytes, and of their texts
create table sites (site ubigint, name varchar, pages ubigint);
create table leaves (site ubigint, text ubigint, place ubigint, first uinteger, placed uinteger, here uinteger,
                     occurrences uinteger, plain uinteger, size uinteger);  -- equal rows are summed later
create table strings (text ubigint, string varchar);       -- only of texts that occur more than once
"""
ADD = """
create or replace temp table fresh as
    select distinct on (page) site, page, leaves from new
    where error is null and page not in (select page from pages) order by page, number;
create or replace temp table added as
    select site, leaf.text as text, leaf.place as place, sum(leaf.first) as first, sum(leaf.placed) as placed,
           count(*) as here, sum(leaf.occurrences) as occurrences, sum(leaf.plain) as plain,
           any_value(leaf.size) as size, min(leaf.string) as string
    from (select hash_of as site, unnest(leaves) as leaf from fresh join names using (site)) group by all;
insert into strings
    select text, min(string) from added
    where text not in (select text from strings)
    group by text
    having sum(occurrences) > 1 or text in (select text from leaves);
insert into leaves select * exclude (string) from added;
insert into sites select hash_of, site, count(*) from fresh join names using (site) group by all;
insert into pages select raw, page from new where error is null;
"""
SUM_UP = """
create table summed as
    select site, text, place, sum(first)::uinteger as first, sum(placed)::uinteger as placed,
           sum(here)::uinteger as here, sum(occurrences)::uinteger as occurrences, sum(plain)::uinteger as plain,
           any_value(size) as size
    from leaves group by site, text, place;
drop table leaves;
alter table summed rename to leaves;
create table summed as select site, name, sum(pages)::ubigint as pages from sites group by all;
drop table sites;
alter table summed rename to sites;
create table summed as select text, min(string) as string from strings group by text;
drop table strings;
alter table summed rename to strings;
"""
SITES_BY_NAME = "select name, sum(pages)::bigint from sites group by name order by name"
# What repeats on each site, for DuckDB and for Spark (scale/spark/counts.py). Names in braces stand for tables: the
# tables `leaves` and `sites` above, and the results of the queries of the same name.
SITE_PAGES = "select site, sum(pages)::bigint as all_pages from {sites} group by site"
BY_TEXT = """
select site, text, sum(first)::bigint as pages, any_value(all_pages) as all_pages
from {leaves} join {site_pages} using (site) group by site, text having sum(first) > 1
"""
BY_PLACE = """
select site, place, sum(placed)::bigint as pages, sum(occurrences)::bigint as occurrences,
       sum(occurrences::bigint * size)::bigint as size
from {leaves} group by site, place
"""
# The largest share of each text: of the pages of the site, or of the pages with one of its places.
TEXTS = f"""
with candidates as (
    select site, text, pages, all_pages as among, 1 as site_wide from {{by_text}}
    union all
    select site, text, sum(l.here)::bigint, any_value(p.pages), 0
    from {{leaves}} l join {{by_text}} t using (site, text) join {{by_place}} p using (site, place)
    where p.pages >= greatest({MIN_LEAVES}, 2, sqrt(t.all_pages) / 2) group by site, text, place),
best as (
    select *,
           row_number() over (partition by site, text order by pages / among desc, site_wide desc, among desc) as rank
    from candidates)
select site, text, pages, among from best where rank = 1 and pages > 1 and pages >= {MIN_SHARE} * among
"""
PLACES = f"""
select site, place, any_value(p.size)::bigint as size,
       sum(if(t.pages >= greatest(2, sqrt(t.all_pages) / 2), l.occurrences::bigint * l.size, 0))::bigint as repeated
from {{leaves}} l join {{by_text}} t using (site, text) join {{by_place}} p using (site, place)
where p.occurrences >= {MIN_LEAVES} group by site, place
having repeated > 0 and repeated >= {MIN_SHARE} * any_value(p.size)
"""
# Frequencies of texts over all sites, as in the first paper.
FREQUENCIES = "select text, sum(plain)::bigint as f from {leaves} group by text having f > 0"
FREQUENT = f"""
with common as (select min(f) as f from (select f from {{frequencies}} order by f desc limit {MAX_KEPT_TEXTS}) as most)
select text, f from {{frequencies}} where f >= least({{limit}}, (select f from common))
"""
