// A hand that is settled as it is typed: the buttons that count, and the button that says what comes of it.
(() => {
  "use strict";
  const say = () => {
    const button = document.getElementById("main-button");
    if (button?.dataset.live) button.textContent = button.dataset.live;
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-step]");
    if (!button) return;
    const field = button.parentElement.querySelector("input");
    const number = (Number.parseInt(field.value, 10) || 0) + Number(button.dataset.step);
    field.value = Math.min(Math.max(number, 0), Number(field.dataset.most));
    field.dispatchEvent(new Event("change", { bubbles: true }));
  });
  document.addEventListener("htmx:afterSwap", say);
  say();
})();
