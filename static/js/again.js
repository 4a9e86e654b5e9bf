// What could not be saved or opened just now is tried again until it can: the page that says so holds the form, if any.
(() => {
  "use strict";
  const LONGEST = 60000; // milliseconds between two tries
  const note = document.querySelector("[data-again]"), form = note?.closest(".say").querySelector("form");
  let wait = document.currentScript.dataset.seconds * 1000;
  const send = () => {
    if (!form) return fetch(location.href, { method: "HEAD" });
    const headers = { "HX-Request": "true" }; // the answer then names the next page instead of leading there
    return fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), headers });
  };
  const isAnswer = ({ status, headers }) =>
    status < 500 && status !== 429 && (form ? Boolean(headers.get("Vary")?.includes("HX-Request")) : status !== 410);
  const again = async () => {
    const answer = await send().catch(() => null);
    if (!answer || !isAnswer(answer)) {
      if (form || !answer) wait = Math.min(wait * 2, LONGEST);
      return setTimeout(again, wait);
    }
    const next = answer.headers.get("HX-Redirect");
    if (next) location.replace(next);
    else if (form) form.submit(); // the answer is a page: nothing was written that would be written twice
    else location.reload();
  };
  if (note) note.hidden = false;
  setTimeout(again, wait);
})();
