// Sends every change to the server at once, one at a time; unsent changes are kept, even across a reload.
//
// States: "start" (nothing changed yet), "saved" (all of it is on disk), "saving", "waiting" (the server does not respond),
// "refused" (it does not accept the change).

import { get, post } from "../core/api.js";

const RETRY_MS = 1500; // milliseconds before a retry
const REFUSED = new Set([404, 413, 422]); // sending again would not help
const STORED = "bonmun-labels ";

/** The changes of one page on their way to the server. */
export class Saving {
  /**
   * @param {number} number of the page   @param {object} draft on the server: revision, labels, note, seconds
   * @param {{onState: Function, onTaken: Function}} listeners `onTaken` gets labels that another window has changed
   */
  constructor(number, draft, listeners) {
    this.number = number;
    this.draft = draft;
    this.listeners = listeners;
    this.since = performance.now();
    this.isSending = false;
    this.isOver = false;
    this.isTyping = false; // a note that is not sent yet
    this.pending = this.#recall();
    this.state = this.pending ? "saving" : draft.revision ? "saved" : "start";
  }

  /** Whether there are unsent changes: {labels, whole?, note?}. */
  get hasPending() {
    return Boolean(this.pending);
  }

  /** Total seconds spent on this page. */
  get seconds() {
    return Math.round((this.draft.seconds + (performance.now() - this.since) / 1000) * 10) / 10;
  }

  /**
   * Add a change, and send it. The first change of a page is whole: it contains all labels, and `gesture` is what the person
   * has changed.
   */
  add(change, gesture = change.labels) {
    if (change.note !== undefined) this.isTyping = false;
    this.last = { ...(this.isSending || this.pending ? this.last : {}), ...gesture };
    const before = change.whole ? {} : this.pending?.labels ?? {};
    this.pending = { ...this.pending, ...change, labels: { ...before, ...change.labels } };
    this.state = "saving";
    setTimeout(() => { this.#store(); this.send(); }); // after the screen is updated: a large page takes a moment to store
  }

  /** Say that something is being typed, which is not saved until it is added. */
  startTyping() {
    this.isTyping = true;
    this.#setState("saving");
  }

  /** Send unsent changes; returns whether everything is saved. */
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
    this.#setState("saving");
    try {
      const value = { ...change, revision: this.draft.revision, seconds: this.seconds };
      const draft = await post(`labels/${this.number}${action ? `/${action}` : ""}`, value);
      this.since = performance.now();
      this.draft = draft;
      this.#store();
      this.#setState(this.pending || this.isTyping ? "saving" : "saved");
      return draft;
    } catch (problem) {
      this.pending = this.pending ? merge(change, this.pending) : change;
      this.#store();
      if (problem.status === 409 && await this.#takeOver()) return this.#send(action);
      this.#setState(REFUSED.has(problem.status) ? "refused" : "waiting", problem);
      if (action) throw problem;
      if (this.state === "waiting") setTimeout(() => { if (!this.isOver) this.send(); }, RETRY_MS);
      return false;
    }
  }

  /** Another window has saved first: take its labels, and apply our changes to them; returns false if that failed. */
  async #takeOver() {
    const newer = await get(`labels/${this.number}`).catch(() => null);
    if (!newer) return false;
    this.draft = newer;
    if (this.pending.whole) this.pending = { ...this.pending, labels: this.last ?? {}, whole: false };
    this.listeners.onTaken({ ...newer.labels, ...this.pending.labels });
    return true;
  }

  /** Load changes made in another window, if there are any. */
  async refresh() {
    if (this.isSending || this.pending) return;
    const newer = await get(`labels/${this.number}`).catch(() => null);
    if (!newer || this.pending || newer.revision <= this.draft.revision) return;
    this.draft = newer;
    this.listeners.onTaken(newer.labels);
    this.#setState("saved");
  }

  /** Stop sending; unsent changes stay in the session storage. */
  stop() {
    this.isOver = true;
    this.#store();
  }

  #setState(state, problem = null) {
    this.state = state;
    this.problem = problem;
    if (!this.isOver) this.listeners.onState(this);
  }

  #store() {
    try {
      if (this.pending) sessionStorage.setItem(STORED + this.draft.name, JSON.stringify(this.pending));
      else sessionStorage.removeItem(STORED + this.draft.name);
    } catch { /* storage is full; the change is still in memory */ }
  }

  #recall() {
    try { return JSON.parse(sessionStorage.getItem(STORED + this.draft.name)); } catch { return null; }
  }
}

function merge(first, second) {
  if (second.whole) return second;
  return { ...first, ...second, labels: { ...first.labels, ...second.labels } };
}
