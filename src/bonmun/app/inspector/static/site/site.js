// The site panel: the open pages by site, studied together by the server. Starts when the panel is opened.

import { get, post } from "../core/api.js";
import { announce, find, formatCount, keepFocus, make } from "../core/dom.js";
import { read, set, subscribe } from "../core/state.js";
import { addStrings, say } from "../core/strings.js";
import { setCounts } from "./counts.js";
import { drawLayouts } from "./layouts.js";
import { drawPages } from "./pages.js";
import { drawRepeats } from "./repeats.js";
import { ENGLISH, KOREAN } from "./strings.js";

const REFRESH_MS = 400;
const NAME = "site";
let open = () => {}; // shows a page by its number
let rerun = () => {}; // runs the method again
let now = { state: "idle", sites: [] }; // the state of the study, from the server
let shown = -1; // number of the site that is shown
let site = null; // all about it
let layout = null; // the layout whose pages are listed; -1: those unlike every layout; null: all
let list = null; // of pages

/** Return a sentence about the progress of the study. */
function sayProgress() {
  return say(now.state === "judging" ? "siteJudging" : "siteReading", { done: formatCount(now.done), total: formatCount(now.total) });
}

/** Return the name of a site; pages whose site is unknown are grouped by folder. */
function nameSite(each) {
  return each.is_folder ? [say("siteUnnamed"), each.name].filter(Boolean).join(": ") : each.name;
}

function drawState() {
  if (now.state === "failed") return [make("p", { class: "problem", role: "alert" }, `${say("siteFailed")} ${now.problem}`), makeAgain()];
  if (read("pages").count < 2) return [make("p", { class: "quiet" }, say("siteAlone"))];
  return [make("p", { role: "status", id: "site-progress" }, sayProgress()),
    make("progress", { max: Math.max(now.total ?? 0, 1), value: now.done ?? 0, "aria-labelledby": "site-progress" })];
}

function makeAgain() {
  return make("button", { id: "site-again", onclick: start }, say("siteAgain"));
}

function makeSwitch(name, says, title = null) {
  return make("button", { "aria-pressed": String(read(name)), "data-switch": name, title, onclick: () => set(name, !read(name)) }, say(says));
}

function makeChoice() {
  const options = now.sites.map((each, at) => make("option", { value: at }, `${nameSite(each)} (${formatCount(each.pages)})`));
  const choice = make("select", { id: "site-choice", "aria-label": say("siteChoice"), onchange: (event) => showSite(Number(event.target.value)) }, ...options);
  choice.value = String(shown);
  return choice;
}

function drawHead() {
  const name = make("strong", { dir: "auto" }, nameSite(site));
  const says = [site.pages === 1 ? say("siteOnePage") : say("sitePages", { count: formatCount(site.pages) })];
  if (site.copies) says.push(say("siteCopies", { count: formatCount(site.copies) }));
  const lines = [make("p", { class: "site-about" }, now.sites.length > 1 ? makeChoice() : name, make("span", { class: "quiet" }, says.join(" · ")),
    make("span", { class: "group", role: "group" }, ...(site.has_model ? [makeSwitch("siteModel", "siteModel", say("siteModelSays")), makeSwitch("siteCounts", "siteCounts")] : [])))];
  if (now.read < now.open && !now.stale) lines.push(make("p", { class: "note" }, say("siteFirst", { read: formatCount(now.read), open: formatCount(now.open) })));
  if (!site.has_model) lines.push(make("p", { class: "quiet" }, say("siteFew")));
  if (now.stale) lines.push(make("p", { class: "note" }, say("siteStale"), " ", makeAgain()));
  return lines;
}

function draw() {
  const place = find(NAME);
  keepFocus(place, () => {
    if (!site || now.state !== "done") {
      place.replaceChildren(...drawState());
      return;
    }
    list = drawPages(site, layout, open);
    place.replaceChildren(...drawHead(), ...drawLayouts(site, layout, chooseLayout, open), ...list.parts, ...drawRepeats(site, open));
  });
}

/** List the pages of a layout, or all pages again. */
function chooseLayout(number) {
  layout = layout === number ? null : number;
  draw();
}

async function showSite(number) {
  shown = number;
  layout = null;
  try {
    const found = await get(`site/${number}`);
    if (shown !== number) return;
    site = found;
    draw();
  } catch (problem) { announce(problem.message); }
}

/** Show the site of the open page. */
function followPage() {
  if (now.state !== "done") return;
  const number = now.sites.findIndex((each) => each.numbers.includes(read("pageNumber")));
  if (number >= 0 && number !== shown) showSite(number);
  list?.refresh();
}

/** Take the state of the study; when it is done, load the site, and run the method with its site model. */
async function take(state) {
  const wasDone = now.state === "done";
  now = state;
  if (now.state === "reading" || now.state === "judging") {
    setTimeout(poll, REFRESH_MS);
    draw();
  } else if (now.state === "done" && !wasDone) {
    const own = now.sites.findIndex((each) => each.numbers.includes(read("pageNumber")));
    await showSite(Math.max(own, 0));
    if (read("pageNumber") >= 0) rerun();
  } else draw();
}

async function poll() {
  try { await take(await get("site")); } catch (problem) { await take({ ...now, state: "failed", problem: problem.message }); }
}

async function start() {
  now = { ...now, state: "idle" };
  try { await take(await post("site", {})); } catch (problem) { await take({ ...now, state: "failed", problem: problem.message }); }
}

/** Study the pages when the panel is opened for the first time. */
function showTab(tab) {
  if (tab !== NAME) return;
  if (now.state === "idle" && read("pages").count > 1) start();
  else draw();
}

function showPages({ count }) {
  find(`tab-${NAME}`).hidden = count < 2;
  if (now.state === "done") poll(); // other pages may be open now
}

export async function startSite(openPage, runMethods) {
  [open, rerun] = [openPage, runMethods];
  addStrings(ENGLISH, KOREAN);
  document.head.append(make("link", { rel: "stylesheet", href: "/inspector/static/styles/site.css" }));
  find(`tab-${NAME}`).textContent = say(NAME);
  setCounts();
  subscribe("tab", showTab);
  subscribe("pages", showPages);
  subscribe("pageNumber", followPage);
  for (const name of ["siteModel", "siteCounts"]) subscribe(name, draw);
  subscribe("siteModel", rerun);
  showPages(read("pages"));
  const state = await get("site");
  if (state.state !== "idle") await take(state);
}
