// While the page is seen, ask again and again whether another phone has written: what one phone saves, all others show
// within two seconds.
(() => {
  "use strict";
  const EVERY = 1700; // milliseconds: what comes right after an answer waits so long, and then a little for the wire
  const poll = () => {
    if (!document.hidden) document.querySelector("[hx-trigger=poll]")?.dispatchEvent(new Event("poll"));
  };
  setInterval(poll, EVERY);
  document.addEventListener("visibilitychange", poll);
})();
