// The queue of pages to label: its order, its progress, and the next page.

import { get } from "../core/api.js";
import { find, formatNumber, make } from "../core/dom.js";
import { read } from "../core/state.js";
import { say } from "../core/strings.js";

const REFRESH_MS = 1000; // milliseconds between requests while pages are measured
const MAX_LISTED = 30; // pages shown
let queue = null;
let order = "priority";
let timer = 0;
let open = () => {};

function describe(page) {
  if (page.problem) return page.problem;
  const priority = page.doubt === undefined ? say("queueUnmeasured")
    : say("queueDoubt", { doubt: formatNumber(page.doubt), disagreement: formatNumber(page.disagreement) });
  return page.state === "skipped" ? `${say("queueSkipped")}, ${priority}` : priority;
}

function draw() {
  const list = find("queue-list");
  find("label-progress").textContent = say("progress", queue.counts);
  find("queue-measured").textContent = queue.measuring ? say("queueMeasuring", queue.counts) : "";
  list.replaceChildren(...queue.pages.slice(0, MAX_LISTED).map((page) => make("li", {},
    make("button", { "aria-current": page.number === read("pageNumber") ? "page" : null, onclick: () => open(page.number) }, page.name),
    make("span", { class: "quiet" }, describe(page)))));
}

/** Load the queue; repeat while pages are still measured. */
export async function refreshQueue() {
  clearTimeout(timer);
  const found = await get(`queue?order=${order}`).catch(() => null);
  if (!found) return;
  queue = found;
  draw();
  if (queue.measuring) timer = setTimeout(refreshQueue, REFRESH_MS);
}

/** Return the number of the next page; null if there is none. */
export async function findNext(number) {
  await refreshQueue();
  const rest = queue?.pages.filter((page) => page.number !== number && page.state === "open" && !page.problem) ?? [];
  return rest[0]?.number ?? null;
}

export function startQueue(place, session, openPage) {
  open = openPage;
  const choice = make("select", { id: "queue-order" }, ...session.orders.map((each) =>
    make("option", { value: each }, say(`order${each[0].toUpperCase()}${each.slice(1)}`))));
  choice.addEventListener("change", () => { order = choice.value; refreshQueue(); });
  place.replaceChildren(make("h2", {}, say("queue")),
    make("div", { class: "tools" }, make("label", { for: "queue-order" }, say("queueOrder")), choice,
      make("span", { id: "queue-measured", class: "quiet" })),
    make("ol", { id: "queue-list", class: "plain queue" }));
}
