// Draw a box over each block, in a shadow root that the styles of the page cannot change. Kept blocks are outlined;
// colours run from red (score 0) to green (score 1).
(json) => {
  const root = document.createElement("bonmun-marks");
  root.style.cssText = "all: initial; position: absolute; left: 0; top: 0; z-index: 2147483647; pointer-events: none";
  const inside = root.attachShadow({ mode: "closed" });
  for (const [left, top, width, height, score, kept] of JSON.parse(json)) {
    const box = document.createElement("div");
    const hue = Math.round(130 * score);
    Object.assign(box.style, {
      position: "absolute", boxSizing: "border-box",
      left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px`,
      background: `hsla(${hue}, 85%, 45%, ${kept ? 0.16 : 0.1})`,
      border: kept ? `2px solid hsl(${hue}, 85%, 32%)` : `1px dotted hsla(${hue}, 85%, 40%, 0.5)`,
    });
    inside.append(box);
  }
  (document.body || document.documentElement).append(root);
  const at = root.getBoundingClientRect(); // the origin, if the body is positioned
  root.style.marginLeft = `${-at.left - window.scrollX}px`;
  root.style.marginTop = `${-at.top - window.scrollY}px`;
}
