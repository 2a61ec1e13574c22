// The card under the page: the decision on the block under the pointer or the selected one, and its reason.

import { get } from "../core/api.js";
import { copy, find, formatNumber, make } from "../core/dom.js";
import { read, subscribe } from "../core/state.js";
import { say, word } from "../core/strings.js";

const PAUSE_MS = 250; // milliseconds before features of a block are requested
const known = new Map(); // features by page and block
let timer = 0;
let shown = -1;
let makeActions = () => null; // returns an element with actions on the selected block, or null
let latest = "selected"; // which of "hovered" and "selected" changed last

function decide(answer, row) {
  if (answer.kept[row]) return ["kept", answer.partly.includes(row) ? `${say("kept")}, ${say("partly")}` : say("kept")];
  return answer.comments.includes(row) ? ["comment", say("comment")] : ["dropped", say("dropped")];
}

function showCard() {
  const row = latest === "hovered" && read("hovered") >= 0 ? read("hovered") : read("selected");
  const block = read("blocks")[row];
  const answer = read("shown");
  const card = find("card");
  shown = row;
  clearTimeout(timer);
  if (!block || !answer) {
    card.replaceChildren(make("p", { class: "quiet" }, say("noBlock")));
    find("why").hidden = true;
    return;
  }
  const [look, decision] = decide(answer, row);
  const details = make("p", { class: "details" },
    make("strong", { class: `decision ${look}` }, decision),
    make("span", {}, word(answer.reasons[row])),
    answer.isLabelled ? null : make("span", { class: "score" }, `${say("score").toLowerCase()} ${formatNumber(answer.scores[row])}`),
    make("span", {}, word(block.kind)),
    block.hidden ? make("span", { class: "quiet" }, say("hidden")) : null,
    answer.site ? make("span", { class: "quiet pages" }, say("siteBlock", { pages: answer.site.counts[row], of: answer.site.pages })) : null,
    make("span", { class: "quiet" }, say("blockOf", { row: row + 1, count: read("blocks").length })));
  const other = read("other") && read("otherAnswer");
  if (other) {
    const [otherLook, otherWord] = decide(other, row);
    details.append(make("span", { class: `decision ${otherLook}` }, `${read("other")}: ${otherWord}`));
  }
  const text = make("p", { class: "said", dir: "auto", lang: answer.language || read("page").language || null },
    block.text.slice(0, 400));
  const places = [["XPath", block.xpath, say("copyPath")], ["CSS", toCss(block.xpath), say("copyCss")]].filter(([, path]) => path)
    .map(([name, path, label]) => make("p", { class: "place" }, make("span", { class: "quiet" }, name), make("code", { title: path }, path),
      make("button", { "aria-label": label, title: label, onclick: () => copy(path, say("copied")) }, say("copy"))));
  card.replaceChildren(...[details, text, ...places, row === read("selected") ? makeActions(row) : null].filter(Boolean));
  showFeatures(row, answer);
}

/** Return the CSS selector of an XPath such as `/html/body/div[2]/p[1]`, or "" if there is none. */
function toCss(xpath) {
  const steps = xpath.replace(/\/text\(\)\[\d+\]$/, "").split("/").slice(2);
  if (!steps.length || !steps.every((step) => /^[a-z][\w-]*(\[\d+\])?$/i.test(step))) return "";
  return steps.map((step) => step.replace(/\[(\d+)\]$/, ":nth-of-type($1)")).join(" > ");
}

/** Show why the network decides on a block as it does; not for decisions of rules, labels and site models. */
function showFeatures(row, answer) {
  if (read("method") !== "auto" || answer.isLabelled || answer.reasons[row].startsWith("rule ") || answer.template?.includes(row)) {
    find("why").hidden = true;
    return;
  }
  const name = `${read("pageNumber")} ${row}`;
  if (known.has(name)) {
    fillFeatures(known.get(name));
    return;
  }
  timer = setTimeout(async () => {
    const found = await get(`pages/${read("pageNumber")}/features?block=${row}`).catch(() => null);
    known.set(name, found);
    if (shown === row) fillFeatures(found);
  }, PAUSE_MS);
}

function fillFeatures(found) {
  find("why").hidden = !found || !(found.for.length + found.against.length);
  if (find("why").hidden) return;
  const list = (title, rows) => make("div", {}, make("h2", {}, title),
    make("ul", {}, ...rows.map((each) => make("li", { title: each.level ? `${word(each.says)}: ${say(each.level)}` : word(each.says) },
      make("span", {}, ...writeFeature(each)), make("b", {}, `${each.change > 0 ? "+" : "−"}${Math.abs(each.change).toFixed(1)}`)))));
  find("features").replaceChildren(list(say("featuresFor"), found.for), list(say("featuresAgainst"), found.against));
}

/** Return a feature as nodes: an arrow for above or below the mean, with a text for screen readers, and its name. */
function writeFeature(feature) {
  if (!feature.level) return [word(feature.says)];
  return [make("span", { role: "img", "aria-label": say(feature.level) }, feature.level === "above" ? "↑ " : "↓ "), word(feature.says)];
}

/** Set the function that returns an element with actions on the selected block. */
export function setCardActions(make) {
  makeActions = make;
  showCard();
}

export function startCard() {
  for (const name of ["hovered", "selected"]) subscribe(name, () => { latest = name; showCard(); });
  for (const name of ["shown", "otherAnswer"]) subscribe(name, showCard);
  subscribe("page", () => known.clear());
  showCard();
}
