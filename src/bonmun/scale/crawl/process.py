"""The child process that crawls into a folder, with Scrapy's event loop.

It is started by `running.py`, and exits when its parent does. After SIGTERM it finishes open requests.
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
from bonmun.scale.crawl.archive.warc_files import WARC_FOLDER
from bonmun.scale.crawl.archive.warc_writer import WarcWriter
from bonmun.scale.crawl.discover.urls import normalise_url
from bonmun.scale.crawl.fetch.layouts import SNAPSHOT_FOLDER
from bonmun.scale.crawl.frontier.frontier import Frontier
from bonmun.scale.crawl.frontier.tickets import FoundUrl
from bonmun.scale.crawl.locks import CRAWLER_LOCK_NAME, hold_file
from bonmun.scale.crawl.plan import CrawlPlan
from bonmun.scale.crawl.visits import ResponseProcessor

if TYPE_CHECKING:
    from bonmun.scale.crawl.fetch.rendering import CrawlRenderer

__all__ = ["WARC_PREFIX", "crawl_folder", "prepare"]

WARC_PREFIX = "crawl"
POLL_SECONDS = 0.2  # between checks that the parent is alive


def prepare(folder: Path, plan: CrawlPlan) -> tuple[Frontier, WarcWriter]:
    """Open the frontier and the WARC files, make them consistent, and add the seeds."""
    frontier = Frontier(folder, plan)
    info = {"http-header-user-agent": plan.agent}
    locations = frontier.list_locations()
    writer, lost = WarcWriter.resume(folder / WARC_FOLDER, WARC_PREFIX, locations, plan.warc_bytes, info)
    frontier.requeue_lost(lost)
    with frontier.transaction():
        for seed in plan.seeds:
            url = normalise_url(seed)
            if url is None:
                raise BadConfig(f"{seed} cannot be fetched; give an http or https URL.")
            frontier.add([FoundUrl(url, "result" if plan.portal else "page")])
    return frontier, writer


def make_renderer(plan: CrawlPlan, frontier: Frontier) -> CrawlRenderer | None:
    """Return a renderer if the plan needs a browser."""
    if not plan.needs_browser:
        return None
    from bonmun.scale.crawl.fetch.rendering import CrawlRenderer  # loads numpy

    return CrawlRenderer(plan, frontier)


def crawl_folder(folder: Path) -> None:
    """Crawl according to the plan in a folder."""
    try:  # here, since the child processes of the crawl import this module, and Scrapy takes a second
        from scrapy.crawler import AsyncCrawlerProcess

        from bonmun.scale.crawl.spider import FrontierSpider, make_settings
    except ImportError:
        raise MissingExtra("A crawl runs on Scrapy: pip install 'bonmun[crawl]'.") from None
    plan = CrawlPlan.load(folder)
    frontier, writer = prepare(folder, plan)
    renderer = make_renderer(plan, frontier)
    try:
        process = AsyncCrawlerProcess(make_settings(plan))
        processor = ResponseProcessor(plan, frontier, writer, folder / SNAPSHOT_FOLDER)
        process.crawl(FrontierSpider, plan=plan, frontier=frontier, processor=processor, renderer=renderer)
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


def _exit_with_parent(parent: int) -> None:
    """Exit when the parent process ends. No data is lost."""
    while os.getppid() == parent:
        time.sleep(POLL_SECONDS)
    os._exit(1)


def main(folder: Path, parent: int) -> None:
    """Crawl as a child of the process that holds the folder's lock; the last line on stderr is the error."""
    threading.Thread(target=_exit_with_parent, args=(parent,), daemon=True).start()
    try:
        with hold_file(folder / CRAWLER_LOCK_NAME, folder):
            crawl_folder(folder)
    except BonmunError as problem:
        raise SystemExit(str(problem)) from None
    except (OSError, sqlite3.Error) as problem:
        traceback.print_exc()
        raise SystemExit(f"{folder} cannot be written to: {str(problem).rstrip('.')}.") from None


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
