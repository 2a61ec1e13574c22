// Shows an HTML document of bonmun: rebuilt from allowed tags only, so that nothing of a page gets into this one.

import { make } from "../core/dom.js";
import { say } from "../core/strings.js";

const TAGS = new Set(("a article aside b blockquote br caption cite code dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i " +
  "ins kbd li main mark ol p pre q s samp section small span strong sub summary sup table tbody td tfoot th thead time tr u ul var").split(" "));
const DROPPED = new Set("head script style template title meta link iframe object embed svg math noscript form input button".split(" "));
const MAX_DEPTH = 200; // deeper elements are shown as text

/** Return the content of an HTML document as nodes. */
export function renderHtml(html) {
  const parsed = new DOMParser().parseFromString(html, "text/html"); // runs and loads nothing
  const place = document.createDocumentFragment();
  copyChildren(parsed.body, place, 0);
  return place;
}

function copyChildren(from, to, depth) {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) to.append(node.data);
    else if (node.nodeType === Node.ELEMENT_NODE) copyElement(node, to, depth);
  }
}

function copyElement(element, to, depth) {
  const tag = element.localName;
  if (DROPPED.has(tag)) return;
  if (tag === "img") {
    to.append(makeImage(element));
    return;
  }
  if (depth > MAX_DEPTH) {
    to.append(element.textContent);
    return;
  }
  const place = TAGS.has(tag) ? make(tag, listAttributes(element, tag)) : null;
  copyChildren(element, place ?? to, depth + 1);
  if (place) to.append(place);
}

function listAttributes(element, tag) {
  if (tag === "td" || tag === "th") return { colspan: element.getAttribute("colspan"), rowspan: element.getAttribute("rowspan") };
  const href = element.getAttribute("href") ?? "";
  return tag === "a" && /^https?:/i.test(href) ? { href, target: "_blank", rel: "noopener noreferrer" } : {};
}

/** Return an image as its description: images are only loaded in the frame, and if the user allows it. */
function makeImage(element) {
  return make("span", { class: "image", title: element.getAttribute("src") }, `${say("image")} ${element.getAttribute("alt") ?? ""}`.trim());
}
