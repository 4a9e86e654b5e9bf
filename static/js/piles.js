// The count for Game: a tap on a card adds it to its pile, and the pile shows the sum. What a card is worth stands beside it.
(() => {
  "use strict";
  const cards = (pile) => document.querySelectorAll(`[data-pile="${pile}"]`);
  const count = (it) => Number(it.value) || 0;

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-adds]"), field = button?.parentElement.querySelector("input");
    if (!field) return;
    const next = Math.min(Math.max(count(field) + Number(button.dataset.adds), 0), Number(field.dataset.most));
    field.value = next || "";
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  document.addEventListener(
    "input",
    ({ target }) => {
      if (target.dataset?.pile) {
        let sum = 0;
        for (const it of cards(target.dataset.pile)) sum += count(it) * Number(it.dataset.worth);
        document.getElementById(target.dataset.pile).value = sum || "";
      } else if (target.id) {
        // A sum that is typed stands for itself.
        for (const it of cards(target.id)) it.value = "";
      }
    },
    true,
  );
})();
