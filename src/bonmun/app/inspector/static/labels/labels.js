// Labels of the blocks of one page, with undo and redo. Independent of the user interface and the server.

export const DROP = "drop";
const UNIQUE = new Set(["title", "date"]); // at most one per page: a new one replaces the old
const MAX_STEPS = 500; // undo steps kept

/** Labels of a page: `words[row]` is one of keep, drop, comment, title, author, date. */
export class Labels {
  /** @param {string[]} words */
  constructor(words) {
    this.words = words;
    this.past = [];
    this.future = [];
  }

  /** Label some rows; returns the changes as a Map of row to label, or null if there are none. */
  change(rows, label) {
    const chosen = new Set(rows);
    const wanted = new Map([...chosen].map((row) => [row, label]));
    if (UNIQUE.has(label)) {
      this.words.forEach((word, row) => { if (word === label && !chosen.has(row)) wanted.set(row, DROP); });
    }
    const step = [];
    for (const [row, after] of wanted) {
      const before = this.words[row];
      if (before !== undefined && before !== after) step.push({ row, before, after });
    }
    if (!step.length) return null;
    this.past.push(step);
    if (this.past.length > MAX_STEPS) this.past.shift();
    this.future = [];
    return this.#apply(step, "after");
  }

  /** Undo the last change; null if there is none. */
  undo() {
    const step = this.past.pop();
    if (!step) return null;
    this.future.push(step);
    return this.#apply(step, "before");
  }

  /** Redo what was undone; null if there is nothing. */
  redo() {
    const step = this.future.pop();
    if (!step) return null;
    this.past.push(step);
    return this.#apply(step, "after");
  }

  #apply(step, side) {
    this.words = this.words.slice();
    const changed = new Map();
    for (const each of step) {
      this.words[each.row] = each[side];
      changed.set(each.row, each[side]);
    }
    return changed;
  }
}

/** Convert labels by XPath to one label per block. */
export function labelBlocks(blocks, byPath) {
  return blocks.map((block) => byPath[block.xpath] ?? DROP);
}

/** Count each label. */
export function countLabels(words) {
  const counts = { keep: 0, drop: 0, comment: 0, title: 0, author: 0, date: 0 };
  for (const word of words) counts[word] += 1;
  return counts;
}
