// Count what a page shows, in one pass; runs in an isolated world. Returns [changes so far, characters of text,
// characters of visible text outside links and buttons, whether scripts or frames may add more].
(maxNodes, maxChars) => {
  const state = (globalThis.bonmunState ??= { changes: 0 });
  if (!state.observer) {
    state.observer = new MutationObserver(() => { state.changes += 1; });
    state.observer.observe(document, { subtree: true, childList: true, characterData: true });
  }
  const SKIPPED = new Set("script style noscript template iframe textarea select svg head".split(" "));
  const CONTROLS = new Set("a button nav label option".split(" "));
  let chars = 0, plain = 0, count = 0, frames = 0;
  const stack = [[document.documentElement, false]];
  while (stack.length && count++ < maxNodes) {
    const [node, isControl] = stack.pop();
    if (!node) continue;
    for (let child = node.firstChild; child && count++ < maxNodes; child = child.nextSibling) {
      if (child.nodeType === 3) {
        const size = child.data.trim().length;
        chars += size;
        if (!isControl && plain <= maxChars && size && node.checkVisibility?.({ visibilityProperty: true }) !== false) plain += size;
      } else if (child.nodeType === 1) {
        const tag = child.localName;
        if (tag === "iframe" || tag === "frame") {
          frames += 1;
          let inside = null;
          try { inside = child.contentDocument; } catch { inside = null; }
          if (inside && inside.documentElement) stack.push([inside.documentElement, isControl]);
        } else if (!SKIPPED.has(tag)) {
          stack.push([child, isControl || CONTROLS.has(tag)]);
          if (child.shadowRoot) stack.push([child.shadowRoot, isControl]);
        }
      }
    }
  }
  return [state.changes, chars, plain, document.scripts.length > 0 || frames > 0];
}
