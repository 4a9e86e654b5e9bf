// While the page is seen, ask every two seconds whether another phone has written.
(() => {
  "use strict";
  const poll = () => {
    if (!document.hidden) document.getElementById("board")?.dispatchEvent(new Event("poll"));
  };
  setInterval(poll, 2000);
  document.addEventListener("visibilitychange", poll);
})();
