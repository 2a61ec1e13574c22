// The page in a frame without scripts: shows it, paints its blocks, and emits gestures by block number.

import { find } from "../core/dom.js";
import { handleKey } from "../core/keys.js";
import { PAINT } from "./paint.js";
import { read, set, subscribe } from "../core/state.js";

const frame = find("frame");
const FEW_BLOCKS = 200; // pages with fewer blocks are painted at once
const BLOCKS_PER_IDLE = 80; // blocks painted per idle callback
const BADGE_WIDTH = 42; // space in pixels that the label of a block needs at the edge of the page
const listeners = new Map();
let spans = []; // for each block, the <bm-t> elements of its leaves
let blockOfLeaf = new Int32Array(0);
let painted = []; // the current classes of each block
let places = null; // top and bottom of each block on the page, once measured
let painter = () => "";
let pointer = ""; // last position on the screen
let unpainted = 0; // first block that may not be repainted yet
let painting = 0; // id of the scheduled repaint, or 0
let pressed = -1; // block on which the button was pressed

/** Show a page, as returned by `pages/N`. Resolves when it is loaded. */
export function showFrame(page) {
  return new Promise((resolve) => {
    frame.addEventListener("load", () => { index(page.blocks); attach(); repaint(); resolve(); }, { once: true });
    frame.title = page.head_title || page.name;
    // our style sheet comes first, so that the browser computes styles only once
    frame.srcdoc = page.frame.replace("<style>", () => `<style id="bm-paint">${PAINT}</style><style>`);
  });
}

function index(blocks) {
  const inside = frame.contentDocument;
  if (read("pages").labelled) inside.documentElement.classList.add("bm-labels");
  const leaves = blocks.length ? blocks[blocks.length - 1].last + 1 : 0;
  blockOfLeaf = new Int32Array(leaves).fill(-1);
  blocks.forEach((block, row) => blockOfLeaf.fill(row, block.first, block.last + 1));
  spans = blocks.map(() => []);
  for (const span of inside.getElementsByTagName("bm-t")) {
    const row = blockOfLeaf[span.dataset.leaf];
    if (row >= 0) spans[row].push(span);
  }
  painted = new Array(blocks.length).fill("");
  places = null;
}

function attach() {
  const inside = frame.contentDocument;
  inside.addEventListener("pointerover", (event) => {
    const place = `${event.screenX} ${event.screenY}`;
    if (place === pointer) return; // the page has moved, not the pointer
    pointer = place;
    set("hovered", findBlock(event.target));
  });
  inside.addEventListener("pointerleave", () => set("hovered", -1));
  inside.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    pressed = findBlock(event.target);
    emit("press", { block: pressed, event });
  });
  inside.addEventListener("pointermove", (event) => {
    pointer = `${event.screenX} ${event.screenY}`;
    if (pressed < 0 || !(event.buttons & 1)) return;
    const block = findBlock(event.target);
    if (block >= 0) emit("drag", { from: pressed, block, event });
  });
  inside.addEventListener("pointerup", (event) => {
    if (pressed < 0) return;
    const block = findBlock(event.target);
    emit("drop", { from: pressed, block: block < 0 ? pressed : block, event });
    pressed = -1;
  });
  inside.addEventListener("click", (event) => {
    event.preventDefault();
    const block = findBlock(event.target);
    if (block >= 0) {
      set("leaf", Number(event.target.closest("bm-t").dataset.leaf));
      set("selected", block);
    }
    emit("click", { block, event });
  });
  inside.addEventListener("keydown", handleKey);
  frame.contentWindow.addEventListener("scroll", () => {
    if (painting) for (const row of listVisible()) paintBlock(row);
    emit("scroll", {});
  }, { passive: true });
}

function findBlock(target) {
  const span = target?.closest?.("bm-t");
  return span ? blockOfLeaf[span.dataset.leaf] ?? -1 : -1;
}

/**
 * Listen to gestures in the frame: "press" and "click" with {block, event}, "drag" and "drop" with {from, block, event},
 * "scroll", "painted". A block is a row, or -1 outside all blocks.
 */
export function listen(name, listener) {
  if (!listeners.has(name)) listeners.set(name, new Set());
  listeners.get(name).add(listener);
  return () => listeners.get(name).delete(listener);
}

function emit(name, gesture) {
  for (const listener of listeners.get(name) ?? []) listener(gesture);
}

/** Set the function that returns the class names (see paint.js) of a row. Unchanged blocks are not touched. */
export function setPainter(paint) {
  painter = paint;
  repaint();
}

/**
 * Paint the blocks whose look has changed: visible ones at once, the others while the browser is idle, so that pages with
 * many thousand blocks respond as fast as small ones.
 */
export function repaint() {
  unpainted = 0;
  for (const row of listVisible()) paintBlock(row);
  if (!painting) painting = runWhenIdle(paintMore);
  emit("painted", {});
}

function paintBlock(row) {
  const look = painter(row);
  if (look === painted[row]) return 0;
  painted[row] = look;
  for (const span of spans[row]) span.className = look;
  return 1;
}

function paintMore() {
  let changed = 0;
  while (unpainted < spans.length && changed < BLOCKS_PER_IDLE) {
    changed += paintBlock(unpainted);
    unpainted += 1;
  }
  painting = unpainted < spans.length ? runWhenIdle(paintMore) : 0;
}

function runWhenIdle(action) {
  return globalThis.requestIdleCallback ? requestIdleCallback(action, { timeout: 500 }) : setTimeout(action, 16);
}

