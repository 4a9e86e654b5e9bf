// What could not be saved just now is sent again until it can: the page that says so holds the form.
(() => {
  "use strict";
  const LONGEST = 60000; // milliseconds between two tries
  const note = document.querySelector("[data-again]"), form = document.querySelector(".say form");
  let wait = note.dataset.again * 1000;
  const send = () => {
    const headers = { "HX-Request": "true" }; // the answer then names the next page instead of leading there
    return fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), headers });
  };
  const isAnswer = ({ status, headers }) =>
    status < 500 && status !== 429 && Boolean(headers.get("Vary")?.includes("HX-Request"));
  const again = async () => {
    const answer = await send().catch(() => null);
    if (!answer || !isAnswer(answer)) {
      wait = Math.min(wait * 2, LONGEST);
      return setTimeout(again, wait);
    }
    const next = answer.headers.get("HX-Redirect");
    if (next) location.replace(next);
    else form.submit(); // the answer is a page: nothing was written that would be written twice
  };
  note.hidden = false;
  setTimeout(again, wait);
})();
