// Training: starts it, shows its progress and its effect on each page, and lets auto use the new model.

import { get, post } from "../core/api.js";
import { announce, find, formatNumber, keepFocus, make } from "../core/dom.js";
import { read, set } from "../core/state.js";
import { say, word } from "../core/strings.js";

const REFRESH_MS = 700; // milliseconds between requests during training
const DEFAULT = { name: "auto (default)", says: "auto without the model that was trained here" };
let open = () => {};

/** Draw the scores of each page before and after; a page opens with its differences if the new model is used. */
function drawPages(pages, isUsed) {
  const numbers = new Map(read("pages").pages.map((page) => [page.name, page.number]));
  const seeDifference = (number) => {
    set("method", "auto");
    if (isUsed) set("other", DEFAULT.name);
    open(number);
  };
  const row = (page) => {
    const number = numbers.get(page.id);
    const title = number === undefined ? page.id : make("button", { onclick: () => seeDifference(number) }, page.id);
    const gain = page.after - page.before;
    return make("tr", {}, make("td", {}, title), make("td", {}, formatNumber(page.before, 3)), make("td", {}, formatNumber(page.after, 3)),
      make("td", { class: gain > 0 ? "up" : gain < 0 ? "down" : "" }, `${gain > 0 ? "+" : gain < 0 ? "−" : "±"}${Math.abs(gain).toFixed(3)}`));
  };
  const ordered = [...pages].sort((one, other) => (other.after - other.before) - (one.after - one.before));
  return make("table", { id: "train-pages" },
    make("thead", {}, make("tr", {}, ...["page", "before", "after", "change"].map((each) => make("th", { scope: "col" }, say(each))))),
    make("tbody", {}, ...ordered.map(row)));
}

function describe(now) {
  if (now.state === "running") return say("trainRunning", { seconds: Math.round(now.seconds) });
  if (now.state === "failed") return say("trainFailed");
  if (now.state === "stopped") return say("trainStopped");
  if (!now.result) return "";
  const scores = say("trainBetter", { before: formatNumber(now.result.before, 3), after: formatNumber(now.result.after, 3) });
  return now.result.why ? `${scores} ${word(now.result.why)}` : scores;
}

function draw(now) {
  keepFocus(find("train-now").parentElement, () => drawNow(now));
  set("moreMethods", now.used ? [DEFAULT] : []);
  if (!now.used && read("other") === DEFAULT.name) set("other", "");
}

function drawNow(now) {
  const isRunning = now.state === "running";
  find("train-start").hidden = isRunning;
  find("train-stop").hidden = !isRunning;
  const parts = [make("p", { id: "train-state", "data-state": now.state }, describe(now))];
  if ((isRunning || now.state === "failed") && now.lines.length) parts.push(make("pre", { id: "train-lines", tabindex: 0 }, now.lines.slice(-8).join("\n")));
  if (now.model && !isRunning) {
    parts.push(make("div", { class: "tools" },
      make("button", { id: "train-use", "aria-pressed": String(now.used), onclick: () => use(!now.used) }, say(now.used ? "trainDefault" : "trainUse")),
      make("span", { class: "quiet" }, now.used ? say("trainUsed") : "")));
  }
  if (now.result?.pages?.length) parts.push(drawPages(now.result.pages, now.used));
  find("train-now").replaceChildren(...parts);
}

/** Let auto use the new model or the default, and reload the open page. */
async function use(wanted) {
  try {
    draw(await post("train/use", { use: wanted }));
    if (wanted) set("other", DEFAULT.name);
    await open(read("pageNumber"));
  } catch (problem) { announce(problem.message); }
}

async function poll() {
  const now = await get("train").catch(() => null);
  if (now) draw(now);
  if (!now || now.state === "running") setTimeout(poll, REFRESH_MS);
}

async function control(path) {
  try {
    draw(await post(path, {}));
    poll();
  } catch (problem) {
    find("train-now").replaceChildren(make("p", { class: "problem" }, problem.message));
  }
}

export function startTraining(place, openPage) {
  open = openPage;
  place.replaceChildren(make("h2", {}, say("training")),
    make("div", { class: "tools" },
      make("button", { id: "train-start", onclick: () => control("train") }, say("train")),
      make("button", { id: "train-stop", hidden: true, onclick: () => control("train/stop") }, say("trainStop"))),
    make("div", { id: "train-now" }));
  get("train").then((now) => { draw(now); if (now.state === "running") poll(); }).catch(() => {});
}
