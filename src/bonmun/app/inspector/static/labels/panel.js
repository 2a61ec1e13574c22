// The labelling panel: saved state, counts, buttons and the note; below them the queue, agreement and training.

import { get } from "../core/api.js";
import { find, make } from "../core/dom.js";
import { startAgreement } from "./agreement.js";
import { countLabels } from "./labels.js";
import { refreshQueue, startQueue } from "./queue.js";
import { read } from "../core/state.js";
import { nameLabel, say } from "../core/strings.js";
import { startTraining } from "./train.js";

const WORDS = { keep: "e", drop: "d", comment: "c", title: "t", author: "a", date: "y" };
const NOTE_PAUSE_MS = 400; // milliseconds after the last key press before a note is sent

function nameRestart() {
  return say("labelsRestart", { method: read("method") });
}

function makeButtons(actions) {
  const choose = Object.entries(WORDS).map(([word, key]) => make("button",
    { class: `word ${word}`, "data-label-word": word, onclick: () => actions.label(word) }, nameLabel(word), " ", make("kbd", {}, key)));
  return [
    make("div", { class: "tools", id: "label-choice" }, ...choose),
    make("div", { class: "tools" },
      make("button", { id: "finish", class: "main", onclick: () => actions.end("finish") }, say("finish"), " ", make("kbd", {}, "↵")),
      make("button", { id: "skip", onclick: () => actions.end("skip") }, say("skip"), " ", make("kbd", {}, "s")),
      make("button", { id: "undo", onclick: actions.undo }, say("undo"), " ", make("kbd", {}, "z")),
      make("button", { id: "redo", onclick: actions.redo }, say("redo"), " ", make("kbd", {}, "Z")),
      make("button", { id: "restart", onclick: actions.restart }, nameRestart())),
  ];
}

let sendNote = () => {}; // sends a note that is being typed, if there is one

/** Send a note that is being typed, before the page is finished or left. */
export function flushNote() {
  sendNote();
}

function makeNote(actions) {
  let timer = 0;
  const field = make("textarea", { id: "label-note", rows: 2, maxlength: 10000, dir: "auto" });
  sendNote = () => {
    if (!timer) return;
    clearTimeout(timer);
    timer = 0;
    actions.saveNote(field.value);
  };
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(sendNote, NOTE_PAUSE_MS);
    actions.startNote();
  });
  field.addEventListener("blur", sendNote);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" && !(event.key === "Enter" && (event.ctrlKey || event.metaKey))) return;
    field.blur();
    event.preventDefault();
  });
  return [make("label", { for: "label-note" }, say("note"), " ", make("kbd", {}, "i")), field];
}

function describeSaved(saving) {
  if (saving.state === "start") return say("labelsStart", { method: read("method") });
  if (saving.state === "saving") return say("labelsSaving");
  if (saving.state === "refused") return say("labelsRefused", { problem: saving.problem?.message ?? "" });
  return saving.state === "waiting" ? say("labelsWaiting", { problem: saving.problem?.message ?? "" }) : say("labelsSaved");
}

function show({ labels, saving, chosen }) {
  const saved = find("label-saved");
  saved.dataset.state = labels && saving ? saving.state : "opening";
  if (!labels || !saving) return;
  saved.textContent = describeSaved(saving);
  const pageState = saving.draft.state ?? "open";
  find("label-state").textContent = say(`state${pageState[0].toUpperCase()}${pageState.slice(1)}`);
  find("label-counts").textContent = say("labelCounts", countLabels(labels.words));
  const row = chosen[0];
  find("label-chosen").textContent = chosen.length > 1 ? say("labelRun", { count: chosen.length })
    : row === undefined ? say("labelNone") : say("labelNow", { row: row + 1, label: nameLabel(labels.words[row]) });
  for (const button of find("label-choice").children) {
    button.setAttribute("aria-pressed", String(row !== undefined && labels.words[row] === button.dataset.labelWord));
    button.disabled = row === undefined;
  }
  find("undo").disabled = !labels.past.length;
  find("redo").disabled = !labels.future.length;
  find("restart").textContent = nameRestart();
  const note = find("label-note");
  if (document.activeElement !== note) note.value = saving.pending?.note ?? saving.draft.note ?? "";
}

/** Fill the panel; returns a function that updates it. */
export async function startLabelPanel(actions) {
  const session = await get("session");
  const place = find("labels");
  place.replaceChildren(
    make("div", { class: "label-head" },
      make("h2", {}, say("labelsOf", { annotator: session.annotator })),
      make("output", { id: "label-saved", "aria-live": "polite" })),
    ...session.problems.map((problem) => make("p", { class: "problem" }, problem)),
    make("p", { id: "label-counts", class: "quiet" }),
    make("p", { id: "label-chosen" }),
    ...makeButtons(actions),
    make("p", { class: "quiet" }, make("span", { id: "label-state" }), " · ", make("span", { id: "label-progress" })),
    ...makeNote(actions),
    make("section", { id: "label-queue" }), make("section", { id: "label-agreement" }), make("section", { id: "label-training" }));
  startQueue(find("label-queue"), session, actions.openPage);
  startAgreement(find("label-agreement"), session);
  startTraining(find("label-training"), actions.openPage);
  refreshQueue();
  return { show };
}
