// A virtual list: only the visible rows are in the document. All rows have the same height.

import { make } from "../core/dom.js";

const EXTRA_ROWS = 8; // rows kept above and below the visible ones
const MAX_HEIGHT = 8_000_000; // maximum height in pixels that browsers can scroll; longer lists are cut

/**
 * Create a list: `fill(row)` returns the content of a row, `choose(row)` is called when it is selected, `isChosen(row)`
 * says whether it is. With `onEnter`, the arrow keys only move, and Enter selects. `name` starts the ids of the rows.
 * Returns {element, refresh, reveal}.
 */
export function makeList({ count, height, label, name = label.replace(/\W+/g, "-"), fill, choose, isChosen = () => false, look = () => "", onEnter = false }) {
  const shown = Math.min(count, Math.floor(MAX_HEIGHT / height));
  const inner = make("div", { class: "rows", role: "presentation" });
  inner.style.height = `${shown * height}px`;
  const element = make("div", { class: "list", role: "listbox", tabindex: "0", "aria-label": label }, inner);
  let active = -1;
  let waiting = false;

  function draw() {
    waiting = false;
    const first = Math.max(0, Math.floor(element.scrollTop / height) - EXTRA_ROWS);
    const last = Math.min(shown, Math.ceil((element.scrollTop + (element.clientHeight || 600)) / height) + EXTRA_ROWS);
    const rows = [];
    for (let row = first; row < last; row += 1) {
      const item = make("div", {
        class: `row ${look(row)}`, role: "option", id: `${name}-${row}`,
        "aria-setsize": count, "aria-posinset": row + 1, "aria-selected": String(isChosen(row)), "data-row": row,
      }, ...fill(row));
      item.style.transform = `translateY(${row * height}px)`;
      item.style.height = `${height}px`;
      if (row === active) item.classList.add("active");
      rows.push(item);
    }
    inner.replaceChildren(...rows);
    const now = rows.find((item) => item.classList.contains("active"));
    if (now) element.setAttribute("aria-activedescendant", now.id);
    else element.removeAttribute("aria-activedescendant");
  }

  function refresh() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(draw);
  }

  function reveal(row) {
    if (row < 0 || row >= shown) return;
    active = row;
    const top = row * height;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + height > element.scrollTop + element.clientHeight) element.scrollTop = top + height - element.clientHeight;
    refresh();
  }

  element.addEventListener("scroll", refresh, { passive: true });
  element.addEventListener("click", (event) => {
    const item = event.target.closest("[data-row]");
    if (!item) return;
    active = Number(item.dataset.row);
    choose(active);
    refresh();
  });
  element.addEventListener("keydown", (event) => {
    const page = Math.max(1, Math.floor(element.clientHeight / height) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -shown, End: shown };
    if (event.key in steps) {
      reveal(Math.min(shown - 1, Math.max(0, active + steps[event.key])));
      if (!onEnter) choose(active);
      event.preventDefault();
    } else if ((event.key === "Enter" || event.key === " ") && active >= 0) {
      choose(active);
      event.preventDefault();
    }
  });
  new ResizeObserver(refresh).observe(element);
  draw();
  return { element, refresh, reveal };
}
