// Rules by clicking: what to always drop or keep on the site of the page, and where title, author and date are.
//
// The server suggests selectors and measures their effect on the open pages of the site; nothing is written before the
// person saves. Every text is set as text, never as markup.

import { get, post } from "../core/api.js";
import { announce, find, formatCount, make } from "../core/dom.js";
import { bind } from "../core/keys.js";
import { read, set } from "../core/state.js";
import { addStrings, say } from "../core/strings.js";
import { setCardActions } from "../view/card.js";
import { ENGLISH, KOREAN } from "./strings.js";

const FIELDS = ["drop", "keep", "title", "authors", "date"];
const PAUSE_MS = 350; // milliseconds after the last key press before a selector is tried
let file = null; // {file, exists, undo}, from the server
let rerun = () => {}; // runs the method again
let timer = 0;
let lastAsked = 0; // number of the last request; late answers to older ones are dropped
let asked = null; // what the dialog is about: {page, block, leaf, field}
let preview = null; // the last answer

function nameOf(field, ending = "") {
  return `rule${field[0].toUpperCase()}${field.slice(1)}${ending}`;
}

function makeActions() {
  return make("p", { class: "rule-actions" }, make("span", { class: "quiet" }, say("ruleMake")),
    ...FIELDS.map((field) => make("button", { "data-rule": field, "aria-label": say(nameOf(field)), onclick: () => open(field) },
      say(nameOf(field, "Short")))));
}

/** Open the dialog for the selected block. */
function open(field) {
  const block = read("selected");
  if (block < 0) return;
  asked = { page: read("pageNumber"), block, leaf: read("leaf") < 0 ? null : read("leaf"), field };
  find("rule").replaceChildren(
    make("h2", { id: "rule-title" }, say(nameOf(field))),
    make("label", {}, say("ruleElement"), make("select", { id: "rule-element", onchange: chooseElement })),
    make("label", {}, say("ruleSelector"),
      make("input", { id: "rule-selector", type: "text", autocomplete: "off", spellcheck: "false", maxlength: 500, dir: "ltr", oninput: typed })),
    make("p", { id: "rule-suggestions" }),
    make("p", { id: "rule-state", role: "status" }, say("ruleLoading")),
    make("div", { id: "rule-effect" }),
    make("p", { class: "tools" },
      make("button", { id: "rule-save", class: "main", disabled: true, onclick: save }, say("ruleSave")),
      make("button", { id: "rule-cancel", onclick: () => find("rule").close() }, say("ruleCancel"))));
  find("rule").showModal();
  suggest({});
}

function showState(text, isProblem = false) {
  find("rule-state").textContent = text;
  find("rule-state").classList.toggle("problem", isProblem);
}

/** Ask the server, and show its answer unless there is a newer request. */
async function ask(path, value, show) {
  const number = (lastAsked += 1);
  preview = null;
  find("rule-save").disabled = true;
  try {
    const answer = await post(`rules/${path}`, value);
    if (number === lastAsked && find("rule").open) show(answer);
  } catch (problem) {
    if (number === lastAsked && find("rule").open) showState(problem.message, true);
  }
}

function suggest(more) {
  showState(say("ruleLoading"));
  return ask("suggest", { ...asked, ...more }, (found) => {
    find("rule-title").textContent = say(nameOf(asked.field, "On"), { host: found.host });
    find("rule-element").replaceChildren(...found.elements.map((each) =>
      make("option", { value: each.element }, `${each.says}   ${each.text.slice(0, 50)}`)));
    find("rule-element").value = String(found.element);
    find("rule-selector").value = found.selectors[0] ?? "";
    const others = found.selectors.slice(1).map((each) => make("button", {
      onclick: () => { find("rule-selector").value = each; measure(); },
    }, each));
    find("rule-suggestions").replaceChildren(...(others.length ? [make("span", { class: "quiet" }, say("ruleOthers")), ...others] : []));
    measure();
  });
}

