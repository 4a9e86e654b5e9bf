// While the page is seen, ask again and again whether another phone has written: what one phone saves, all others show
// within two seconds. Where nobody answers, say so, and from when what is shown is.
(() => {
  "use strict";
  const EVERY = 1800; // milliseconds: what comes right after an answer waits so long, and then a little for the wire
  const SLOWER = [[60 * 60_000, 15_000], [10 * 60_000, 5000]]; // after so long without a change or a touch: how often
  const WATCHED = "[hx-trigger=poll]";
  const place = document.getElementById("touch");
  const poll = () => {
    if (!document.hidden) document.querySelector(WATCHED)?.dispatchEvent(new Event("poll"));
  };

  // A match that nobody touches for long is asked about less often; not by a TV, which nobody can touch, and not on a
  // ladder night, where a table is waited for all evening.
  let touched = Date.now(), timer = 0;
  const pause = () => {
    const isAlways = document.querySelector(WATCHED)?.hasAttribute("data-always");
    const quiet = isAlways ? 0 : Date.now() - touched;
    return SLOWER.find(([after]) => quiet >= after)?.[1] ?? EVERY;
  };
  const next = () => {
    clearTimeout(timer);
    timer = setTimeout(ask, pause());
  };
  const ask = () => {
    poll();
    next();
  };
  const wake = () => {
    touched = Date.now();
    ask();
  };
  const touch = () => (pause() > EVERY ? wake() : (touched = Date.now()));

  // A copy from the phone's own memory says when it was fetched; every other page is of now.
  let seen = new Date(document.lastModified), missed = 0;
  // English words, in the order and by the clock of the page's other times.
  const page = document.documentElement.dataset, english = page.order === "month" ? "en-US" : "en-GB";
  const clock = { hour: "numeric", minute: "2-digit", hour12: page.clock === "12" };
  const day = { month: "short", day: "numeric", ...clock };
  const isRecent = (date) => Date.now() - date < 12 * 3600 * 1000;
  const when = (date) => (isRecent(date) ? date.toLocaleTimeString(english, clock) : date.toLocaleString(english, day));
  const lost = () => {
    if (!place || place.firstChild) return;
    const piece = document.querySelector("template[data-say=lost]").content.cloneNode(true);
    piece.querySelector("time").textContent = when(seen);
    place.replaceChildren(piece);
  };
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (!detail.elt.matches?.(WATCHED)) return;
    const { status } = detail.xhr, isAnswered = status > 0 && status < 500 && status !== 429;
    missed = isAnswered ? 0 : missed + 1;
    if (status === 200) touched = Date.now();
    if (isAnswered) {
      seen = new Date();
      place?.replaceChildren();
    } else if (missed > 1 || !navigator.onLine) lost();
  });

  if (!navigator.onLine || Date.now() - seen > 10_000) lost();
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, touch, { passive: true });
  document.addEventListener("visibilitychange", wake);
  addEventListener("online", wake);
  next();
  addEventListener("offline", lost);
})();
