// Sends every change to the server at once, one at a time; what could not be sent waits, also over a reload.
//
// The state that is shown: "start" (nothing was changed yet), "saved", "saving", "waiting" (the server does not answer).

import { get, post } from "../core/api.js";

const AGAIN = 1500; // milliseconds before the server is asked again
const REFUSED = new Set([404, 413, 422]); // to send it again would not help
const STORED = "bonmun-labels ";

/** The changes of one page on their way to the server. */
export class Saving {
  /**
   * @param {number} number of the page   @param {object} draft what the server knows: revision, labels, note, seconds
   * @param {{onState: Function, onTaken: Function}} hears `onTaken` gets labels that another window has changed
   */
  constructor(number, draft, hears) {
    this.number = number;
    this.draft = draft;
    this.hears = hears;
    this.since = performance.now();
    this.isSending = false;
    this.isOver = false;
    this.pending = this.#recall();
    this.state = draft.revision ? "saved" : "start";
  }

  /** What was changed and not yet sent: {labels, whole?, note?}, or null. */
  get hasPending() {
    return Boolean(this.pending);
  }

  /** Seconds that somebody has looked at this page, in all. */
  get seconds() {
    return Math.round((this.draft.seconds + (performance.now() - this.since) / 1000) * 10) / 10;
  }

  /**
   * Add a change, and send it. A whole one says all labels, which the first change of a page does; `gesture` is then
   * what the person has changed.
   */
  add(change, gesture = change.labels) {
    this.last = { ...(this.isSending || this.pending ? this.last : {}), ...gesture };
    const before = change.whole ? {} : this.pending?.labels ?? {};
    this.pending = { ...this.pending, ...change, labels: { ...before, ...change.labels } };
    this.state = "saving";
    setTimeout(() => { this.#store(); this.send(); }); // after the screen shows it: a large page takes a moment to write
  }

  /** Send what waits; gives whether all is saved. */
  async send(action = "") {
    if (this.isSending) return this.sent.then(() => this.send(action));
    if (!this.pending && !action) return true;
    this.isSending = true;
    this.sent = this.#send(action).finally(() => { this.isSending = false; });
    const went = await this.sent;
    return went && this.pending && !this.isOver ? this.send() : went;
  }

  async #send(action) {
    const change = this.pending ?? {};
    this.pending = null;
    this.#tell("saving");
    try {
      const value = { ...change, revision: this.draft.revision, seconds: this.seconds };
      const said = await post(`labels/${this.number}${action ? `/${action}` : ""}`, value);
      this.since = performance.now();
      this.draft = said;
      this.#store();
      this.#tell("saved");
      return said;
    } catch (problem) {
      this.pending = this.pending ? merge(change, this.pending) : change;
      this.#store();
      if (problem.status === 409 && await this.#takeOver()) return this.#send(action);
      this.#tell("waiting", problem);
      if (action) throw problem;
      if (!REFUSED.has(problem.status)) setTimeout(() => { if (!this.isOver) this.send(); }, AGAIN);
      return false;
    }
  }

  /** Another window was faster: take its labels, and put what was done here on top of them; false if that failed. */
  async #takeOver() {
    const newer = await get(`labels/${this.number}`).catch(() => null);
    if (!newer) return false;
    this.draft = newer;
    if (this.pending.whole) this.pending = { ...this.pending, labels: this.last ?? {}, whole: false };
    this.hears.onTaken({ ...newer.labels, ...this.pending.labels });
    return true;
  }

  /** See whether another window has changed this page; what it did is taken over. */
  async refresh() {
    if (this.isSending || this.pending) return;
    const newer = await get(`labels/${this.number}`).catch(() => null);
    if (!newer || this.pending || newer.revision <= this.draft.revision) return;
    this.draft = newer;
    this.hears.onTaken(newer.labels);
    this.#tell("saved");
  }

  /** This page is left: nothing is sent again by itself, but what waits stays where a reload finds it. */
  stop() {
    this.isOver = true;
    this.#store();
  }

  #tell(state, problem = null) {
    this.state = state;
    this.problem = problem;
    if (!this.isOver) this.hears.onState(this);
  }

  #store() {
    try {
      if (this.pending) sessionStorage.setItem(STORED + this.draft.name, JSON.stringify(this.pending));
      else sessionStorage.removeItem(STORED + this.draft.name);
    } catch { /* a full storage: the change is still in memory */ }
  }

  #recall() {
    try { return JSON.parse(sessionStorage.getItem(STORED + this.draft.name)); } catch { return null; }
  }
}

function merge(first, second) {
  if (second.whole) return second;
  return { ...first, ...second, labels: { ...first.labels, ...second.labels } };
}
