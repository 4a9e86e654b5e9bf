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

  // A change counts by itself: htmx would send along the button that was tapped last.
  document.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.elt.id === "compose") {
      for (const name of ["step", "undo", "do"]) delete event.detail.parameters[name];
    }
  });

  // What was unfolded stays so when the questions are drawn anew, and the one that was answered stays under the thumb.
  let open = [], place = "", top = 0;
  document.addEventListener("change", (event) => (place = event.target.closest(".ask")?.id ?? ""));
  document.addEventListener("htmx:beforeSwap", () => {
    open = [...document.querySelectorAll("#questions details[open]")].map((it) => it.id);
    top = document.getElementById(place)?.getBoundingClientRect().top ?? 0;
  });
  // At both moments, since settling gives every element its new attributes: no frame shows the page elsewhere.
  for (const moment of ["htmx:afterSwap", "htmx:afterSettle"]) {
    document.addEventListener(moment, () => {
      for (const id of open) document.getElementById(id)?.setAttribute("open", "");
      const asked = document.getElementById(place);
      if (asked) scrollBy({ top: asked.getBoundingClientRect().top - top, behavior: "instant" });
    });
  }
})();
