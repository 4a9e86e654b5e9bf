// Where the browser lets pages be kept, the match and the form of its next hand are at hand without a network.
(() => {
  "use strict";
  if (!isSecureContext || !navigator.serviceWorker) return;
  const root = new URL("../../", document.currentScript.src);
  const isPassing = /[?&](said|gone)=/.test(location.search);
  const keep = async (pages) => (await navigator.serviceWorker.ready).active.postMessage({ keep: pages });
  const next = () => (document.getElementById("board") ? [document.querySelector("#bottom_bar a.go")?.href] : []);
  const here = () => (document.getElementById("board") ? [location.pathname] : []);
  // The page that was opened is kept on its way, unless it came before all this, or says something that is said once.
  const isMissed = isPassing || !navigator.serviceWorker.controller;
  navigator.serviceWorker.register(new URL("sw.js", root)).then(
    () => keep([...(isMissed ? here() : []), ...next()].filter(Boolean)),
    () => {}, // a browser that forbids it works as before
  );
  // Another phone has written: the copies are old.
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target?.id === "board") keep([...here(), ...next()].filter(Boolean));
  });
})();
