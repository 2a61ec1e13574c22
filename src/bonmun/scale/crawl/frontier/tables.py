"""The tables of a frontier."""

from __future__ import annotations

__all__ = ["FRONTIER_NAME", "TABLES", "VERSION"]

FRONTIER_NAME = "frontier.sqlite"
VERSION = 1
TABLES = """
create table urls (
    id integer primary key,
    url text not null unique,
    host text not null,              -- with its port; of a robots.txt, the host that it speaks of
    kind text not null,              -- robots, sitemap, feed, result, page
    rank integer not null,           -- the lowest of a host comes first
    depth integer not null,          -- clicks from a seed
    hops integer not null,           -- redirects that led here
    via text,                        -- the page with the link
    anchor text,                     -- the text of the link
    state text not null default 'waiting',
    tries integer not null default 0,
    ready real not null default 0,   -- not before this moment
    etag text, modified text,        -- what the server said when it was fetched, for the next crawl
    error text
);
create index waiting on urls (host, rank, id) where state = 'waiting';
create table fetches (               -- one row an answer, or a failure that is final
    id integer primary key,
    url integer not null references urls,
    fetched real not null, seconds real, status integer, mime text, bytes integer not null,
    is_page integer not null, digest text, copy_of integer, canonical text,
    file text, offset integer, length integer, tries integer not null, error text,
    snapshot text                    -- the file with the page as a browser laid it out
);
create index digests on fetches (digest) where digest is not null and copy_of is null;
create index pages on fetches (id) where is_page;
create table hosts (
    host text primary key, robots blob, robots_status integer, ready real not null default 0,
    pages integer not null default 0, failures integer not null default 0
);
create table patterns (host text, pattern text, count integer not null, primary key (host, pattern)) without rowid;
create table totals (name text primary key, count integer not null) without rowid;
"""
