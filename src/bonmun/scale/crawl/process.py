"""The process that crawls: Scrapy's loop over a folder, until nothing waits or it is told to stop.

It is started by `running.py`, and ends with its parent. SIGTERM lets it finish what is on its way.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from bonmun.errors import BadConfig, BonmunError, MissingExtra
from bonmun.scale.crawl.archive.warc_writer import WarcWriter
from bonmun.scale.crawl.discover.urls import normalise_url
from bonmun.scale.crawl.fetch.layouts import SNAPSHOT_FOLDER
from bonmun.scale.crawl.frontier.frontier import Frontier
from bonmun.scale.crawl.frontier.tickets import Found
from bonmun.scale.crawl.locks import CRAWLER_LOCK_NAME, hold_file
from bonmun.scale.crawl.plan import CrawlPlan
from bonmun.scale.crawl.visits import Visits

try:
    from scrapy.crawler import AsyncCrawlerProcess
except ImportError:
    raise MissingExtra("A crawl runs on Scrapy: pip install 'bonmun[crawl]'.") from None

from bonmun.scale.crawl.spider import FrontierSpider, make_settings

if TYPE_CHECKING:
    from bonmun.scale.crawl.fetch.rendering import Renderer

__all__ = ["WARC_FOLDER", "WARC_PREFIX", "crawl_folder", "prepare"]

WARC_FOLDER = "warc"
WARC_PREFIX = "crawl"
LOOK_SECONDS = 0.2  # between looks for the parent


def prepare(folder: Path, plan: CrawlPlan) -> tuple[Frontier, WarcWriter]:
    """The frontier and the WARC files as a last process left them, made to agree; the seeds wait."""
    frontier = Frontier(folder, plan)
    about = {"http-header-user-agent": plan.agent}
    writer, lost = WarcWriter.resume(folder / WARC_FOLDER, WARC_PREFIX, frontier.list_places(), plan.warc_bytes, about)
    frontier.take_back(lost)
    with frontier.transaction():
        for seed in plan.seeds:
            url = normalise_url(seed)
            if url is None:
                raise BadConfig(f"{seed} cannot be fetched: give an http or https address.")
            frontier.add([Found(url, "result" if plan.portal else "page")])
    return frontier, writer


def make_renderer(plan: CrawlPlan, frontier: Frontier) -> Renderer | None:
    """What lays pages out, if some may have to be."""
    if not plan.needs_browser:
        return None
    from bonmun.scale.crawl.fetch.rendering import Renderer  # which loads numpy

    return Renderer(plan, frontier)


def crawl_folder(folder: Path) -> None:
    """Crawl as the plan in a folder says."""
    plan = CrawlPlan.load(folder)
    frontier, writer = prepare(folder, plan)
    renderer = make_renderer(plan, frontier)
    try:
        process = AsyncCrawlerProcess(make_settings(plan))
        visits = Visits(plan, frontier, writer, folder / SNAPSHOT_FOLDER)
        process.crawl(FrontierSpider, plan=plan, frontier=frontier, visits=visits, renderer=renderer)
        crawler = next(iter(process.crawlers))
        process.start()
        spider = crawler.spider
        if isinstance(spider, FrontierSpider) and spider.problem:
            raise spider.problem
    finally:
        if renderer:
            renderer.close()
        writer.close()
        frontier.close()


def _leave_with(parent: int) -> None:
    """End when the parent is gone: nothing is lost by it."""
    while os.getppid() == parent:
        time.sleep(LOOK_SECONDS)
    os._exit(1)


def main(folder: Path, parent: int) -> None:
    """Crawl as the child of a process that holds the folder; what goes wrong is said in the last line."""
    threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()
    try:
        with hold_file(folder / CRAWLER_LOCK_NAME, folder):
            crawl_folder(folder)
    except BonmunError as problem:
        raise SystemExit(str(problem)) from None
    except (OSError, sqlite3.Error) as problem:
        traceback.print_exc()
        raise SystemExit(f"{folder} cannot be written: {str(problem).rstrip('.')}.") from None


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
