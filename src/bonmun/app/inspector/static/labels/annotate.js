// Labelling: gestures and keys that change the labels of the open page.
//
// Labels start from the method's answer, so people only correct it: a click keeps or drops a block, a drag a run of them,
// a double click a whole table or list; keys do the same for the selected block or run.

import { get, post } from "../core/api.js";
import { announce, find, make } from "../core/dom.js";
import { listen } from "../view/frame.js";
import { bind, moveKey } from "../core/keys.js";
import { flushNote, startLabelPanel } from "./panel.js";
import { ENGLISH, KOREAN } from "./strings.js";
import { DROP, Labels, labelBlocks } from "./labels.js";
import { goTo } from "../view/moves.js";
import { findNext, refreshQueue } from "./queue.js";
import { Saving } from "./saving.js";
import { read, set, subscribe } from "../core/state.js";
import { addStrings, say } from "../core/strings.js";
import { openTab } from "../panels/tabs.js";

const KEYS = { e: "keep", d: DROP, c: "comment", t: "title", a: "author", y: "date" };
const MOVED = { c: "C", t: "T", y: "Y", s: "S" }; // new keys for actions whose keys labelling needs
const RESULT_PAUSE_MS = 200; // milliseconds after the last change before the result of the labels is requested
let labels = null; // of the open page
let saving = null;
let anchor = -1; // start of a run
let isExtending = false;
let isEnding = false;
let lastClicked = -1; // start of a shift + click
let wasDragged = false;
let dragged = -1; // last block under a drag
let isShown = true; // labels are painted instead of the method's answer
let panel = null;
let resultTimer = 0;
let resultNumber = 0; // of the last request for the result; late answers to older ones are dropped

