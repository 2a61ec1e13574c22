"""A generated Korean news portal and the two newspapers that its result pages link to, as in the fourth paper.

The headline on a result page is a shortened form of the article's headline. The article's <title> also contains the
name and the slogan of the newspaper, and the footer repeats the slogan at another depth of the page. The first
newspaper uses <h1> for headlines. The second does not, and starts its titles with the slogan: there, methods that look
for text similar to the title do better with the text of the link.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from random import Random
from typing import TYPE_CHECKING

from loopback import Reply, Request

if TYPE_CHECKING:
    from loopback import Host

__all__ = ["Article", "Portal"]

RESULTS_PER_PAGE = 10
RESULT_PAGES = 5
PAPERS = {
    "news-a.example": ("솔내일보", "솔내일보는 독자와 함께 내일을 여는 바른 언론, 지역의 소식을 가장 먼저 전하는 신문"),
    "news-b.example": (
        "바다신문",
        "바다신문은 깨끗한 소식으로 세상을 밝히는 독자의 벗, 믿을 수 있는 뉴스를 만드는 신문",
    ),
}
PLACES = "솔내읍 한여울시 두물마을 은방울항 가온구 새벽섬 너른골 달빛동".split()
PEOPLE = ["주민", "청년 농부", "초등학교 학생", "은퇴한 목수", "자원봉사자", "시장 상인"]
THINGS = [
    "빈 간이역을",
    "낡은 방앗간을",
    "오래된 등대를",
    "버려진 창고를",
    "작은 도서관을",
    "마을 목욕탕을",
    "폐교 운동장을",
]
ACTS = ["되살렸다", "새로 꾸몄다", "함께 고쳤다", "다시 열었다", "사들였다"]
SENTENCES = [
    "{place} {who}들이 {thing} {act}고 군청이 {day}일 밝혔다.",
    "공사에는 {count}명이 참여했고 비용은 모두 {money}만 원이 들었다.",
    "이 일을 처음 제안한 {name} 씨는 “아무도 찾지 않던 곳이 다시 붐비는 것을 보니 기쁘다”고 말했다.",
    "{place}에서는 지난해에도 비슷한 시도가 있었지만 예산이 모자라 그만두었다.",
    "전문가들은 주민이 스스로 나선 점을 높이 평가하면서도 관리 비용을 걱정했다.",
    "문을 연 첫 주에만 {visitors}명이 다녀갔으며 주말에는 줄이 길게 늘어섰다.",
    "{name} 씨는 앞으로 {thing} 밤에도 이용할 수 있게 하겠다고 덧붙였다.",
    "옆 마을에서도 같은 방법을 배우려는 사람들이 {place}까지 찾아오고 있다.",
    "다만 겨울철 난방과 주차 문제는 아직 풀지 못한 숙제로 남아 있다.",
    "군청은 내년 예산에 {money}만 원을 더 넣어 이 사업을 돕기로 했다.",
]
NAMES = "김하람 이도윤 박서온 최가람 정다솜 강이든 윤새봄 한누리".split()


@dataclass(frozen=True)
class Article:
    """An article of one of the newspapers."""

    number: int
    host: str
    headline: str  # in the article
    anchor: str  # on the result page of the portal
    paragraphs: list[str]
    reporter: str
    day: int

    @property
    def url(self) -> str:
        """The URL of the article."""
        return f"http://{self.host}/article/{1000 + self.number}"

    @property
    def text(self) -> str:
        """The gold text, one paragraph per line."""
        return "\n".join(self.paragraphs)


class Portal:
    """portal.example and its newspapers; `hosts` has all three hosts, `articles` the articles by URL."""

    def __init__(self, seed: int = 1) -> None:
        made = [_make_article(seed, number) for number in range(RESULTS_PER_PAGE * RESULT_PAGES)]
        self.articles = {article.url: article for article in made}
        papers = {host: _Paper(host, [each for each in made if each.host == host]) for host in PAPERS}
        self.hosts: dict[str, Host] = {"portal.example": self, **papers}
        self._results = made

    def answer(self, request: Request) -> Reply:
        """Return the front page, a result page, or another page."""
        if request.path == "/search":
            query = request.query
            page = query.get("page", "1")
            return Reply(self._write_results(query.get("q", ""), int(page) if page.isdecimal() else 1))
        if request.path in ("/", "/news", "/sports", "/weather", "/login", "/help", "/ranking"):
            return Reply(_write_portal_page("모두 포털", "<p>오늘의 날씨는 맑음입니다.</p>"))
        return Reply("<p>없는 페이지입니다.</p>", status=404)

    def _write_results(self, query: str, page: int) -> str:
        shown = self._results[(page - 1) * RESULTS_PER_PAGE : page * RESULTS_PER_PAGE]
        items = "".join(
            f'<li class="result"><a class="press" href="http://{each.host}/">{PAPERS[each.host][0]}</a>'
            f'<a class="headline" href="{each.url}">{escape(each.anchor)}</a><p>{escape(each.paragraphs[0][:40])}…</p></li>'
            for each in shown
        )
        numbers = "".join(
            f"<strong>{n}</strong>" if n == page else f'<a href="/search?q={escape(query)}&amp;page={n}">{n}</a>'
            for n in range(1, RESULT_PAGES + 1)
        )
        after = f'<a class="next" rel="next" href="/search?q={escape(query)}&amp;page={page + 1}">다음</a>'
        after = after if page < RESULT_PAGES else ""
        listed = f'<ul class="results">{items}</ul>' if shown else "<p>검색 결과가 없습니다.</p>"
        return _write_portal_page(f"{query} : 뉴스 검색", f'{listed}<div class="paging">{numbers}{after}</div>')


class _Paper:
    """A newspaper: articles, a front page, sections and pages about the paper."""

    PAGES = ("/", "/politics", "/economy", "/sports", "/about", "/subscribe")

    def __init__(self, host: str, articles: list[Article]) -> None:
        self.name, self.slogan = PAPERS[host]
        self.articles = {article.url.partition(host)[2]: article for article in articles}

    def answer(self, request: Request) -> Reply:
        if request.path in self.articles:
            return Reply(self._write_article(self.articles[request.path]))
        if request.path in self.PAGES:
            return Reply(self._write_page(f"{self.name} - {self.slogan}", f"<p>{self.slogan}입니다.</p>"))
        return Reply("<p>없는 기사입니다.</p>", status=404)

    def _write_article(self, article: Article) -> str:
        text = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in article.paragraphs)
        others = [each for each in self.articles.values() if abs(each.number - article.number) in (2, 4)]
        related = "".join(f'<li><a href="{each.url}">{escape(each.headline)}</a></li>' for each in others)
        marked = article.host == "news-a.example"
        headline = (
            f"<h1>{escape(article.headline)}</h1>" if marked else f'<div class="tit">{escape(article.headline)}</div>'
        )
        body = (
            f'<div class="view">{headline}<p class="by">{article.reporter} 기자 2026.03.{article.day:02}</p>'
            f'<div class="text"><div class="body"><div>{text}</div></div></div><ul class="related">{related}</ul></div>'
        )
        title = f"{article.headline} - {self.name} | {self.slogan}" if marked else f"{self.slogan} {article.headline}"
        return self._write_page(title, body)

    def _write_page(self, title: str, body: str) -> str:
        nav = "".join(f'<li><a href="{path}">{path.strip("/") or "홈"}</a></li>' for path in self.PAGES)
        return (
            f'<!doctype html><html lang="ko"><head><meta charset="utf-8"><title>{escape(title)}</title></head><body>'
            f'<div id="top"><a href="/">{self.name}</a><ul>{nav}</ul></div><div id="main">{body}</div>'
            f'<div id="foot"><p>{self.slogan}입니다. {self.name}의 모든 소식은 저작권법의 보호를 받습니다.</p>'
            f"<p>{self.slogan}, {self.name} 구독을 기다립니다.</p></div></body></html>"
        )


def _write_portal_page(title: str, body: str) -> str:
    links = {"/": "홈", "/news": "뉴스", "/sports": "스포츠", "/weather": "날씨", "/login": "로그인"}
    nav = "".join(f'<li><a href="{path}">{name}</a></li>' for path, name in links.items())
    side = (
        '<li><a href="/ranking">많이 본 뉴스 모두 보기</a></li><li><a href="/help">검색 도움말을 읽어 보세요</a></li>'
    )
    return (
        f'<!doctype html><html lang="ko"><head><meta charset="utf-8"><title>{escape(title)} | 모두 포털</title></head><body>'
        f'<div id="gnb"><ul>{nav}</ul></div><div id="content">{body}</div>'
        f'<div id="side"><h3>많이 본 뉴스</h3><ul>{side}</ul></div><div id="foot">© 모두 포털</div></body></html>'
    )


def _make_article(seed: int, number: int) -> Article:
    random = Random(seed * 7919 + number)
    words = {
        "place": random.choice(PLACES),
        "who": random.choice(PEOPLE),
        "thing": random.choice(THINGS),
        "act": random.choice(ACTS),
    }
    paragraphs: list[str] = []
    for size in (3, 4, 3, 2):
        chosen = random.sample(SENTENCES[1:], size)
        chosen = [SENTENCES[0], *chosen[1:]] if not paragraphs else chosen
        paragraphs.append(" ".join(sentence.format(**words, **_draw(random)) for sentence in chosen))
    headline = "{place} {who}들, {thing} {act}…".format(**words) + random.choice(
        ["“다시 붐빈다”", "첫 주 줄 이어져", "관리비는 숙제"]
    )
    short = headline.partition("…")[0] + random.choice(["…", "", " [현장]"])
    host = list(PAPERS)[number % 2]
    return Article(number, host, headline, short, paragraphs, random.choice(NAMES), 1 + number % 28)


def _draw(random: Random) -> dict[str, str | int]:
    """Return random names and numbers for a sentence."""
    numbers: dict[str, str | int] = {
        "day": random.randint(1, 28),
        "count": random.randint(12, 90),
        "money": 100 * random.randint(2, 90),
    }
    return numbers | {"visitors": 10 * random.randint(20, 300), "name": random.choice(NAMES)}
