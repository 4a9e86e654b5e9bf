// The screen stays on while a score is looked at, where the browser can do that; where it cannot, nothing is promised, and over http it is said why.
(() => {
  "use strict";
  const KEY = "screen";
  const can = "wakeLock" in navigator;
  const isTv = document.body.classList.contains("tv");
  const wish = () => {
    try {
      return localStorage.getItem(KEY) !== "off";
    } catch {
      return true;
    }
  };
  let lock = null;

  const hold = async () => {
    // A big screen is there to be seen, whatever the phone of its owner prefers.
    const wanted = can && !document.hidden && document.querySelector("#board, #hand_form") && (isTv || wish());
    try {
      if (wanted && !lock) {
        lock = await navigator.wakeLock.request("screen");
        lock.addEventListener("release", () => (lock = null)); // hidden, or low on power: asked for anew when seen again
      } else if (!wanted && lock) {
        await lock.release();
      }
    } catch { /* the phone saves power: that goes first */ }
    show();
  };

  // The switch in the menu, which is not there without scripts.
  const show = () => {
    for (const note of document.querySelectorAll("[data-no-wake]")) note.hidden = can || isSecureContext;
    for (const part of document.querySelectorAll("[data-wake]")) {
      part.hidden = !can;
      for (const button of part.querySelectorAll("button")) {
        button.setAttribute("aria-pressed", String((button.value === "on") === wish()));
      }
    }
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-wake] button");
    if (!button) return;
    try {
      localStorage.setItem(KEY, button.value);
    } catch { /* then it holds for this page */ }
    hold();
  });
  document.addEventListener("visibilitychange", hold);
  hold();
})();