function rowsBetween(one, other) {
  const [first, last] = one < other ? [one, other] : [other, one];
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/** Return the rows that a key applies to: the run, or the selected block. */
function chosenRows() {
  const selected = read("selected");
  if (selected < 0) return [];
  return anchor >= 0 ? rowsBetween(anchor, selected) : [selected];
}

function clearRun() {
  anchor = -1;
  set("marked", []);
}

function other(label) {
  return label === "keep" ? DROP : "keep";
}

/** Ask for the result of the labels, after the last of several changes. */
function askForResult() {
  clearTimeout(resultTimer);
  if (!labels || !saving || !isShown) return;
  resultTimer = setTimeout(async () => {
    const number = (resultNumber += 1);
    const [page, links, images] = [read("pageNumber"), read("links") ? null : false, read("images") ? null : false];
    const result = await post(`labels/${page}/result`, { labels: allLabels(), links, images }).catch(() => null);
    if (result && number === resultNumber && page === read("pageNumber")) set("labelResult", result);
  }, RESULT_PAUSE_MS);
}

function show() {
  const words = isShown ? labels?.words ?? null : null;
  if (words !== read("labels")) askForResult();
  if (!words) set("labelResult", null);
  set("labels", words);
  panel?.show({ labels, saving, chosen: chosenRows() });
}

/** Return labels of some rows by XPath. */
function byPath(rows) {
  const blocks = read("blocks");
  return Object.fromEntries([...rows].map(([row, word]) => [blocks[row].xpath, word]));
}

function allLabels() {
  return byPath([...labels.words.entries()].filter(([, word]) => word !== DROP));
}

/** Return whether the server has nothing on this page: the first change then contains all labels. */
function isUntouched() {
  return !saving.draft.revision && !saving.hasPending && !saving.isSending;
}

/** Send a change. */
function send(change) {
  if (!saving || !labels) return;
  if (isUntouched()) saving.add({ ...change, labels: allLabels(), whole: true }, change.labels ?? {});
  else saving.add(change);
  show();
}

/** Send the changes of a gesture: a Map of row to label, or null. */
function sendChanges(changed) {
  if (changed) send({ labels: byPath(changed) });
}

/** Label some rows, as one gesture. */
function label(rows, word) {
  if (labels && rows.length) sendChanges(labels.change(rows, word));
}

function toggle(rows) {
  if (labels && rows.length) label(rows, other(labels.words[rows[0]]));
}

function findUnit(row) {
  const unit = read("page")?.units[read("blocks")[row]?.unit];
  return unit ? rowsBetween(unit.first, unit.last) : [row];
}

function listenToGestures() {
  listen("press", () => { wasDragged = false; });
  listen("drag", ({ from, block }) => {
    if (from === block && !wasDragged) return;
    wasDragged = true;
    dragged = block;
    set("marked", rowsBetween(from, block));
  });
  listen("drop", ({ from }) => {
    if (!wasDragged || !labels) return;
    label(rowsBetween(from, dragged), other(labels.words[from]));
    clearRun();
    set("selected", dragged);
  });
  listen("click", ({ block, event }) => {
    if (block < 0 || wasDragged || !labels) return;
    if (event.shiftKey && lastClicked >= 0) label(rowsBetween(lastClicked, block), labels.words[lastClicked]);
    else if (event.detail === 2) label(findUnit(block), labels.words[block]); // the first click has changed this block
    else toggle([block]);
    if (!event.shiftKey) lastClicked = block;
    clearRun();
  });
}

function extend(step) {
  const selected = read("selected");
  if (selected < 0) return goTo(0);
  if (anchor < 0) anchor = selected;
  const to = Math.min(Math.max(selected + step, 0), read("blocks").length - 1);
  isExtending = true;
  goTo(to);
  isExtending = false;
  set("marked", rowsBetween(anchor, to));
  return show();
}

function bindKeys(openPage) {
  for (const [key, moved] of Object.entries(MOVED)) moveKey(key, moved);
  for (const [key, word] of Object.entries(KEYS)) {
    const says = { e: "keyKeep", d: "keyDrop", c: "keyComment", t: "keyMetadata" }[key];
    bind(key, says ? say(says) : "", () => { label(chosenRows(), word); clearRun(); }, key === "t" ? "t a y" : key);
  }
  bind(" ", say("keyToggle"), () => { toggle(chosenRows()); clearRun(); }, "Space");
  bind("u", say("keyUnit"), () => {
    if (read("selected") >= 0) label(findUnit(read("selected")), other(labels.words[read("selected")]));
  });
  bind("J", say("keyExtend"), () => extend(1), "J K");
  bind("K", "", () => extend(-1));
  for (const key of ["Ctrl+z", "z"]) bind(key, key === "z" ? say("keyUndo") : "", () => sendChanges(labels?.undo()), "z Z, Ctrl+Z");
  for (const key of ["Ctrl+Z", "Ctrl+y", "Z"]) bind(key, "", () => sendChanges(labels?.redo()));
  bind("Enter", say("keyFinish"), () => { end("finish", openPage); });
  bind("s", say("keySkip"), () => { end("skip", openPage); });
  bind("i", say("keyNote"), () => { openTab("labels"); find("label-note").focus(); });
  bind("l", say("keyLabels"), () => { isShown = !isShown; show(); });
}

/** Finish or skip the page, and open the next one in the queue. */
async function end(action, openPage) {
  if (!saving || isEnding) return;
  flushNote();
  isEnding = true;
  try {
    if (isUntouched()) saving.pending = { labels: allLabels(), whole: true };
    const number = saving.number;
    const result = await saving.send(action);
    if (result.problem) announce(result.problem);
    const next = await findNext(number);
    if (next === null) { show(); announce(say("allDone")); } else await openPage(next);
  } catch (problem) {
    announce(problem.message);
  } finally {
    isEnding = false;
    refreshQueue();
  }
}

/** Start again from the answer of a method, if the page is not labelled yet or the user asks for it. */
async function startFrom(method, isRequested = false) {
  const number = read("pageNumber");
  if (!saving || saving.number !== number) return;
  if (!isRequested && (saving.draft.revision || saving.hasPending)) return;
  const start = await get(`labels/${number}/start?method=${encodeURIComponent(method)}`);
  if (read("pageNumber") !== number || methodToStart() !== method) return;
  const words = labelBlocks(read("blocks"), start.labels);
  if (!labels || !isRequested) {
    labels = new Labels(words);
    return show();
  }
  const changed = new Map(words.map((word, row) => [row, word]).filter(([row, word]) => labels.words[row] !== word));
  const step = [...changed].map(([row, after]) => ({ row, before: labels.words[row], after }));
  labels.past.push(step);
  labels.future = [];
  labels.words = words;
  return sendChanges(changed);
}

async function openLabels(number) {
  leave();
  labels = saving = null;
  lastClicked = -1;
  clearRun();
  show();
  const draft = await get(`labels/${number}`);
  if (read("pageNumber") !== number) return;
  saving = new Saving(number, draft, {
    onState: show,
    onTaken: (byPath) => { labels.words = labelBlocks(read("blocks"), byPath); show(); announce(say("labelsTaken")); },
  });
  if (draft.revision || saving.hasPending) {
    const base = saving.pending?.whole ? {} : draft.labels;
    labels = new Labels(labelBlocks(read("blocks"), { ...base, ...saving.pending?.labels }));
    show();
    saving.send();
  } else await startFrom(methodToStart());
}

function methodToStart() {
  return read("moreMethods").some((each) => each.name === read("method")) ? "auto" : read("method");
}

/** Merge a page that was changed after it was finished, when it is left. */
function leave() {
  if (!saving) return;
  if (saving.number === read("pageNumber")) flushNote();
  saving.stop();
  const { draft, number } = saving;
  if (draft.state === "done" && draft.folded !== draft.revision) post(`labels/${number}/leave`, {}).catch(() => {});
}

export async function startAnnotating(openPage) {
  addStrings(ENGLISH, KOREAN);
  document.head.append(make("link", { rel: "stylesheet", href: "/inspector/static/styles/labels.css" }));
  bindKeys(openPage);
  listenToGestures();
  panel = await startLabelPanel({
    openPage,
    end: (action) => end(action, openPage),
    undo: () => sendChanges(labels?.undo()),
    redo: () => sendChanges(labels?.redo()),
    restart: () => startFrom(methodToStart(), true),
    startNote: () => saving?.startTyping(),
    saveNote: (note) => send({ note }),
    label: (word) => { label(chosenRows(), word); clearRun(); },
  });
  subscribe("pageNumber", (number) => openLabels(number).catch((problem) => announce(problem.message)));
  subscribe("method", () => startFrom(methodToStart()).catch(() => {}));
  subscribe("selected", () => {
    if (isExtending) return;
    clearRun();
    panel.show({ labels, saving, chosen: chosenRows() });
  });
  for (const name of ["links", "images"]) subscribe(name, askForResult);
  addEventListener("focus", () => saving?.refresh());
  addEventListener("pagehide", leave);
  openTab("labels");
  find("tab-labels").scrollIntoView({ block: "nearest", inline: "nearest" });
}
