// The page for people: extracts a page by its URL, or HTML, and shows text, Markdown, metadata, objects and outline.

import { copy, find, make } from "./inspector/core/dom.js";
import { renderHtml } from "./inspector/panels/rendered.js";
import { ask, setToken } from "./service.js";

const KEY_NAME = "bonmun-key"; // as in the inspector
const SHOWN = ["title", "authors", "date", "modified", "language", "site_name", "publisher", "kind", "confidence", "description", "tags", "categories",
  "canonical", "image", "licence", "feeds", "reading_minutes", "url", "encoding", "method"];
const TABS = [...document.querySelectorAll('[role="tab"]')];
const LOCAL_HOST = /^(localhost|127\.[\d.]+|\[::1\])(:\d+)?(\/|$)/i; // mostly without TLS
const MAX_OUTLINE_LINES = 2000;

let sent = null; // what the result is of: {url} or {html}
let shown = null; // the result
let lastRequest = 0; // late responses to older requests are dropped

function findKey() {
  const given = new URLSearchParams(location.hash.slice(1)).get("key");
  if (given) {
    sessionStorage.setItem(KEY_NAME, given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem(KEY_NAME) ?? "";
}

function showProblem(problem) {
  find("problem").textContent = problem?.message ?? "";
  if (problem?.status === 401) {
    find("token-line").hidden = false;
    find("token").focus();
  }
}

async function readInput() {
  const file = find("file").files[0];
  if (file) return { html: file };
  const url = find("url").value.trim();
  if (url && !url.startsWith("<")) return { url: /^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url : `${LOCAL_HOST.test(url) ? "http" : "https"}://${url}` };
  const html = url || find("html").value;
  return html.trim() ? { html } : null;
}

async function submit(event) {
  event.preventDefault();
  showProblem(null);
  if (find("token").value) setToken(find("token").value);
  const input = await readInput();
  if (!input) return showProblem({ message: "There is nothing to extract: type a URL, or paste HTML." });
  const number = ++lastRequest;
  find("status").textContent = "Extracting …";
  try {
    const values = await ask("/show", { method: "POST", ...makeBody(input, renders === "yes" ? { render: "auto" } : {}) });
    if (number !== lastRequest) return;
    [sent, shown] = [input, values];
    show();
  } catch (problem) {
    if (number !== lastRequest) return;
    find("result").hidden = true; // it would look like the result of this request
    showProblem(problem);
  } finally {
    if (number === lastRequest) find("status").textContent = "";
  }
}

/** Return the body of a request: the URL as JSON, or the page. */
function makeBody(input, more) {
  if (input.url) return { headers: { "Content-Type": "application/json" }, body: JSON.stringify({ url: input.url, ...more }) };
  return { headers: { "Content-Type": input.html instanceof Blob ? "text/html" : "text/html; charset=utf-8" }, body: input.html };
}

function show() {
  const { document: doc, html, words, tokens, sections } = shown;
  find("title").textContent = doc.title || "Untitled";
  const facts = [doc.authors.join(", "), doc.date, doc.site_name, doc.kind, `${words.toLocaleString("en-US")} words`, `about ${tokens.toLocaleString("en-US")} tokens`];
  find("facts").textContent = facts.filter(Boolean).join(" · ");
  const empty = make("p", { class: "quiet" }, doc.hint ?? "This page has no main text.");
  find("panel-rendered").replaceChildren(doc.markdown ? renderHtml(html) : empty);
  find("markdown").textContent = doc.markdown;
  find("panel-metadata").replaceChildren(makeTable(SHOWN.map((name) => [name, doc[name]])));
  find("panel-objects").replaceChildren(...makeObjects(doc.objects ?? []));
  find("panel-outline").replaceChildren(makeOutline(sections));
  find("tab-objects").textContent = `Objects (${(doc.objects ?? []).length})`;
  find("result").hidden = false;
  choose(TABS[0]);
  showCommands();
  find("result").focus();
}

function isEmpty(value) {
  return value === null || value === undefined || value === "" || (Array.isArray(value) && !value.length);
}

function makeTable(rows) {
  const body = rows.filter(([, value]) => !isEmpty(value)).map(([name, value]) =>
    make("tr", {}, make("th", { scope: "row" }, name.replaceAll("_", " ")), make("td", {}, showValue(value))));
  return make("table", { class: "values" }, make("tbody", {}, ...body));
}

/** Return a value as text or nodes: lists of texts, and of objects with a text or a name, as those. */
function showValue(value) {
  if (Array.isArray(value)) {
    const texts = value.map(showValue);
    return texts.some((text) => text.length > 40) || value.some((each) => typeof each === "object") ? texts.join("\n") : texts.join(", ");
  }
  if (typeof value !== "object" || value === null) return String(value);
  return String(value.text ?? value.name ?? JSON.stringify(value));
}

function makeObjects(objects) {
  if (!objects.length) return [make("p", { class: "quiet" }, "No recipe, product, event or other object was found on this page.")];
  return objects.map((each) => {
    const rows = Object.entries(each.fields ?? {}).map(([name, field]) => [name, field.value]);
    return make("div", {}, make("h3", {}, each.type), makeTable(rows));
  });
}

function makeOutline(sections) {
  const lines = sections.slice(0, MAX_OUTLINE_LINES).map((each) => {
    const item = make("li", {}, `${each.number}. ${each.title} `, make("span", { class: "quiet" }, `${each.words.toLocaleString("en-US")} words`));
    item.style.setProperty("padding-inline-start", `${each.level * 14}px`);
    return item;
  });
  return make("ol", { class: "outline" }, ...lines);
}

/** Show the panel of a tab. */
function choose(tab) {
  for (const each of TABS) {
    each.setAttribute("aria-selected", String(each === tab));
    each.tabIndex = each === tab ? 0 : -1;
    find(each.getAttribute("aria-controls")).hidden = each !== tab;
  }
}

function moveTab(event) {
  const steps = { ArrowRight: 1, ArrowLeft: -1, Home: -TABS.length, End: TABS.length };
  if (!(event.key in steps)) return;
  event.preventDefault();
  const at = TABS.indexOf(event.target) + steps[event.key];
  const wraps = Math.abs(steps[event.key]) === 1;
  const next = TABS[wraps ? (at + TABS.length) % TABS.length : Math.min(Math.max(at, 0), TABS.length - 1)];
  choose(next);
  next.focus();
}

/** Open the page of the result in the inspector. */
async function inspect() {
  const key = findKey();
  if (!key) return showProblem({ message: "To use the inspector, open the address with a key that bonmun printed when it started." });
  try {
    const { headers, body } = makeBody(sent);
    const query = sent.url ? "" : `?name=${encodeURIComponent(sent.html.name ?? shown.document.title ?? "page")}`;
    const { number } = await ask(`/inspector/api/open${query}`, { method: "POST", headers: { ...headers, "X-Bonmun-Key": key }, body });
    location.assign(`/inspector/?page=${number}`);
  } catch (problem) {
    showProblem(problem);
  }
}

/** Return a text as one word for a shell, with quotation marks if it needs them. */
function quote(text) {
  return /^[\w:/.@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function showCommands() {
  const url = sent?.url ?? "https://example.org/article";
  const lines = [quote(`${location.origin}/${url}`), quote(`${location.origin}/json/${url}`)].map((address) => `curl ${address}`);
  if (!canFetch) lines.splice(0, 2);
  find("commands").textContent = [...lines, `curl --data-binary @page.html '${location.origin}/extract?format=markdown'`].join("\n");
}

const { fetches, inspector, renders } = document.documentElement.dataset;
const canFetch = fetches === "yes";
find("no-fetch").hidden = canFetch;
if (!canFetch) {
  find("paste").open = true;
  find("url").disabled = true;
  find("html").focus();
}
for (const id of ["inspector-link", "inspect"]) find(id).hidden = inspector !== "yes";
findKey();
showCommands();
find("form").addEventListener("submit", submit);
find("copy").addEventListener("click", () => copy(shown.document.markdown, "Copied."));
find("inspect").addEventListener("click", inspect);
for (const tab of TABS) {
  tab.addEventListener("click", () => choose(tab));
  tab.addEventListener("keydown", moveTab);
}
