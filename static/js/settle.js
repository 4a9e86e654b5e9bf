// A hand that is settled as it is typed: the button says what comes of it.
(() => {
  "use strict";
  const say = () => {
    const words = document.getElementById("button-words");
    if (!words?.textContent) return;
    words.hidden = false;
    document.getElementById("main-button").replaceChildren(words);
  };
  document.addEventListener("htmx:afterSwap", say);
  say();
})();
