// A person's labels of the blocks of one page, with undo and redo. Knows neither the screen nor the server.

export const DROP = "drop";
const ALONE = new Set(["title", "date"]); // a page has one: what is labelled so takes the place of what was
const MOST_STEPS = 500; // that can be taken back

/** Labels of a page: `words[row]` is one of keep, drop, comment, title, author, date. */
export class Labels {
  /** @param {string[]} words */
  constructor(words) {
    this.words = words;
    this.past = [];
    this.future = [];
  }

  /** Label some rows; gives a Map of row to label of what has changed, or null if nothing has. */
  change(rows, label) {
    const chosen = new Set(rows);
    const wanted = new Map([...chosen].map((row) => [row, label]));
    if (ALONE.has(label)) {
      this.words.forEach((word, row) => { if (word === label && !chosen.has(row)) wanted.set(row, DROP); });
    }
    const step = [];
    for (const [row, after] of wanted) {
      const before = this.words[row];
      if (before !== undefined && before !== after) step.push({ row, before, after });
    }
    if (!step.length) return null;
    this.past.push(step);
    if (this.past.length > MOST_STEPS) this.past.shift();
    this.future = [];
    return this.#apply(step, "after");
  }

  /** Take the last gesture back; null if there is none. */
  undo() {
    const step = this.past.pop();
    if (!step) return null;
    this.future.push(step);
    return this.#apply(step, "before");
  }

  /** Do again what was taken back; null if there is nothing. */
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

/** Labels by XPath as a word a block. */
export function spread(blocks, byPath) {
  return blocks.map((block) => byPath[block.xpath] ?? DROP);
}

/** How often each label is given. */
export function countLabels(words) {
  const counts = { keep: 0, drop: 0, comment: 0, title: 0, author: 0, date: 0 };
  for (const word of words) counts[word] += 1;
  return counts;
}
