"""The SQL tables of a frontier, and the values in them that readers compare with."""

from __future__ import annotations

__all__ = ["FRONTIER_NAME", "HOST_LIMIT", "HOST_UNRESPONSIVE", "REFUSALS", "ROBOTS_UNAVAILABLE", "TABLES", "VERSION"]

FRONTIER_NAME = "frontier.sqlite"
VERSION = 1
# Errors of URLs with the state `left` that may be fetched later.
HOST_UNRESPONSIVE = "host does not respond"
ROBOTS_UNAVAILABLE = "robots.txt unavailable"
HOST_LIMIT = "page limit of the host reached"
REFUSALS = (HOST_UNRESPONSIVE, ROBOTS_UNAVAILABLE, HOST_LIMIT)
TABLES = """
create table urls (
    id integer primary key,
    url text not null unique,
    host text not null,              -- with its port; for a robots.txt, the host it applies to
    kind text not null,              -- robots, sitemap, feed, result, page
    rank integer not null,           -- the lowest of a host is fetched first
    depth integer not null,          -- links from a seed
    hops integer not null,           -- redirects that led here
    via text,                        -- the page with the link
    anchor text,                     -- the text of the link
    state text not null default 'waiting',
    tries integer not null default 0,
    ready real not null default 0,   -- earliest time of the next request
    etag text, modified text,        -- validators of the last response, for conditional requests
    error text
);
create index waiting on urls (host, rank, id) where state = 'waiting';
create table fetches (               -- one row for each response or final failure
    id integer primary key,
    url integer not null references urls,
    fetched real not null, seconds real, status integer, mime text, bytes integer not null,
    is_page integer not null, digest text, copy_of integer, canonical text,
    file text, offset integer, length integer, tries integer not null, error text,
    snapshot text                    -- the file with the rendered page
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
