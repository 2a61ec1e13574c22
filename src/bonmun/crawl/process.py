"""The process that crawls: Scrapy's loop over a folder, until nothing waits or it is told to stop.

It is started by `running.py`, and ends with its parent. SIGTERM lets it finish what is on its way.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

from bonmun.crawl.frontier import Found, Frontier
from bonmun.crawl.plan import CrawlPlan
from bonmun.crawl.urls import normalise_url
from bonmun.crawl.visits import Visits
from bonmun.crawl.warc_writer import WarcWriter
from bonmun.errors import BadConfig, MissingExtra

try:
    from scrapy.crawler import AsyncCrawlerProcess
except ImportError:
    raise MissingExtra("A crawl runs on Scrapy: pip install 'bonmun[crawl]'.") from None

from bonmun.crawl.spider import FrontierSpider, make_settings

__all__ = ["WARC_FOLDER", "WARC_PREFIX", "crawl_folder", "prepare"]

WARC_FOLDER = "warc"
WARC_PREFIX = "crawl"


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


def crawl_folder(folder: Path) -> None:
    """Crawl as the plan in a folder says."""
    plan = CrawlPlan.load(folder)
    frontier, writer = prepare(folder, plan)
    try:
        process = AsyncCrawlerProcess(make_settings(plan))
        process.crawl(FrontierSpider, plan=plan, frontier=frontier, visits=Visits(plan, frontier, writer))
        process.start()
    finally:
        writer.close()
        frontier.close()


def _leave_with(parent: int) -> None:
    """End when the parent is gone: nothing is lost by it."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


if __name__ == "__main__":
    threading.Thread(target=_leave_with, args=(os.getppid(),), daemon=True).start()
    crawl_folder(Path(sys.argv[1]))
