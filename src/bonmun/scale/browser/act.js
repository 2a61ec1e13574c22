// Act on a page as a reader would; runs in an isolated world. Returns what was found, or null for an invalid selector.
//   "find": whether the selector matches a visible element, a number
//   "click": clicks the next visible match; [matches, visible ones that were not clicked before, clicked or not]
//   "scroll": scrolls down by almost a screen; [whether it is at the end, height of the page]
//   "top": scrolls back to the top
(action, selector, mayRepeat, maxNodes) => {
  const state = (globalThis.bonmunActions ??= { clicked: new WeakSet(), last: null, label: "" });

  // Yield the page, its open shadow roots and the frames of the same site.
  const listRoots = () => {
    const roots = [document];
    let count = 0;
    for (let i = 0; i < roots.length && i < 1000; i++) {
      const walker = document.createTreeWalker(roots[i], NodeFilter.SHOW_ELEMENT);
      while (count++ < maxNodes && walker.nextNode()) {
        const element = walker.currentNode;
        if (element.shadowRoot instanceof ShadowRoot) roots.push(element.shadowRoot);
        else if (element instanceof HTMLIFrameElement) {
          try { if (element.contentDocument) roots.push(element.contentDocument); } catch { /* of another site */ }
        }
      }
    }
    return roots;
  };
  const isVisible = (element) => element.isConnected && element.getClientRects().length > 0 && element.checkVisibility({ visibilityProperty: true });
  const isToggle = (element) => element.localName === "summary" || element.hasAttribute("aria-expanded") || /^(checkbox|radio)$/.test(element.type || "");

  if (action === "find" || action === "click") {
    try { document.createDocumentFragment().querySelector(selector); } catch { return null; }
    let matches = 0, left = 0, next = null, visible = 0;
    for (const root of listRoots()) {
      for (const element of root.querySelectorAll(selector)) {
        if (++matches > maxNodes || !isVisible(element)) continue;
        visible += 1;
        if (action === "find") return visible;
        if (state.clicked.has(element)) continue;
        left += 1;
        next ??= element;
      }
    }
    if (action === "find") return visible;
    const canRepeat = mayRepeat && state.last && isVisible(state.last) && state.last.matches(selector) && !isToggle(state.last) && state.last.outerHTML === state.label;
    const element = next || (canRepeat ? state.last : null);
    if (!element) return [matches, left, false];
    state.clicked.add(element);
    state.last = element;
    state.label = element.outerHTML;
    element.click();
    return [matches, left, true];
  }

  // The page or, if it does not scroll, its largest part that does.
  const findScroller = () => {
    const root = document.scrollingElement || document.documentElement;
    if (root.scrollHeight > root.clientHeight + 1) return root;
    let best = root, area = 0, count = 0;
    const walker = document.createTreeWalker(document, NodeFilter.SHOW_ELEMENT);
    while (count++ < maxNodes && walker.nextNode()) {
      const element = walker.currentNode;
      if (element.scrollHeight <= element.clientHeight + 1 || element.clientHeight * element.clientWidth <= area) continue;
      if (!/auto|scroll/.test(getComputedStyle(element).overflowY)) continue;
      best = element;
      area = element.clientHeight * element.clientWidth;
    }
    return best;
  };
  const scroller = (state.scroller ??= findScroller());
  if (action === "top") {
    scroller.scrollTo({ top: 0, behavior: "instant" });
    return true;
  }
  scroller.scrollBy({ top: scroller.clientHeight * 0.9, behavior: "instant" });
  const found = () => [scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 2, scroller.scrollHeight];
  // lazy elements are noticed when a frame is drawn
  return new Promise((resolve) => {
    setTimeout(() => resolve(found()), 200);
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(found())));
  });
}
