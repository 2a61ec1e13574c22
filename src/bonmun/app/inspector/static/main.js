// Starts the screen: opens the first page, asks the method, and lets every part show what comes.

import { get, isReport } from "./core/api.js";
import { find, make, tell } from "./core/dom.js";
import { setPainter, showFrame, showPageStyles } from "./view/frame.js";
import { lookOf, lookOfLabel, lookOfTwo } from "./view/paint.js";
import { bind, listKeys, listenToKeys } from "./core/keys.js";
import { read, set, subscribe } from "./core/state.js";
import { fillStrings, say, word } from "./core/strings.js";
import { startCard } from "./view/card.js";
import { startChoices } from "./view/choices.js";
import { startMinimap } from "./view/minimap.js";
import { showFirstKept, startMoves } from "./view/moves.js";
import { askForPage, startOpening } from "./view/opening.js";
import { startPanels } from "./panels/panels.js";
import { startSearch } from "./view/search.js";
import { startTabs } from "./panels/tabs.js";
import { startTheme } from "./core/theme.js";

let early = null; // an answer that was asked for together with its page: {path, answer}
let asked = 0; // how often something was asked for: a late answer to an older question is dropped

/** Show what is being done, or what went wrong, over the frame; nothing to take it away. */
function notice(text, problem = null) {
  const place = find("notice");
  place.hidden = !text;
  place.replaceChildren(make("p", { class: problem ? "problem" : "quiet" }, text ?? ""));
  if (problem) place.append(make("p", {}, problem.message));
  place.setAttribute("role", problem ? "alert" : "status");
}

/** Open a page of the shelf by its number. */
export async function openPage(number) {
  const mine = (asked += 1);
  notice(say("loading"));
  for (const name of ["selected", "hovered"]) set(name, -1);
  set("marked", []);
  set("answer", null);
  set("otherAnswer", null);
  try {
    early = { path: nameAnswer(number, read("method")) };
    early.answer = get(early.path);
    early.answer.catch(() => {}); // who takes it hears of it
    const page = await get(`pages/${number}`);
    if (mine !== asked) return;
    set("blocks", page.blocks);
    set("page", page);
    set("pageNumber", number);
    document.title = `${page.head_title || page.name} · bonmun`;
    await showFrame(page);
    find("styles-switch").setAttribute("aria-pressed", "true");
    if (mine !== asked) return;
    notice(null);
    await Promise.all([askMethod("method", "answer"), askMethod("other", "otherAnswer")]);
    if (mine === asked) showFirstKept();
  } catch (problem) {
    if (mine === asked) notice(say("wrong"), problem);
  }
}

function nameAnswer(number, method) {
  return `pages/${number}/answer?method=${encodeURIComponent(method)}`;
}

async function askMethod(name, place) {
  const method = read(name);
  const number = read("pageNumber");
  if (!method || number < 0) return set(place, null);
  if (place === "otherAnswer") set(place, null);
  find("summary").textContent = say("answerLoading", { method });
  try {
    const path = nameAnswer(number, method);
    const answer = await (early?.path === path ? early.answer : get(path));
    early = null;
    if (read(name) !== method || read("pageNumber") !== number) return;
    set(place, answer);
  } catch (problem) {
    set(place, null);
    tell(problem.message);
    find("summary").textContent = problem.message;
  }
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

function showSummary() {
  const answer = read("answer");
  if (!answer) return;
  const kept = answer.kept.reduce((sum, each) => sum + each, 0);
  const parts = [
    make("strong", {}, word(answer.kind)),
    say("blocksKept", { kept, count: answer.kept.length }),
    say("wordsKept", { kept: answer.words, count: answer.words_of_page }),
    `${say("confidence").toLowerCase()} ${answer.confidence.toFixed(2)}`,
  ];
  if (isReport()) parts.push(say("report"));
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

/** Show every key that does something, also those of parts that started later. */
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
  startChoices(openPage);
  startSearch();
  startMoves();
  startPanels();
  bindKeys();
  listenToKeys();
  for (const name of ["answer", "otherAnswer", "matches", "marked", "labels"]) subscribe(name, paintAnswer);
  for (const name of ["answer", "otherAnswer", "other"]) subscribe(name, showSummary);
  subscribe("method", () => askMethod("method", "answer"));
  subscribe("other", () => askMethod("other", "otherAnswer"));
  try {
    const wanted = new URLSearchParams(location.search);
    if (wanted.get("method")) set("method", wanted.get("method"));
    const pages = await get("pages");
    set("pages", pages);
    startOpening(pages, openPage);
    if (pages.labelled) await (await import("./labels/annotate.js")).startAnnotating(openPage);
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
