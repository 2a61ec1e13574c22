// A click on a column header sorts the table by it; a second click reverses the order. Empty cells stay last.
for (const head of document.querySelectorAll("th")) {
  head.addEventListener("keydown", (event) => event.key === "Enter" && head.click());
  head.addEventListener("click", () => {
    const table = head.closest("table");
    const column = [...head.parentNode.children].indexOf(head);
    const before = head.getAttribute("aria-sort");
    const descending = before ? before === "ascending" : column > 0; // default: names from A to Z, scores best first
    for (const other of table.querySelectorAll("th")) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", descending ? "descending" : "ascending");
    const value = (row) => {
      const cell = row.children[column];
      if (cell.dataset.value !== undefined) return Number(cell.dataset.value);
      return cell.textContent === "" ? null : cell.textContent;
    };
    const body = table.tBodies[0];
    const compare = (one, other) => {
      const [a, b] = [value(one), value(other)];
      if (a === null || b === null) return (a === null) - (b === null);
      const order = typeof a === "number" ? a - b : String(a).localeCompare(String(b));
      return descending ? -order : order;
    };
    body.append(...[...body.rows].sort(compare));
  });
}
// The menu above a list of pages sets its order.
for (const menu of document.querySelectorAll("select[data-list]")) {
  menu.addEventListener("change", () => {
    const list = document.getElementById(menu.dataset.list);
    const [key, direction] = menu.value.split(" ");
    const items = [...list.children];
    items.sort((one, other) => {
      const [a, b] = [one.dataset[key], other.dataset[key]];
      return (direction === "up" ? 1 : -1) * (isNaN(a) ? a.localeCompare(b) : a - b);
    });
    list.append(...items);
  });
}
