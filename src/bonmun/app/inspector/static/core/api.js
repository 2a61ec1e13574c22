// Asks the server, with the key that was in the address; in a report, which has no server, asks the data in the page.

const KEY_NAME = "bonmun-key";
const offline = globalThis.bonmunPage; // set by the script of a report's page

/** What the server says where something is wrong: one sentence, and the name of the error. */
export class Problem extends Error {
  constructor(message, name = "Problem", status = 0) {
    super(message);
    this.name = name;
    this.status = status;
  }
}

/** Take the key out of the address: a fragment is never sent, and the history keeps none. */
function findKey() {
  const given = new URLSearchParams(location.hash.slice(1)).get("key");
  if (given) {
    sessionStorage.setItem(KEY_NAME, given);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return sessionStorage.getItem(KEY_NAME) ?? "";
}

const key = offline ? "" : findKey();
// A server that was started anew has another key; its address differs from this page's in the fragment alone.
if (!offline) addEventListener("hashchange", () => { if (location.hash.includes("key=")) { findKey(); location.reload(); } });

/** Whether this is a page of a report, in which nothing can be changed. */
export function isReport() {
  return Boolean(offline);
}

/** Ask for something under /inspector/api/, such as `pages/0`. */
export async function get(path) {
  if (offline) return takeOffline(path);
  return ask(path, { headers: { "X-Bonmun-Key": key } });
}

/** Send a value to something under /inspector/api/. */
export async function post(path, value) {
  return send(path, JSON.stringify(value), "application/json");
}

/** Send a body as it is, of a content type. */
export async function send(path, body, kind) {
  return ask(path, { method: "POST", headers: { "X-Bonmun-Key": key, "Content-Type": kind }, body });
}

async function ask(path, options) {
  let response;
  try {
    response = await fetch(`/inspector/api/${path}`, options);
  } catch {
    throw new Problem("The server does not answer. Is `bonmun inspect` still running?", "NoAnswer");
  }
  const said = await response.json().catch(() => null);
  if (!response.ok) {
    const { message, type } = said?.error ?? {};
    throw new Problem(message ?? `The server answered ${response.status}.`, type, response.status);
  }
  return said;
}

function takeOffline(path) {
  const [place, query] = path.split("?");
  const asked = new URLSearchParams(query);
  if (place === "pages") return { count: 1, pages: [{ number: 0, name: offline.page.name, url: offline.page.url }] };
  if (place.endsWith("/answer")) {
    const found = offline.answers[asked.get("method")];
    if (!found) throw new Problem("This report does not hold what that method says.");
    return found;
  }
  if (place.endsWith("/agreement")) return offline.agreement[`${asked.get("one")} ${asked.get("other")}`] ?? null;
  if (place.endsWith("/speaking")) {
    const found = offline.speaking?.[asked.get("block")];
    if (!found) throw new Problem("This report does not hold the features of blocks.");
    return found;
  }
  return offline.page;
}
