// The tabs of the panels: arrow keys move between them, digits open them.

import { find } from "../core/dom.js";
import { bind } from "../core/keys.js";
import { read, set, subscribe } from "../core/state.js";
import { say } from "../core/strings.js";

function listTabs() {
  return [...find("tabs").querySelectorAll("[role=tab]:not([hidden])")];
}

/** Open a panel by its id, and show its tab if it was hidden. */
export function openTab(name) {
  find(`tab-${name}`).hidden = false;
  set("tab", name);
}

function showTab() {
  const name = read("tab");
  for (const tab of listTabs()) {
    const isOpen = tab.getAttribute("aria-controls") === name;
    tab.setAttribute("aria-selected", String(isOpen));
    tab.tabIndex = isOpen ? 0 : -1;
    find(tab.getAttribute("aria-controls")).hidden = !isOpen;
  }
}

export function startTabs() {
  find("tabs").addEventListener("click", (event) => {
    const tab = event.target.closest("[role=tab]");
    if (tab) set("tab", tab.getAttribute("aria-controls"));
  });
  find("tabs").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const tabs = listTabs();
    const at = tabs.findIndex((tab) => tab.getAttribute("aria-controls") === read("tab"));
    const next = tabs[(at + step + tabs.length) % tabs.length];
    set("tab", next.getAttribute("aria-controls"));
    next.focus();
    event.preventDefault();
  });
  for (let digit = 1; digit <= 9; digit += 1) {
    bind(String(digit), digit === 1 ? say("keyPanel") : "", () => {
      const tab = listTabs()[digit - 1];
      if (!tab) return false;
      set("tab", tab.getAttribute("aria-controls"));
      tab.focus();
      return true;
    }, "1 … 9");
  }
  subscribe("tab", showTab);
  showTab();
}
