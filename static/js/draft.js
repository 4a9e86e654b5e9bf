// What is tapped of a hand stays on the phone until it is saved or thrown away: a sleeping phone, a reload or the back
// button loses nothing. The server's page knows only what was sent; this fills in the rest, and asks it to count again.
(() => {
  "use strict";
  const DRAFTS = "scorekeeper.draft.", GONE = "scorekeeper.gone", LIVES = 30 * 24 * 3600 * 1000; // milliseconds: forgotten after a month
  const KEPT = ["version", "end", "index", "before", "uid", "by", "dealt"]; // what the next hand on the page has as well
  const OWN = ["csrf_token", "client_key", "asks", "shown"]; // the page's own, never a draft's
  const main = document.getElementById("main"), place = document.getElementById("draft");
  const form = () => document.getElementById("hand_form");
  const field = (name) => form().elements[name]?.value ?? "";
  const hand = () => `${DRAFTS}${new URL(form().action).pathname}?${field("before")}@`;
  const entered = () => [...new FormData(form())].filter(([name]) => !OWN.includes(name));
  const isRecount = (event) => event.detail === "recount";
  const copy = (name) => document.querySelector(`template[data-say=${name}]`).content.cloneNode(true);
  const say = (name) => place.replaceChildren(...(name ? [copy(name)] : []));

  const first = entered(), filled = form().dataset.filled; // by the server, which knew of a hand in progress: at what time
  let found = null, thrown = null;

  const save = () => {
    const fields = entered();
    try {
      if (JSON.stringify(fields) === JSON.stringify(first)) localStorage.removeItem(hand() + field("version"));
      else localStorage.setItem(hand() + field("version"), JSON.stringify({ at: Date.now(), fields }));
    } catch {
      // A phone that keeps nothing still sends what is on the page.
    }
  };
  const fill = (fields) => {
    main.dataset.typed = "";
    form().dispatchEvent(new CustomEvent("refill", { bubbles: true, detail: { fields, own: OWN } }));
  };
  const empty = () => fill([...first, ...entered().filter(([name]) => name === "replaces")]);
  const drafts = () =>
    Object.keys(localStorage)
      .filter((key) => key.startsWith(hand()))
      .map((key) => ({ key, ...JSON.parse(localStorage.getItem(key)) }))
      .sort((one, other) => other.at - one.at);

  const begin = () => {
    for (const key of Object.keys(localStorage).filter((it) => it.startsWith(DRAFTS))) {
      if (!(JSON.parse(localStorage.getItem(key)).at > Date.now() - LIVES)) localStorage.removeItem(key);
    }
    if (!("fresh" in form().dataset)) {
      // An answer to what was sent: it shows all of it, and is the draft from now on.
      main.dataset.typed = "";
      return save();
    }
    const kept = drafts(), same = kept.find(({ key }) => key === hand() + field("version"));
    const gone = JSON.parse(sessionStorage.getItem(GONE));
    sessionStorage.removeItem(GONE);
    if (gone?.hand === hand()) {
      thrown = gone.fields;
      return say("cleared");
    }
    if (filled && "used" in form().dataset) {
      // What was in progress has been saved: the page came from the phone's memory, and this is the next hand.
      first.splice(0, Infinity, ...first.filter(([name]) => KEPT.includes(name)));
      if (!same) {
        empty();
        delete main.dataset.typed;
        return say();
      }
    } else if (filled && !(same?.at >= 1000 * filled)) return; // what another phone has entered since stays on the page
    found = same ?? kept[0];
    if (same) fill(same.fields);
    if (found) say(same ? "restored" : "older");
  };

  const typed = (event) => {
    if (!event.target.closest?.("#hand_form") || isRecount(event)) return;
    main.dataset.typed = "";
    save();
  };
  document.addEventListener("change", typed);
  document.addEventListener("input", typed);
  // A call, or another way to enter the hand: a button that draws the form anew.
  const isButton = (it) => it.matches("#hand_form button, #way-menu button");
  document.addEventListener("htmx:beforeRequest", ({ detail }) => {
    if (isButton(detail.elt)) main.dataset.typed = "";
  });
  // Other questions may have come in, or gone.
  document.addEventListener("htmx:afterSettle", () => "typed" in main.dataset && save());
  document.addEventListener("outbox:kept", () => {
    localStorage.removeItem(hand() + field("version"));
    delete main.dataset.typed;
    say();
  });
  // What the server knows of is let go there; it can be restored from here.
  const letGo = (fields) => {
    for (const { key } of drafts()) localStorage.removeItem(key);
    sessionStorage.setItem(GONE, JSON.stringify({ hand: hand(), fields }));
  };
  document.addEventListener("submit", ({ submitter }) => submitter?.value === "clear" && letGo(entered()));
  const startOver = () => {
    const button = Object.assign(document.createElement("button"), { name: "do", value: "clear", hidden: true });
    delete main.dataset.typed;
    form().append(button);
    form().requestSubmit(button);
  };
  document.addEventListener("outbox:dropped", () => (filled ? startOver() : empty()));
  document.addEventListener("click", (event) => {
    const act = event.target.closest("[data-draft]")?.dataset.draft;
    if (!act) return;
    if (act === "clear") {
      const is = "typed" in main.dataset;
      if (filled) return startOver();
      thrown = is ? entered() : found.fields;
      for (const { key } of drafts()) localStorage.removeItem(key);
      if (is) empty();
      delete main.dataset.typed;
    } else {
      fill(act === "back" ? thrown : found.fields);
      save();
    }
    say({ clear: "cleared", fill: "restored", back: "restored" }[act]);
    place.querySelector("button").focus({ preventScroll: true });
  });

  // Where nobody counts, the button does not say what is missing: it keeps what there is. What may be said next is known
  // only to the score sheet.
  const uncounted = ({ detail }) => {
    const bar = document.getElementById("bottom_bar"), { elt, xhr } = detail;
    const isLost = elt.id === "hand_form" && (xhr.status === 0 || xhr.status >= 500);
    if (isLost && !("away" in bar.dataset)) {
      bar.dataset.away = "";
      bar.replaceChildren(copy("uncounted"));
      bar.querySelector("button").id = "main-button";
    }
    if (isButton(elt) && !bar.querySelector("[data-unheard]")) bar.prepend(copy("unheard"));
  };
  for (const name of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
    document.addEventListener(name, uncounted);
  }

  for (const name of ["click", "focusin"]) {
    document.addEventListener(name, ({ target }) => {
      if (!target.closest?.("#way-menu")) document.getElementById("way-menu").open = false;
    });
  }
  const recount = () => form().dispatchEvent(new CustomEvent("change", { bubbles: true, detail: "recount" }));
  addEventListener("online", recount);

  // What was sent before htmx has begun could not be given up: its answer would take back what was tapped meanwhile.
  document.addEventListener("DOMContentLoaded", () => {
    try {
      begin();
    } catch {
      // As above.
    }
  });
})();
