// Once it is told who bid what, and trump, the board is one line: only a tap on it folds it, and never an award's.
// It opens before app.js puts the focus back.
(() => {
  "use strict";
  const form = () => document.getElementById("hand_form"), main = document.getElementById("main");
  const MOVED = 300; // milliseconds in which a tap on what moved up under the finger is none
  const board = () => document.getElementById("told"), isTold = () => board()?.querySelector("[data-told]") != null;
  let byHand = false, folds = false, was = {};
  const fold = () => {
    const line = board().firstElementChild;
    if (board().contains(document.activeElement) || document.activeElement === main) {
      line.focus({ preventScroll: true });
    }
    board().open = folds = false;
    board().classList.add("moved");
    setTimeout(() => board()?.classList.remove("moved"), MOVED);
  };
  // The arrows of a keyboard go through all answers.
  document.addEventListener("pointerdown", () => byHand = true);
  document.addEventListener("keydown", () => byHand = folds = false);
  document.addEventListener("click", ({ target }) => {
    if (!byHand || !target.matches?.("#hand_form input")) return;
    const isTrump = target.name === "trump";
    folds = target.closest("#told") !== null && (isTrump || !isTold());
    if (isTrump && isTold()) fold();
  });
  // So is one that is filled in with what this phone had.
  document.addEventListener("refill", () => folds = true);
  document.addEventListener("htmx:beforeSwap", () => (was = { open: board()?.open, form: form() }));
  document.addEventListener("htmx:afterSwap", () => {
    if (!board()) return;
    if (form() !== was.form && was.open !== undefined) board().open = was.open || !isTold();
    was.form = form();
    if (folds && isTold()) fold();
  });
})();