function chooseElement(event) {
  suggest({ element: Number(event.target.value) });
}

function typed() {
  clearTimeout(timer);
  find("rule-save").disabled = true;
  timer = setTimeout(measure, PAUSE_MS);
}

/** Show the effect of the selector on each open page of the site. */
function measure() {
  clearTimeout(timer);
  const selector = find("rule-selector").value.trim();
  showState(say("ruleMeasuring"));
  return ask("preview", { page: asked.page, field: asked.field, selector, method: read("method") }, (found) => {
    preview = { ...found, selector };
    const own = found.pages[0];
    showState(own.matched ? "" : say("ruleNothing"), true);
    find("rule-effect").replaceChildren(make("h3", {}, say("ruleEffect")), drawEffect(found.pages),
      make("h3", {}, say(file.exists ? "ruleIn" : "ruleInNew", { file: file.file })), make("pre", { id: "rule-text", tabindex: 0 }, found.rule));
    find("rule-save").disabled = !own.matched;
    if (own.number === read("pageNumber")) set("marked", own.blocks ?? []);
  });
}

function drawEffect(pages) {
  const hasValues = pages.some((page) => page.values);
  const names = ["page", "ruleFound", "ruleLost", "ruleGained", ...(hasValues ? ["ruleBefore", "ruleAfter"] : [])];
  const row = (page) => {
    if (page.problem) return make("tr", {}, make("td", {}, page.name), make("td", { colspan: names.length - 1, class: "problem" }, page.problem));
    const samples = page.samples.join("\n");
    const cells = [
      make("td", { title: samples }, page.name, make("span", { class: "sample", dir: "auto" }, page.samples[0] ?? "")),
      make("td", { class: "number", title: samples }, formatCount(page.matched)),
      make("td", { class: `number ${page.lost ? "down" : ""}` }, formatCount(page.lost)),
      make("td", { class: `number ${page.gained ? "up" : ""}` }, formatCount(page.gained)),
    ];
    if (hasValues) cells.push(...page.values.map((value) => make("td", { dir: "auto" }, value ?? "–")));
    return make("tr", {}, ...cells);
  };
  return make("table", {}, make("thead", {}, make("tr", {}, ...names.map((name, at) => make("th", { scope: "col", class: at > 0 && at < 4 ? "number" : "" }, say(name))))),
    make("tbody", {}, ...pages.map(row)));
}

async function save() {
  const { selector, digest } = preview;
  find("rule-save").disabled = true;
  try {
    file = await post("rules/save", { page: asked.page, field: asked.field, selector, digest });
    find("rule").close();
    announce(say("ruleSaved", { file: file.file }));
    await showNew();
  } catch (problem) {
    if (problem.status === 409) await measure(); // the file has changed: show what would be saved now
    showState(problem.message, true);
  }
}

async function undo() {
  try {
    file = await post("rules/undo", {});
    announce(say("ruleUndone"));
    await showNew();
  } catch (problem) {
    announce(problem.message);
  }
}

function showNew() {
  showNote();
  return rerun();
}

/** Show the last saved rule, which can be undone. */
function showNote() {
  const note = find("rule-note");
  note.hidden = !file.undo;
  note.replaceChildren(make("span", {}, `${say("ruleSaved", { file: file.file })} · `, make("code", {}, file.undo ?? "")),
    make("button", { id: "rule-undo", onclick: undo }, say("ruleUndo")));
}

export async function startRules(runMethods) {
  addStrings(ENGLISH, KOREAN);
  rerun = runMethods;
  document.head.append(make("link", { rel: "stylesheet", href: "/inspector/static/styles/rules.css" }));
  file = await get("rules");
  find("rule").addEventListener("close", () => { lastAsked += 1; clearTimeout(timer); set("marked", []); });
  setCardActions(makeActions);
  bind("r", say("keyRule"), () => open("drop"));
  showNote();
}
