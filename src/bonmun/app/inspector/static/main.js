// Starts the inspector: opens the first page, runs the method, and connects all parts.

import { get, isReport } from "./core/api.js";
import { announce, find, make } from "./core/dom.js";
import { setPainter, showFrame, showPageStyles } from "./view/frame.js";
import { lookOf, lookOfLabel, lookOfTwo } from "./view/paint.js";
import { bind, listenToKeys, listKeys } from "./core/keys.js";
import { read, set, subscribe } from "./core/state.js";
import { fillStrings, nameLabel, say, word } from "./core/strings.js";
import { startCard } from "./view/card.js";
import { startChoices } from "./view/choices.js";
import { startLegend } from "./view/legend.js";
import { startMinimap } from "./view/minimap.js";
import { showFirstKept, startMoves } from "./view/moves.js";
import { askForPage, startOpening } from "./view/opening.js";
import { startPanels } from "./panels/panels.js";
import { startSearch } from "./view/search.js";
import { startTabs } from "./panels/tabs.js";
import { startTheme } from "./core/theme.js";

let prefetched = null; // a request for the answer, sent together with that for its page: {path, answer}
let lastRequest = 0; // number of the last request; late answers to older ones are dropped

/** Show a message or an error over the frame; null hides it. */
function notice(text, problem = null) {
  const place = find("notice");
  place.hidden = !text;
  place.replaceChildren(make("p", { class: problem ? "problem" : "quiet" }, text ?? ""));
  if (problem) place.append(make("p", {}, problem.message));
  place.setAttribute("role", problem ? "alert" : "status");
}

/** Open a page by its number. */
export async function openPage(number) {
  const request = (lastRequest += 1);
  notice(say("loading"));
  for (const name of ["selected", "hovered"]) set(name, -1);
  set("marked", []);
  set("answer", null);
  set("otherAnswer", null);
  try {
    prefetched = { path: answerPath(number, read("method")) };
    prefetched.answer = get(prefetched.path);
    prefetched.answer.catch(() => {}); // handled where it is awaited
    const page = await get(`pages/${number}`);
    if (request !== lastRequest) return;
    set("blocks", page.blocks);
    set("page", page);
    set("pageNumber", number);
    document.title = `${page.head_title || page.name} · bonmun`;
    await showFrame(page);
    find("styles-switch").setAttribute("aria-pressed", "true");
    if (request !== lastRequest) return;
    notice(null);
    await runMethods();
    if (request === lastRequest) showFirstKept();
  } catch (problem) {
    if (request === lastRequest) notice(say("wrong"), problem);
  }
}

function answerPath(number, method) {
  const off = Object.entries({ links: "links", images: "images", siteModel: "site" }).filter(([name]) => !read(name));
  return `pages/${number}/answer?method=${encodeURIComponent(method)}${off.map(([, name]) => `&${name}=false`).join("")}`;
}

async function runMethod(name, place) {
  const method = read(name);
  const number = read("pageNumber");
  if (!method || number < 0) return set(place, null);
  if (place === "otherAnswer") set(place, null);
  find("summary").textContent = say("answerLoading", { method });
  const path = answerPath(number, method);
  try {
    const answer = await (prefetched?.path === path ? prefetched.answer : get(path));
    prefetched = null;
    if (answerPath(read("pageNumber"), read(name)) !== path) return; // a later choice
    set(place, answer);
  } catch (problem) {
    set(place, null);
    announce(problem.message);
    find("summary").textContent = problem.message;
  }
}

/** Run the chosen methods on the open page. */
function runMethods() {
  return Promise.all([runMethod("method", "answer"), runMethod("other", "otherAnswer")]);
}

function paintAnswer() {
  const answer = read("answer");
  const other = read("other") ? read("otherAnswer") : null;
  if (!answer || answer.kept.length !== read("blocks").length) return setPainter(() => "");
  const comments = new Set(answer.comments);
  const hits = new Set(read("matches"));
  const marked = new Set(read("marked"));
  const labels = read("labels");
  const look = (row) => (other ? lookOfTwo(answer, other, row) : labels ? lookOfLabel(labels[row]) : lookOf(answer, comments, row));
  return setPainter((row) => look(row) + (hits.has(row) ? " hit" : "") + (marked.has(row) ? " mk" : ""));
}

