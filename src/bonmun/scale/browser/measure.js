// Measure the rendered DOM in one pass; runs in an isolated world. Returns a JSON string: the current HTML, with a number
// for each element in the attribute data-bonmun, and columns with one row for each number.
//
// Properties are read with the getters of the prototypes, which belong to the isolated world: a form may have fields named
// "childNodes" or "attributes", which would hide the properties of the form.
(maxElements, maxChars, end) => {
  const getter = (type, name) => Function.prototype.call.bind(Object.getOwnPropertyDescriptor(type.prototype, name).get);
  const firstChild = getter(Node, "firstChild"), nextSibling = getter(Node, "nextSibling");
  const nodeType = getter(Node, "nodeType"), childNodes = getter(Node, "childNodes");
  const data = getter(CharacterData, "data"), localName = getter(Element, "localName");
  const attributes = getter(Element, "attributes"), shadowRoot = getter(Element, "shadowRoot");
  const contentDocument = getter(HTMLIFrameElement, "contentDocument");
  const getRect = Function.prototype.call.bind(Element.prototype.getBoundingClientRect);
  const getRects = Function.prototype.call.bind(Element.prototype.getClientRects);

  const VOID = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
  const UNSEEN = new Set("iframe noembed noframes style template".split(" ")); // their content is shown elsewhere, or never
  const escapeText = (text) => text.replace(/[&<>\u00a0]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", "\u00a0": "&nbsp;" })[c]);
  const escapeValue = (text) => text.replace(/[&"\u00a0]/g, (c) => ({ "&": "&amp;", '"': "&quot;", "\u00a0": "&nbsp;" })[c]);
  const tenths = (pixels) => (pixels > -1e8 && pixels < 1e8 ? Math.round(pixels * 10) : pixels > 0 ? 1e9 : -1e9);

  const html = [], left = [], top = [], width = [], height = [], visible = [], hidden = [], children = [], styles = [];
  const looks = [], known = new Map();
  let chars = 0, cut = false;

  const write = (text) => { chars += text.length; html.push(text); };

  // Return the computed style of an element as a number in a list of distinct styles. A transparent background is that of
  // the element behind.
  const look = (element, behind) => {
    const style = getComputedStyle(element);
    const own = style.backgroundColor;
    const background = own === "rgba(0, 0, 0, 0)" || own === "transparent" ? behind : own;
    const key = [style.display, style.position, style.fontSize, style.fontWeight, style.color, background].join("|");
    let number = known.get(key);
    if (number === undefined) {
      number = looks.length;
      known.set(key, number);
      looks.push([style.display, style.position, parseFloat(style.fontSize) || 0, parseInt(style.fontWeight) || 400, style.color, background]);
    }
    return [number, background, style.display === "none", style.visibility !== "visible"];
  };

  // An element is hidden if it or an ancestor has `display: none`, or if it is not `visibility: visible`. Opacity and
  // positions off the screen do not count, since pages fade their text in.
  const open = (element, tag, where) => {
    const rect = getRect(element);
    const isVisible = rect.width > 0 || rect.height > 0 || getRects(element).length > 0;
    let number = -1, background = where.background, isNone = where.isNone, isFaint = false;
    if (!isNone) [number, background, isNone, isFaint] = look(element, background);
    if (tag === "noscript" && !isVisible) isNone = true;
    const box = isVisible ? rect : { left: -where.x, top: -where.y, width: 0, height: 0 };
    left.push(tenths(box.left + where.x)); top.push(tenths(box.top + where.y));
    width.push(tenths(box.width)); height.push(tenths(box.height));
    hidden.push(isNone || isFaint ? 1 : 0);
    visible.push(isVisible ? 1 : 0); children.push(childNodes(element).length); styles.push(number);
    let text = `<${tag} data-bonmun="${left.length - 1}"`;
    for (const attribute of attributes(element)) {
      const name = attribute.name;
      if (name !== "data-bonmun" && name !== "srcdoc" && !/[\s"'<>\/=\0]/.test(name)) text += ` ${name}="${escapeValue(attribute.value)}"`;
    }
    write(text + ">");
    return { ...where, background, isNone };
  };

  // What is left to write: nodes, and end tags as strings.
  const stack = [];
  const pushChildren = (parent, where) => {
    const found = [];
    for (let child = firstChild(parent); child; child = nextSibling(child)) found.push([child, where]);
    for (let i = found.length - 1; i >= 0; i--) stack.push(found[i]);
  };
  const visit = (node, where) => {
    const type = nodeType(node);
    if (type === 3 || type === 4) return write(escapeText(data(node)));
    if (type !== 1) return undefined;
    if (left.length >= maxElements || chars > maxChars) { cut = true; return undefined; }
    let tag = localName(node);
    if (!/^[a-z][^\s"'<>\/\0]*$/i.test(tag)) tag = "unknown-element";
    if (tag === "plaintext" || tag === "listing" || tag === "xmp") tag = "pre";
    let frame = null;
    if (tag === "iframe") {
      try { frame = contentDocument(node); } catch { frame = null; }
    }
    const isFrame = frame && frame.body && getRects(node).length > 0;
    const inside = open(node, isFrame ? "div" : tag, where);
    if (VOID.has(tag)) return undefined;
    stack.push(`</${isFrame ? "div" : tag}>`);
    if (isFrame) {
      const box = getRect(node);
      inside.x += box.left + node.clientLeft;
      inside.y += box.top + node.clientTop;
      pushChildren(frame.body, inside);
    } else if (tag === "script") {
      const kind = node.getAttribute("type") || "";
      if (/json/i.test(kind)) write(String(node.textContent).replace(/<\//g, "<\\/"));
    } else if (UNSEEN.has(tag) || (tag === "noscript" && inside.isNone)) {
      return undefined; // with scripts enabled, the content of <noscript> is plain text
    } else {
      if (/^(pre|textarea)$/.test(tag) && firstChild(node) && nodeType(firstChild(node)) === 3 && data(firstChild(node))[0] === "\n") write("\n");
      pushChildren(node, inside);
      const shadow = shadowRoot(node);
      if (shadow) {
        stack.push("</template>");
        pushChildren(shadow, inside);
        stack.push('<template shadowrootmode="open">');
      }
    }
    return undefined;
  };

  const root = document.documentElement;
  if (root) {
    stack.push([root, { x: window.scrollX, y: window.scrollY, background: "rgb(255, 255, 255)", isNone: false }]);
    while (stack.length) {
      const next = stack.pop();
      if (typeof next === "string") write(next);
      else visit(next[0], next[1]);
    }
  }
  let isWhole = false; // whether the comment after the end of the page was parsed
  const comments = document.createTreeWalker(document, NodeFilter.SHOW_COMMENT);
  while (comments.nextNode()) isWhole ||= data(comments.currentNode) === end;
  const body = document.body;
  const size = [Math.max(root ? root.scrollWidth : 0, body ? body.scrollWidth || 0 : 0), Math.max(root ? root.scrollHeight : 0, body ? body.scrollHeight || 0 : 0)];
  const doctype = document.compatMode === "BackCompat" ? "" : "<!DOCTYPE html>";
  return JSON.stringify({
    html: doctype + html.join(""), cut, isWhole, url: document.URL, looks,
    viewport: [window.innerWidth, window.innerHeight], page: size,
    left, top, width, height, visible, hidden, children, styles,
  });
}
