// Styles of blocks in the frame: kept, dropped or comment, and the score.
//
// Never by colour alone: kept is underlined solid, dropped thin and dashed, comments dotted; in a comparison, blocks that
// only the first method keeps have a double line, those of the second a wavy one. The styles do not affect the layout, so
// ten thousand blocks can be painted without a new layout of the page.

const STEPS = 10;
const INKS = {
  k: "0 122 110", d: "196 74 16", c: "112 72 214", b: "0 122 110", x: "0 96 200", y: "176 40 130",
  t: "0 96 200", a: "176 40 130", w: "150 100 0",
};
const LINES = {
  k: "2px solid", d: "1px dashed", c: "2px dotted", b: "2px solid", x: "2px double", y: "1.5px wavy",
  t: "3px double", a: "2px wavy", w: "3px dotted",
};
const LOOKS = { keep: "k s7", drop: "d s1", comment: "c s7", title: "t s7", author: "a s7", date: "w s7" };

function write() {
  const rules = ["bm-t{cursor:pointer;border-radius:2px;text-underline-offset:.22em;text-decoration-skip-ink:none}"];
  for (const [look, ink] of Object.entries(INKS)) {
    rules.push(`bm-t.${look}{text-decoration:underline ${LINES[look]} rgb(${ink} / .8)!important}`);
    for (let step = 0; step < STEPS; step += 1) {
      const alpha = (0.04 + (look === "d" ? 0.18 : 0.26) * (step / (STEPS - 1))).toFixed(3);
      rules.push(`bm-t.${look}.s${step}{background:rgb(${ink} / ${alpha})!important}`);
    }
  }
  rules.push("html.bm-labels{user-select:none;-webkit-user-select:none}"); // dragging labels blocks instead of selecting text
  rules.push("bm-box{all:initial!important;position:absolute!important;z-index:2147483647!important;" +
    "box-sizing:border-box!important;pointer-events:none!important;border-radius:4px!important}");
  rules.push("bm-badge{all:initial!important;position:absolute!important;z-index:2147483646!important;pointer-events:none!important;" +
    "font:600 11px/15px system-ui,sans-serif!important;padding:0 4px!important;border-radius:8px!important;background:#33414d!important;" +
    "color:#fff!important;white-space:nowrap!important}");
  rules.push("#bm-selected{border:2px solid #0a62d6!important;box-shadow:0 0 0 2px #ffffffb0!important}");
  rules.push("#bm-hovered{border:1px solid #0a62d6!important}");
  rules.push("bm-t.hit{box-shadow:0 0 0 2px #d99a00!important}");
  rules.push("bm-t.mk{box-shadow:0 0 0 3px #7048d6!important}");
  rules.push("bm-t.flash{background:#ffd84d!important;color:#000!important}");
  return rules.join("\n");
}

/** The style sheet of blocks in the frame. */
export const PAINT = write();

/** Return the class names of a block by one answer: the surer the decision, the stronger the colour. */
export function lookOf(answer, comments, row) {
  const score = answer.scores[row];
  const sure = answer.kept[row] ? score : 1 - score;
  const step = Math.min(STEPS - 1, Math.max(0, Math.round(sure * (STEPS - 1))));
  return `${answer.kept[row] ? "k" : comments.has(row) ? "c" : "d"} s${step}`;
}

/** Return the class names of a block by its label. */
export function lookOfLabel(label) {
  return LOOKS[label] ?? LOOKS.drop;
}

/** Return the class names of a block by two answers: kept by both, by the first, by the second, or by none. */
export function lookOfTwo(one, other, row) {
  if (one.kept[row]) return other.kept[row] ? "b s3" : "x s7";
  return other.kept[row] ? "y s7" : "n";
}
