// What a page does about its network: where the browser lets pages be kept, the match and the form of its next hand are
// at hand without one. Elsewhere, and for all that is sent, no page is left before the server answers: a tap that would
// end on the browser's own error page stays on this one, which says so.
(() => {
  "use strict";
  const { src, dataset } = document.currentScript;

  // ---- Copies
  const worker = "copies" in dataset && isSecureContext ? navigator.serviceWorker : null;
  const keep = async (pages) => (await worker.ready).active.postMessage({ keep: pages.filter(Boolean) });
  const isMatch = () => document.getElementById("board") !== null;
  const next = () => (isMatch() ? document.querySelector("#bottom_bar a.go")?.href : null);
  const here = () => (isMatch() ? location.pathname : null);
  // The page that was opened is kept on its way, unless it came before all this, or says something that is said once.
  const isMissed = /[?&](said|gone)=/.test(location.search) || !worker?.controller;
  worker?.register(new URL("../../sw.js", src)).then(
    () => keep([isMissed ? here() : null, next()]),
    () => {}, // a browser that forbids it works as before
  );
  // Another phone has written: the copies are old.
  document.addEventListener("htmx:afterSettle", (event) => {
    if (worker && event.detail.target?.id === "board") keep([here(), next()]);
  });

  // ---- Leaving
  const PATIENCE = 5000; // milliseconds
  const place = document.getElementById("trouble");
  const isReached = () => {
    const given = new AbortController();
    setTimeout(() => given.abort(), PATIENCE);
    const asked = { method: "HEAD", cache: "no-store", signal: given.signal };
    return fetch(src, asked).then(({ status }) => status < 502, () => false); // a proxy may be there alone
  };
  let last = null; // what was tapped last
  const leave = async (go) => {
    const isAsking = last !== null;
    last = go;
    if (isAsking) return;
    const isThere = await isReached(), act = last;
    last = null;
    if (isThere) return act();
    place.replaceChildren(document.querySelector("template[data-say=unreached]").content.cloneNode(true));
    place.scrollIntoView({ block: "nearest" });
  };
  const bare = ({ href }) => href.split("#")[0];
  const leads = (link) =>
    link.origin === location.origin && !link.target && !link.download && !(link.hash && bare(link) === bare(location));
  const isPlain = (event) => !(event.button || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey);
  // After all other listeners: what they take care of leaves no page. Copies are answers as well, but not to a form.
  addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || event.defaultPrevented || worker?.controller || !isPlain(event) || !leads(link)) return;
    event.preventDefault();
    leave(() => location.assign(link.href));
  });
  let sent = null; // the form that may go
  addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (event.defaultPrevented || !event.isTrusted || form === sent || !form.requestSubmit) return;
    if (form.method !== "post" && worker?.controller) return;
    event.preventDefault();
    leave(() => {
      sent = form;
      form.requestSubmit(submitter?.isConnected ? submitter : null);
      sent = null;
    });
  });
  addEventListener("online", () => place.querySelector("[data-unreached]") && place.replaceChildren());
})();
