// A click on the head of a column sorts its table, a second one turns it around; empty cells stay last.
for (const head of document.querySelectorAll("th")) {
  head.addEventListener("keydown", (event) => event.key === "Enter" && head.click());
  head.addEventListener("click", () => {
    const table = head.closest("table");
    const column = [...head.parentNode.children].indexOf(head);
    const before = head.getAttribute("aria-sort");
    const down = before ? before === "ascending" : column > 0; // names from A to Z, figures best first
    for (const other of table.querySelectorAll("th")) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const value = (row) => {
      const cell = row.children[column];
      if (cell.dataset.value !== undefined) return Number(cell.dataset.value);
      return cell.textContent === "" ? null : cell.textContent;
    };
    const body = table.tBodies[0];
    const order = (one, other) => {
      const [a, b] = [value(one), value(other)];
      if (a === null || b === null) return (a === null) - (b === null);
      const way = typeof a === "number" ? a - b : String(a).localeCompare(String(b));
      return down ? -way : way;
    };
    body.append(...[...body.rows].sort(order));
  });
}
// The list of pages is sorted by what its menu says.
for (const menu of document.querySelectorAll("select[data-list]")) {
  menu.addEventListener("change", () => {
    const list = document.getElementById(menu.dataset.list);
    const [key, way] = menu.value.split(" ");
    const items = [...list.children];
    items.sort((one, other) => {
      const [a, b] = [one.dataset[key], other.dataset[key]];
      return (way === "up" ? 1 : -1) * (isNaN(a) ? a.localeCompare(b) : a - b);
    });
    list.append(...items);
  });
}
