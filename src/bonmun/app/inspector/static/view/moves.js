// Move between blocks by keys: to the next block, the next change, the next uncertain one.

import { copy } from "../core/dom.js";
import { scroller, scrollToBlock } from "./frame.js";
import { bind } from "../core/keys.js";
import { read, set } from "../core/state.js";
import { say } from "../core/strings.js";

const DOUBT = [0.25, 0.75];

/** Select a block and scroll to it. */
export function goTo(row) {
  if (row < 0 || row >= read("blocks").length) return;
  set("leaf", -1);
  set("selected", row);
  scrollToBlock(row);
}

function moveBy(step) {
  const now = read("selected");
  if (now < 0) return goTo(step > 0 ? findFirstKept() : read("blocks").length - 1);
  return goTo(now + step);
}

function findFirstKept() {
  const kept = read("answer")?.kept ?? [];
  return Math.max(kept.indexOf(true), 0);
}

/** Scroll to the first kept block that is displayed, unless the user has scrolled already. */
export function showFirstKept() {
  if (read("selected") >= 0 || scroller()?.scrollTop) return;
  (read("answer")?.kept ?? []).some((isKept, row) => isKept && scrollToBlock(row, true));
}

/** Return whether a block is of interest: a change of decision, an uncertain score, or a difference between two methods. */
function isOfInterest(row) {
  const [answer, other] = [read("answer"), read("otherAnswer")];
  if (!answer) return false;
  if (read("other") && other) return answer.kept[row] !== other.kept[row];
  const score = answer.scores[row];
  return (row > 0 && answer.kept[row] !== answer.kept[row - 1]) || (score > DOUBT[0] && score < DOUBT[1]);
}

function moveToInteresting(step) {
  const count = read("blocks").length;
  for (let row = read("selected") + step; row >= 0 && row < count; row += step) {
    if (isOfInterest(row)) return goTo(row);
  }
  return undefined;
}

export function startMoves() {
  bind("j", say("keyNext"), () => moveBy(1), "j k");
  bind("k", "", () => moveBy(-1));
  bind("n", say("keyChange"), () => moveToInteresting(1), "n p");
  bind("p", "", () => moveToInteresting(-1));
  bind("y", say("keyCopy"), () => {
    const block = read("blocks")[read("selected")];
    if (block) copy(block.xpath, say("copied"));
  });
  bind("Escape", say("keyEscape"), () => {
    document.activeElement?.blur();
    set("selected", -1);
    set("marked", []);
    return true;
  }, "Esc");
}
