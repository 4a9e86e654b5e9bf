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

  // Where the browser loads the page anew on the way back, the page's place in its history still has what was answered.
  const form = document.getElementById("compose");
  const OWN = ["csrf_token", "client_key", "asks"]; // the page's own
  const answered = () => [...new FormData(form)].filter(([name]) => !OWN.includes(name));
  const keep = () => history.replaceState({ ...history.state, answered: answered() }, "");
  form.addEventListener("input", keep);
  form.addEventListener("change", keep);
  document.addEventListener("htmx:afterSettle", () => history.state?.answered && keep());
  form.addEventListener("submit", () => history.replaceState(null, ""));
  // What is sent before htmx has begun cannot be given up.
  document.addEventListener("DOMContentLoaded", () => {
    const fields = history.state?.answered;
    if (!fields || new Map(fields).get("version") !== form.elements.version?.value) return;
    form.dispatchEvent(new CustomEvent("refill", { bubbles: true, detail: { fields, own: OWN } }));
  });

  // What an address leads to may be folded, and not every browser unfolds it.
  const aimed = document.getElementById(location.hash.slice(1));
  for (let fold = aimed?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  aimed?.scrollIntoView();

  // A change counts by itself: htmx would send along the button that was tapped last.
  document.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.elt.id === "compose") {
      for (const name of ["step", "undo", "do"]) delete event.detail.parameters[name];
    }
  });

  // A tap on what is printed changes nothing: it says so, where a change would stand.
  document.addEventListener("click", (event) => {
    const answer = event.target.closest?.(".by-book input");
    const beside = document.getElementById(`at-${answer?.name}`);
    if (beside && !beside.textContent.trim()) {
      beside.innerHTML = '<span role="status">no change</span>';
    }
  });

  // What was unfolded stays so when the questions are drawn anew, and the one that was answered stays under the thumb.
  let open = [], place = "", top = 0;
  document.addEventListener("change", (event) => (place = event.target.closest(".ask")?.id ?? ""));
  document.addEventListener("htmx:beforeSwap", () => {
    open = [...document.querySelectorAll("#compose details[open]")].map((it) => it.id);
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
