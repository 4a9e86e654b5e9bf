// A hand that is settled as it is typed: the button says what comes of it.
(() => {
  "use strict";
  const say = () => {
    const button = document.getElementById("main-button");
    if (button?.dataset.live) button.textContent = button.dataset.live;
  };
  document.addEventListener("htmx:afterSwap", say);
  say();
})();
