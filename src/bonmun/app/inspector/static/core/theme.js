// Dark or light theme: the system's, until the user chooses one.

import { find } from "./dom.js";
import { bind } from "./keys.js";
import { say } from "./strings.js";

const NAME = "bonmun-theme";
const system = matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : system.matches;
}

function showTheme() {
  find("theme-switch").textContent = say(isDark() ? "themeLight" : "themeDark");
  document.dispatchEvent(new CustomEvent("theme"));
}

function remember(value) {
  try { localStorage.setItem(NAME, value); } catch { /* storage is disabled */ }
}

function recall() {
  try { return localStorage.getItem(NAME); } catch { return null; }
}

export function startTheme() {
  const chosen = recall();
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
  find("theme-switch").addEventListener("click", () => {
    const next = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    remember(next);
    showTheme();
  });
  bind("t", say("keyTheme"), () => find("theme-switch").click());
  system.addEventListener("change", showTheme);
  showTheme();
}
