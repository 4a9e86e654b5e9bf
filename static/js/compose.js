// The buttons beside a number count at once; without scripts they send the form.
(() => {
  "use strict";
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-step]");
    if (!button) return;
    event.preventDefault();
    const input = button.parentElement.querySelector("input");
    const { lowest, highest } = input.dataset;
    const now = Number.parseInt(input.value, 10) || 0;
    input.value = Math.min(Math.max(now + Number(button.dataset.step), Number(lowest)), Number(highest));
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });

  // What was unfolded stays so when the questions are drawn anew.
  let open = [];
  document.addEventListener("htmx:beforeSwap", () => {
    open = [...document.querySelectorAll("#questions details[open]")].map((it) => it.id);
  });
  document.addEventListener("htmx:afterSettle", () => {
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  });
})();
