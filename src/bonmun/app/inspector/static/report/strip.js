// A small chart of the scores along a page.

import { say } from "../core/strings.js";

const SPACE = "http://www.w3.org/2000/svg";

/** Draw the scores along a page: up where blocks are kept, lower where they are dropped. */
export function drawStrip(cells) {
  const picture = document.createElementNS(SPACE, "svg");
  const kept = cells.filter((cell) => cell > 0).length;
  picture.setAttribute("viewBox", `0 0 ${Math.max(cells.length, 1) * 3} 24`);
  picture.setAttribute("preserveAspectRatio", "none");
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", say("reportParts", { kept, count: cells.length }));
  picture.setAttribute("class", "strip");
  for (const look of ["kept", "dropped"]) {
    const path = document.createElementNS(SPACE, "path");
    const lines = cells.map((cell, at) => {
      if ((cell > 0) !== (look === "kept")) return "";
      return look === "kept" ? `M${at * 3} 12v${-cell * 0.12}h2.4V12z` : `M${at * 3} 12v${-cell * 0.08}h2.4V12z`;
    });
    path.setAttribute("d", lines.join(""));
    path.setAttribute("class", look);
    picture.append(path);
  }
  return picture;
}
