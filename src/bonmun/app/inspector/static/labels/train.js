// Teaching: starts a training, shows how far it is and what it changed page by page, and lets auto use the new model.

import { get, post } from "../core/api.js";
import { find, make, show, tell } from "../core/dom.js";
import { read, set } from "../core/state.js";
import { say, word } from "../core/strings.js";

const AGAIN = 700; // milliseconds between looks at a training
const DEFAULT = { name: "auto (default)", says: "auto without the model that was trained here" };
let open = () => {};

/** Each page before and after; a page leads to what has changed there, if the new model is used. */
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
    return make("tr", {}, make("td", {}, title), make("td", {}, show(page.before, 3)), make("td", {}, show(page.after, 3)),
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
  const said = say("trainBetter", { before: show(now.result.before, 3), after: show(now.result.after, 3) });
  return now.result.why ? `${said} ${word(now.result.why)}` : said;
}

function draw(now) {
  const place = find("train-now");
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
  place.replaceChildren(...parts);
  set("moreMethods", now.used ? [DEFAULT] : []);
  if (!now.used && read("other") === DEFAULT.name) set("other", "");
}

/** Let auto decide with the new model, or with the default again; the page that is open is asked anew. */
async function use(wanted) {
  try {
    draw(await post("train/use", { use: wanted }));
    if (wanted) set("other", DEFAULT.name);
    await open(read("pageNumber"));
  } catch (problem) { tell(problem.message); }
}

async function follow() {
  const now = await get("train").catch(() => null);
  if (now) draw(now);
  if (!now || now.state === "running") setTimeout(follow, AGAIN);
}

async function ask(path) {
  try {
    draw(await post(path, {}));
    follow();
  } catch (problem) {
    find("train-now").replaceChildren(make("p", { class: "problem" }, problem.message));
  }
}

export function startTraining(place, openPage) {
  open = openPage;
  place.replaceChildren(make("h2", {}, say("teach")),
    make("div", { class: "tools" },
      make("button", { id: "train-start", onclick: () => ask("train") }, say("train")),
      make("button", { id: "train-stop", hidden: true, onclick: () => ask("train/stop") }, say("trainStop"))),
    make("div", { id: "train-now" }));
  get("train").then((now) => { draw(now); if (now.state === "running") follow(); }).catch(() => {});
}