/** Return the rows of the blocks in or near the viewport. */
function listVisible() {
  if (spans.length <= FEW_BLOCKS) return spans.keys();
  const [top, height] = [scroller()?.scrollTop ?? 0, frame.contentWindow?.innerHeight ?? 0];
  const rows = [];
  measurePlaces().forEach((place, row) => {
    if (place && place[1] > top - 200 && place[0] < top + height + 200) rows.push(row);
  });
  return rows;
}

/** Turn the page's own styles on or off. */
export function showPageStyles(on) {
  const inside = frame.contentDocument;
  for (const sheet of inside.querySelectorAll(".bm-page")) sheet.disabled = !on;
  const [from, to] = on ? ["data-style", "style"] : ["style", "data-style"];
  for (const element of inside.querySelectorAll(`[${from}]`)) {
    element.setAttribute(to, element.getAttribute(from));
    element.removeAttribute(from);
  }
  places = null;
  drawBoxes();
  emit("scroll", {});
}

/** Return the element that scrolls in the frame. */
export function scroller() {
  return frame.contentDocument?.scrollingElement ?? frame.contentDocument?.documentElement ?? null;
}

/** Return the position of each block: [top, bottom, left, right], or null if it is not displayed. */
export function measurePlaces() {
  if (places) return places;
  const [top, left] = [scroller()?.scrollTop ?? 0, scroller()?.scrollLeft ?? 0];
  places = spans.map((held) => {
    if (!held.length) return null;
    const first = held[0].getBoundingClientRect();
    const last = held.length > 1 ? held[held.length - 1].getBoundingClientRect() : first;
    if (!first.height && !last.height) return null;
    return [first.top + top, last.bottom + top, Math.min(first.left, last.left) + left, Math.max(first.right, last.right) + left];
  });
  return places;
}

/** Discard the measured positions, because the frame was resized. */
export function forgetPlaces() {
  places = null;
}

/** Scroll to a block unless it is fully visible. Returns whether the block is displayed at all. */
export function scrollToBlock(row, isAtOnce = false) {
  const span = spans[row]?.find((each) => each.getClientRects().length);
  if (!span) return false;
  const box = span.getBoundingClientRect();
  const height = frame.contentWindow.innerHeight;
  if (box.top < 0 || box.bottom > height) {
    const calm = isAtOnce || matchMedia("(prefers-reduced-motion: reduce)").matches || Math.abs(box.top) > 4 * height;
    const target = scroller().scrollTop + box.top - height / 3;
    scroller().scrollTo({ top: target, behavior: calm ? "auto" : "smooth" });
  }
  return true;
}

/** Highlight a block for a moment. */
export function flashBlock(row) {
  scrollToBlock(row);
  for (const span of spans[row] ?? []) {
    span.classList.add("flash");
    setTimeout(() => span.classList.remove("flash"), 1200);
  }
}

/** Draw a box around a block: one element over the page, so that the page itself does not change. */
function drawBox(name, row) {
  const inside = frame.contentDocument;
  const held = spans[row]?.filter((span) => span.getClientRects().length) ?? [];
  let box = inside?.getElementById(name);
  if (!held.length) return box?.remove();
  if (!box) {
    box = inside.createElement("bm-box");
    box.id = name;
    inside.documentElement.append(box);
  }
  const edges = held.map((span) => span.getBoundingClientRect());
  const left = Math.min(...edges.map((edge) => edge.left)) + frame.contentWindow.scrollX - 5;
  const top = Math.min(...edges.map((edge) => edge.top)) + frame.contentWindow.scrollY - 4;
  const right = Math.max(...edges.map((edge) => edge.right)) + frame.contentWindow.scrollX + 5;
  const bottom = Math.max(...edges.map((edge) => edge.bottom)) + frame.contentWindow.scrollY + 4;
  const place = { left, top, width: right - left, height: bottom - top };
  for (const [name, value] of Object.entries(place)) box.style.setProperty(name, `${value}px`, "important");
  return undefined;
}

function drawBoxes() {
  drawBox("bm-selected", read("selected"));
  drawBox("bm-hovered", read("hovered") === read("selected") ? -1 : read("hovered"));
}

/** Draw a small label beside each visible block, `write(row)` or none if that is empty; null removes all labels. */
export function drawBadges(write) {
  const inside = frame.contentDocument;
  const held = [];
  const [left, width] = [scroller()?.scrollLeft ?? 0, scroller()?.clientWidth ?? 0];
  const isLeft = inside?.documentElement && inside.defaultView.getComputedStyle(inside.documentElement).direction === "rtl"; // after the end of the text
  for (const row of write ? listVisible() : []) {
    const place = measurePlaces()[row];
    const text = place ? write(row) : "";
    if (!text) continue;
    const badge = inside.createElement("bm-badge");
    badge.textContent = text;
    badge.style.setProperty("top", `${place[0]}px`, "important");
    const at = isLeft ? Math.max(place[2] - BADGE_WIDTH, left) : Math.min(place[3] + 6, left + width - BADGE_WIDTH);
    badge.style.setProperty("left", `${at}px`, "important");
    held.push(badge);
  }
  for (const old of inside?.querySelectorAll("bm-badge") ?? []) old.remove();
  inside?.documentElement.append(...held);
}

subscribe("selected", drawBoxes);
subscribe("hovered", drawBoxes);
new ResizeObserver(() => { if (spans.length) drawBoxes(); }).observe(frame);
