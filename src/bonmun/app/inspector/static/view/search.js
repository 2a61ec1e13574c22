// Searches blocks by text, reason and XPath while the user types.

import { find } from "../core/dom.js";
import { bind } from "../core/keys.js";
import { goTo } from "./moves.js";
import { read, set, subscribe } from "../core/state.js";
import { say, word } from "../core/strings.js";

let texts = []; // folded texts of the blocks
let reasons = new Map(); // whether each reason matches; there are few

function fold(text) {
  return text.toLowerCase().normalize("NFC");
}

function prepare() {
  texts = read("blocks").map((block) => fold(`${block.text}\n${block.xpath}`));
  search();
}

function search() {
  const wanted = fold(find("search").value.trim());
  if (!wanted) {
    set("matches", []);
    find("search-count").textContent = "";
    return;
  }
  const answer = read("answer");
  reasons = new Map();
  const hasReason = (row) => {
    const reason = answer?.reasons[row] ?? "";
    if (!reasons.has(reason)) reasons.set(reason, fold(`${reason} ${word(reason)}`).includes(wanted));
    return reasons.get(reason);
  };
  const found = [];
  for (let row = 0; row < texts.length; row += 1) if (texts[row].includes(wanted) || hasReason(row)) found.push(row);
  set("matches", found);
  showCount();
}

function showCount() {
  const matches = read("matches");
  if (!find("search").value.trim()) return;
  const at = matches.indexOf(read("selected"));
  find("search-count").textContent = matches.length
    ? say("matches", { at: at < 0 ? "–" : at + 1, count: matches.length }) : say("matchesNone");
}

/** Go to the next or previous match relative to the selected block, wrapping around. */
function step(by) {
  const matches = read("matches");
  if (!matches.length) return;
  const now = read("selected");
  let next;
  if (by > 0) next = matches.find((row) => row > now) ?? matches[0];
  else next = matches.findLast((row) => row < now) ?? matches[matches.length - 1];
  goTo(next);
  showCount();
}

export function startSearch() {
  const field = find("search");
  field.placeholder = say("search");
  field.addEventListener("input", search);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      field.value = "";
      search();
      field.blur();
    }
  });
  find("search-form").addEventListener("submit", (event) => event.preventDefault());
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    step(event.shiftKey ? -1 : 1);
    event.preventDefault();
  });
  bind("/", say("keySearch"), () => { field.focus(); field.select(); });
  subscribe("page", prepare);
  subscribe("selected", showCount);
}