/** Set what the screen shows: the answer of the method or, while labelling, what the labels give. */
function chooseShown() {
  const [answer, labels, result] = [read("answer"), read("labels"), read("labelResult")];
  if (!answer || !labels || labels.length !== answer.kept.length) return set("shown", answer);
  const rows = labels.map((label, row) => [label, row]);
  return set("shown", {
    ...answer, ...(result ?? { outputs: null, facts: [], words: null }), isLabelled: true, unit: "block", leaves: null, partly: [],
    kept: labels.map((label) => label === "keep"),
    scores: labels.map((label) => (label === "keep" ? 1 : 0)),
    reasons: labels.map((label) => say("labelReason", { label: nameLabel(label) })),
    comments: rows.filter(([label]) => label === "comment").map(([, row]) => row),
  });
}

function showSummary() {
  const answer = read("shown");
  if (!answer) return;
  const kept = answer.kept.reduce((sum, each) => sum + each, 0);
  const parts = [
    make("strong", {}, word(answer.kind)),
    say("blocksKept", { kept, count: answer.kept.length }),
    say("wordsKept", { kept: answer.words ?? "…", count: answer.words_of_page }),
    answer.isLabelled ? say("byLabels") : `${say("confidence").toLowerCase()} ${answer.confidence.toFixed(2)}`,
  ];
  if (answer.site) parts.push(say("siteUsed", { pages: answer.site.pages }));
  if (isReport()) parts.push(say(read("page").shortened ? "reportShort" : "report"));
  const place = find("summary");
  place.replaceChildren();
  parts.forEach((part, at) => place.append(...(at ? [" · ", part] : [part])));
}

function bindKeys() {
  bind("s", say("keyStyles"), () => find("styles-switch").click());
  bind("?", say("keyHelp"), openHelp);
  find("help-button").addEventListener("click", openHelp);
  find("styles-switch").addEventListener("click", () => {
    const on = find("styles-switch").getAttribute("aria-pressed") !== "true";
    find("styles-switch").setAttribute("aria-pressed", String(on));
    if (read("page")) showPageStyles(on);
  });
}

/** Show all keyboard shortcuts, including those of parts that started later. */
function openHelp() {
  const rows = listKeys().flatMap((each) => [make("dt", {}, make("kbd", {}, each.shown)), make("dd", {}, each.says)]);
  find("help-keys").replaceChildren(...rows);
  if (!find("help").open) find("help").showModal();
}

async function start() {
  fillStrings(document);
  startTheme();
  startTabs();
  startCard();
  startMinimap();
  startLegend();
  startChoices(openPage);
  startSearch();
  startMoves();
  startPanels();
  bindKeys();
  listenToKeys();
  for (const name of ["answer", "otherAnswer", "matches", "marked", "labels"]) subscribe(name, paintAnswer);
  for (const name of ["answer", "labels", "labelResult"]) subscribe(name, chooseShown);
  for (const name of ["shown", "otherAnswer", "other"]) subscribe(name, showSummary);
  for (const name of ["links", "images"]) subscribe(name, runMethods);
  subscribe("method", () => runMethod("method", "answer"));
  subscribe("other", () => runMethod("other", "otherAnswer"));
  try {
    const wanted = new URLSearchParams(location.search);
    const pages = await get("pages");
    set("method", wanted.get("method") ?? pages.method ?? "auto"); // a report has the answers of few methods
    set("pages", pages);
    startOpening(pages, openPage);
    if (pages.labelled) await (await import("./labels/annotate.js")).startAnnotating(openPage);
    if (pages.rules) await (await import("./rules/rules.js")).startRules(runMethods);
    if (pages.sites) await (await import("./site/site.js")).startSite(openPage, runMethods);
    if (pages.count) await openPage(Number(wanted.get("page") ?? 0) || 0);
    else {
      notice(say("noPages"));
      if (pages.opens) askForPage();
    }
  } catch (problem) {
    notice(say("wrong"), problem);
  }
}

start();
