// The minimap: every block at its position, coloured by its score; a border shows the visible part.

import { find } from "../core/dom.js";
import { forgetPlaces, listen, measurePlaces, scroller } from "./frame.js";
import { read, subscribe } from "../core/state.js";

const MAX_VIEWPORTS = 2; // maximum width of the page that is drawn, in viewports
const MAX_SHARE = 0.4; // of the height of the map that a block may fill with its colour
let waiting = false;

function draw() {
  waiting = false;
  const canvas = find("minimap");
  const inside = scroller();
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (!inside || !width || !height) return;
  const scale = devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, width, height);
  const whole = Math.max(inside.scrollHeight, 1);
  const wide = Math.min(Math.max(inside.scrollWidth, 1), MAX_VIEWPORTS * Math.max(inside.clientWidth, 1));
  drawBlocks(pen, (width - 6) / wide, height / whole);
  const style = getComputedStyle(canvas);
  pen.strokeStyle = style.getPropertyValue("--ink");
  pen.lineWidth = 1.5;
  const top = (inside.scrollTop / whole) * height;
  pen.strokeRect(1, top + 1, width - 2, Math.max((inside.clientHeight / whole) * height - 2, 6));
  const reach = Math.max(whole - inside.clientHeight, 1);
  canvas.setAttribute("aria-valuenow", String(Math.round((inside.scrollTop / reach) * 100)));
}

function drawBlocks(pen, across, down) {
  const answer = read("shown");
  const blocks = read("blocks");
  if (!answer || answer.kept.length !== blocks.length) return;
  const style = getComputedStyle(find("minimap"));
  const inks = { kept: style.getPropertyValue("--kept"), dropped: style.getPropertyValue("--dropped") };
  const places = measurePlaces();
  const comments = new Set(answer.comments);
  const violet = style.getPropertyValue("--comment");
  const tall = MAX_SHARE * find("minimap").clientHeight;
  const rows = places.flatMap((place, row) => (place ? [row] : []));
  const isTall = (row) => (places[row][1] - places[row][0]) * down > tall;
  for (const row of [...rows.filter(isTall), ...rows.filter((each) => !isTall(each))]) { // others are drawn over tall ones
    const place = places[row];
    const kept = answer.kept[row];
    pen.fillStyle = kept ? inks.kept : comments.has(row) ? violet : inks.dropped;
    pen.globalAlpha = kept ? 0.25 + 0.7 * answer.scores[row] : 0.2 + 0.4 * (1 - answer.scores[row]);
    const [top, bottom, left, right] = place;
    if (isTall(row)) pen.fillRect(0, top * down, 3, (bottom - top) * down); // a line at the edge, and a tint
    if (isTall(row)) pen.globalAlpha *= 0.25;
    pen.fillRect(3 + left * across, top * down, Math.max((right - left) * across, 1.5), Math.max((bottom - top) * down - 0.5, 0.8));
  }
  pen.globalAlpha = 1;
}

/** Redraw once before the next animation frame. */
function redraw() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(draw);
}

function jump(event) {
  const canvas = find("minimap");
  const inside = scroller();
  if (!inside) return;
  const share = (event.clientY - canvas.getBoundingClientRect().top) / canvas.clientHeight;
  inside.scrollTop = share * inside.scrollHeight - inside.clientHeight / 2;
}

export function startMinimap() {
  const canvas = find("minimap");
  canvas.addEventListener("pointerdown", (event) => { canvas.setPointerCapture(event.pointerId); jump(event); });
  canvas.addEventListener("pointermove", (event) => { if (event.buttons & 1) jump(event); });
  canvas.addEventListener("keydown", (event) => {
    const inside = scroller();
    const page = inside ? inside.clientHeight * 0.9 : 0;
    const by = { ArrowDown: 60, ArrowUp: -60, PageDown: page, PageUp: -page, Home: -1e9, End: 1e9 }[event.key];
    if (!by || !inside) return;
    inside.scrollTop += by;
    event.preventDefault();
  });
  listen("scroll", redraw);
  subscribe("shown", redraw);
  document.addEventListener("theme", redraw);
  new ResizeObserver(() => { forgetPlaces(); redraw(); }).observe(canvas);
}
