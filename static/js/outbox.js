// A hand that is saved is kept on the phone first, and stays there until the score sheet has taken it or somebody has
// decided about it. The mark of its form, `client_key`, makes it count once however often it is sent.
(() => {
  "use strict";
  const KEPT = "scorekeeper.kept.", SENT = "scorekeeper.sent", DROPPED = "scorekeeper.dropped";
  const SEEN = "scorekeeper.seen.", LEASE = "scorekeeper.lease";
  const PATIENCE = 8000, AGAIN = 4000; // milliseconds: for one answer, and between two tries
  const place = document.getElementById("outbox");
  const read = (key, otherwise) => JSON.parse(localStorage.getItem(key)) ?? otherwise;
  const write = (key, value) => localStorage.setItem(key, JSON.stringify(value));
  const kept = () =>
    Object.keys(localStorage)
      .filter((key) => key.startsWith(KEPT))
      .map((key) => read(key))
      .sort((one, other) => one.at - other.at);
  const keep = (entry) => write(KEPT + entry.key, entry);
  const drop = (key) => localStorage.removeItem(KEPT + key);
  // What is discarded or changed may have gone in without an answer: its mark is not another hand's, on any page.
  const discard = (key) => {
    write(DROPPED, [...read(DROPPED, []), key].slice(-20));
    drop(key);
  };
  const isDropped = (key) => read(DROPPED, []).includes(key);
  const form = () => document.getElementById("hand_form");
  const keyOf = (it) => it?.elements.client_key?.value ?? "";
  const matchOf = (url) => new URL(url, location).pathname.split("/hands/")[0];
  const isOn = (match) => location.pathname.startsWith(`${match}/`);
  const fieldOf = (entry, name) => entry.fields.find(([it]) => it === name)?.[1] ?? "";
  const withFields = (entry, values) => ({
    ...entry,
    fields: entry.fields.map(([name, was]) => [name, name in values ? String(values[name]) : was]),
  });
  const setField = (sheet, name, value) => {
    const field = sheet.elements[name] ??
      sheet.appendChild(Object.assign(document.createElement("input"), { type: "hidden", name }));
    field.value = value;
  };
  // What went in lately, in the order in which it did, with the event that it made.
  const sent = () => read(SENT, []).filter(({ key }) => key);
  const isSent = (key) => sent().some((entry) => entry.key === key);
  const entryOf = (sheet) => ({ url: sheet.action, fields: [...new FormData(sheet)] });
  const isNew = (entry) => entry.url.endsWith("/hands/new") && !fieldOf(entry, "before");
  // The new hands that this phone has saved on a page of the same version: the match may have others in their places.
  // One that has just gone in is in both lists for a moment, or until a page that closed meanwhile is opened again.
  const savedBefore = (sheet) =>
    new Set(
      [...sent(), ...kept()].filter(
        (entry) =>
          isNew(entry) && entry.match === matchOf(sheet.action) && entry.key !== keyOf(sheet) &&
          fieldOf(entry, "version") === sheet.elements.version.value,
      ).map(({ key }) => key),
    ).size;
  // Whether a page is that of a hand behind one that waits, or that went in since.
  const isBehind = (sheet) => {
    const waits = (entry) => isNew(entry) && entry.match === matchOf(sheet.action);
    return isFresh && isNew(entryOf(sheet)) && (savedBefore(sheet) > 0 || kept().some(waits));
  };
  // The scores and the dealer in its heading are those of a hand before.
  const behind = ({ dataset }) => document.querySelector("#heading").textContent = dataset.what = dataset.next;
  // The hands behind one that is discarded move up, unless another phone's hand has its place; and down once it is back.
  const move = (gone, by) => {
    if (!isNew(gone) || gone.isTaken) return;
    const isLater = (entry) =>
      isNew(entry) && entry.match === gone.match && entry.at > gone.at &&
      fieldOf(entry, "version") === fieldOf(gone, "version");
    for (const entry of kept().filter(isLater)) {
      keep(withFields(entry, { index: Number(fieldOf(entry, "index")) + by }));
    }
  };
  const freshKey = () =>
    Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const isTyped = () => "typed" in document.getElementById("main").dataset;
  const leave = (url) => location.replace(url);

  // ---- What is said
  const tried = new Map(), asked = new Set();
  let arrived = "", shown = "", saved = ""; // the last by the key of the hand that this page has saved
  const copy = (name, what, said) => {
    const piece = document.querySelector(`template[data-say=${name}]`).content.cloneNode(true);
    for (const it of piece.querySelectorAll("[data-what]")) it.textContent = what;
    if (said) {
      for (const it of piece.querySelectorAll("[data-said]")) it.textContent = said;
    }
    return piece;
  };
  const say = () => {
    // The page on which two hands are compared says itself what became of this one.
    const here = document.querySelector("[data-settles]:not([hidden])")?.dataset.settles;
    const isSaidHere = (entry) => entry.key === here && entry.state === "asks" && !asked.has(entry.key);
    const entries = kept().filter((entry) => !(entry.quiet > Date.now()) && !isSaidHere(entry));
    const now = JSON.stringify([entries, [...tried], [...asked], arrived, lost]);
    if (now === shown) return;
    shown = now;
    const pieces = entries.map((entry, place) => {
      const first = entries.slice(0, place).find((it) => it.match === entry.match && holds(it));
      const waits = first ? "behind" : entry.said ? "unsaved" : "waiting";
      const state = entry.state === "waiting" ? waits : entry.state;
      const piece = copy(asked.has(entry.key) ? "asked" : state, entry.what, first?.what ?? entry.said);
      piece.firstElementChild.dataset.key = entry.key;
      const note = tried.has(entry.key) && piece.querySelector("[data-tried]");
      if (note) {
        note.hidden = false;
        note.querySelector("time").textContent = tried.get(entry.key);
      }
      return piece;
    });
    if (arrived) pieces.unshift(copy("in", arrived));
    if (lost) pieces.unshift(lostPiece());
    place.replaceChildren(...pieces);
    sayBelow();
  };
  // Whether what comes after it has to wait. One in whose place another phone's hand stands holds nothing back.
  const holds = (entry) => entry.state !== "waiting" && !entry.isTaken;
  const sayBelow = () => {
    // What a page out of the phone's memory offers to continue may have been saved.
    const going = document.querySelector("#bottom_bar [data-else]");
    if (going && kept().some((entry) => isOn(entry.match) && isNew(entry))) going.textContent = going.dataset.else;
    const bar = document.getElementById("bottom_bar"), open = form(), mine = read(KEPT + keyOf(open));
    if (mine?.state === "waiting" && !(mine.quiet > Date.now())) bar.replaceChildren(copy("kept", mine.what));
    else if (!mine && open && saved === keyOf(open)) {
      // Changed, discarded or gone in: what is saved here next is another hand, and compared should this one be in.
      setField(open, "replaces", `${open.elements.replaces?.value ?? ""} ${saved}`.trim());
      open.elements.client_key.value = freshKey();
      bar.replaceChildren(copy("uncounted"));
    } else return;
    bar.querySelector("button").id = "main-button";
  };

  // ---- Sending
  const token = () => document.querySelector("[name=csrf_token]")?.value;
  const post = (entry) => {
    const fields = new URLSearchParams(entry.fields);
    if (token()) fields.set("csrf_token", token());
    const headers = { "HX-Request": "true" }; // the answer then names the next page instead of leading there
    const given = new AbortController();
    setTimeout(() => given.abort(), PATIENCE);
    return fetch(entry.url, { method: "POST", body: fields, headers, signal: given.signal });
  };
  const renewed = async (entry) => {
    // A page from the phone's memory may carry an old token.
    const page = await pageOf(await fetch(entry.url));
    const fresh = page.querySelector("[name=csrf_token]")?.value;
    for (const it of document.querySelectorAll("[name=csrf_token]")) if (fresh) it.value = fresh;
    return post(entry);
  };
  const isOurs = (answer) => answer.headers.get("Vary")?.includes("HX-Request");
  const pageOf = async (answer) => new DOMParser().parseFromString(await answer.text(), "text/html");
  // Tells where to go where it was written; otherwise notes what became of it.
  const send = async (entry) => {
    let answer;
    try {
      answer = await post(entry);
      if (answer.status === 400) answer = await renewed(entry);
    } catch {
      answer = null;
    }
    const now = read(KEPT + entry.key); // it may have moved up meanwhile
    if (!now) return null; // thrown away
    const next = answer?.headers.get("HX-Redirect");
    if (next && versionIn(next)) {
      settled(entry, next);
      return next;
    }
    const isLost = !answer || answer.status >= 500 || answer.status === 429 || !isOurs(answer);
    const state = isLost ? "waiting" : [200, 409, 422].includes(answer.status) ? "asks" : "refused";
    // A server that answers may say why it cannot save just now.
    const page = answer && isOurs(answer) ? await pageOf(answer) : null;
    for (const name of page?.querySelectorAll(".say h2 bdi") ?? []) {
      name.textContent = `\u2068${name.textContent}\u2069`;
    }
    const said = page?.querySelector(".say h2")?.textContent.trim() ?? "";
    keep({ ...now, state, quiet: 0, said, isTaken: Boolean(page?.querySelector("[data-taken]")) });
    return null;
  };
  // Only where something was written does the next page name an event: the one that this entry made.
  const versionIn = (next) => Number(new URL(next, location).searchParams.get("said")) || 0;
  const settled = (entry, next) => {
    write(SENT, [...sent(), { ...entry, version: versionIn(next) }].slice(-20)); // first, for pages that hear of both
    drop(entry.key);
  };
  // One page sends at a time. Without locks, which plain http has not, whoever wrote the lease last has it.
  let lease = "";
  const alone = async (act) => {
    if (navigator.locks) return navigator.locks.request("scorekeeper", { ifAvailable: true }, (lock) => lock && act());
    if (read(LEASE, {}).until > Date.now()) return;
    lease = String(Math.random()); // known at once: the page may be left now, and gives it back then
    write(LEASE, { by: lease, until: Date.now() + PATIENCE + 1000 });
    await new Promise((done) => setTimeout(done, 20));
    if (read(LEASE, {}).by !== lease) return;
    try {
      await act();
    } finally {
      release();
    }
  };
  const release = () => {
    if (lease && read(LEASE, {}).by === lease) localStorage.removeItem(LEASE);
    lease = "";
  };
  let busy = false;
  const flush = async () => {
    if (busy || !kept().some((entry) => entry.state === "waiting")) return;
    busy = true;
    let next = "", what = "";
    await alone(async () => {
      const held = new Set(), done = new Set(); // matches in which what comes next has to wait, and entries
      for (let entry; (entry = kept().find((it) => !held.has(it.match) && !done.has(it.key)));) {
        const mine = isOn(entry.match), went = entry.state === "waiting" ? await send(entry) : null;
        if (lease) write(LEASE, { by: lease, until: Date.now() + PATIENCE + 1000 });
        done.add(entry.key);
        if (went) what = entry.what;
        else if (!read(KEPT + entry.key)?.isTaken) held.add(entry.match);
        if (went && mine) next = went;
      }
    }).catch(() => {});
    busy = false;
    if (what) arrived = what;
    const isOfHands = form() || document.querySelector("#board, [data-settles]");
    if (next && isOfHands && !(form() && isTyped())) return leave(next);
    say();
  };

  // ---- Keeping
  const isSave = (button) => !button?.name || ["do", "thrown_in"].includes(button.name) && button.value !== "clear";
  const show = (entry) => {
    // The browser posts it, so that the answer is a page: nothing is written that was refused before.
    const sheet = document.createElement("form");
    sheet.method = "post";
    sheet.action = entry.url;
    for (const [name, value] of entry.fields) {
      const field = document.createElement("input");
      field.type = "hidden";
      field.name = name;
      field.value = name === "csrf_token" ? (token() ?? value) : value;
      sheet.append(field);
    }
    document.body.append(sheet);
    // The next page asks again, should it have gone in after all.
    keep({ ...entry, state: "waiting", quiet: 0, isShown: true });
    sheet.requestSubmit();
  };
  // Some browsers do not tell which button sent a form.
  let tapped = null;
  let changed = null; // a hand that waited, and is in the form again: it keeps its place
  document.addEventListener("click", (event) => (tapped = event.target.closest?.("button") ?? null));
  document.addEventListener("submit", async (event) => {
    const sheet = event.target, around = sheet.closest("[data-settles]");
    const isHand = sheet.method === "post" && (sheet.id === "hand_form" || around && sheet.elements.version);
    const button = event.submitter === undefined ? tapped : event.submitter;
    if (event.defaultPrevented || !isHand || !isSave(button)) return;
    // Two pages may be one copy of the phone's memory: the hand that was saved on the other one has this key.
    const isOther = isFresh && !around && saved !== keyOf(sheet) && (read(KEPT + keyOf(sheet)) || isSent(keyOf(sheet)));
    if (isOther) sheet.elements.client_key.value = freshKey();
    const data = new FormData(sheet), key = keyOf(sheet), before = read(KEPT + (around?.dataset.settles ?? key));
    if (button?.name) data.append(button.name, button.value);
    const { what } = (around ?? sheet).dataset;
    if (changed && !around) data.set("index", fieldOf(changed, "index"));
    else if (isFresh && data.has("index")) data.set("index", Number(data.get("index")) + savedBefore(sheet));
    const url = sheet.action, at = (before ?? changed)?.at ?? Date.now(), quiet = Date.now() + 800; // most are in before that
    const entry = { key, what, url, match: matchOf(url), fields: [...data], at, state: "waiting", quiet };
    try {
      keep(entry);
    } catch {
      return; // a phone that keeps nothing sends the form as it is
    }
    saved = key;
    if (changed) move(changed, 1);
    changed = null;
    event.preventDefault();
    if (around) {
      drop(around.dataset.settles);
      around.hidden = true; // chosen: what is left to say is whether it has gone in
    }
    document.dispatchEvent(new CustomEvent("outbox:kept"));
    setTimeout(() => {
      say();
      place.firstElementChild?.scrollIntoView({ block: "nearest" });
    }, 850);
    await flush();
    const left = read(KEPT + key);
    if (left?.state === "asks") show(left);
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-outbox]"), around = button?.closest("[data-settles]");
    if (!button) return;
    const key = button.closest("[data-key]")?.dataset.key ?? around?.dataset.settles ?? keyOf(form());
    const entry = read(KEPT + key), act = button.dataset.outbox, isHere = key === keyOf(form());
    if (act === "drop") discard(key);
    if (act === "ask") asked.add(key);
    else asked.delete(key);
    if (act === "show" && entry) show(entry);
    if (act === "try" && entry) {
      keep({ ...entry, state: "waiting" });
      flush().then(() => {
        const { order, clock } = document.documentElement.dataset;
        const english = order === "month" ? "en-US" : "en-GB";
        tried.set(key, new Date().toLocaleTimeString(english, { hour12: clock === "12" }));
        say();
      });
    }
    say();
    const near = place.querySelector(`[data-key="${key}"] button`) ?? document.getElementById("main");
    if (document.activeElement === document.body) near.focus({ preventScroll: true });
    if (act !== "drop") return;
    if (entry) move(around ? { ...entry, isTaken: "taken" in around.dataset } : entry, -1);
    if (around) return;
    // What other phones see of it goes as well, but not what they have entered.
    if (isHere) document.dispatchEvent(new CustomEvent("outbox:dropped"));
    else if (entry) post({ ...entry, fields: [["do", "discard"]] }).catch(() => {});
  });
  document.addEventListener("change", (event) => {
    // What is changed is taken back into the form.
    const open = event.target.closest?.("#hand_form"), entry = open && read(KEPT + keyOf(open));
    if (!entry || entry.key !== saved || event.detail === "recount") return;
    discard(entry.key);
    move(entry, -1);
    changed = entry;
    sayBelow();
    say();
  });

  // ---- A server that was restored from a backup knows less than this phone has seen
  let lost = null; // what it does not know
  const here = () => matchOf(`${location.pathname}hands/`);
  const lostHands = () => sent().filter((it) => it.match === here() && it.version > lost.version && isNew(it));
  const lostPiece = () => {
    const { from, to } = lost, range = to > from ? `hands ${from} to ${to}` : to === from ? `hand ${to}` : "more";
    const piece = copy("missing", range, lostHands().map((it) => it.what.toLowerCase()).join(", "));
    if (!lostHands().length) piece.querySelectorAll("[data-has]").forEach((it) => it.remove());
    return piece;
  };
  // The server has just said that the board is of now.
  const compare = () => {
    const board = document.getElementById("board");
    const version = Number(new URL(board.getAttribute("hx-get"), location).searchParams.get("v"));
    const hand = board.dataset.next - 1, was = read(SEEN + here(), { version: 0, hand: 0 });
    lost = version < was.version ? { version, from: hand + 1, to: was.hand } : null;
    if (!lost && version > was.version) write(SEEN + here(), { version, hand });
    say();
  };
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (detail.elt.id === "board" && detail.xhr.status === 204) compare();
  });
  document.addEventListener("htmx:afterSettle", ({ detail }) => detail.target?.id === "board" && compare());
  document.addEventListener("click", (event) => {
    const act = event.target.closest("[data-lost]")?.dataset.lost;
    if (!act) return;
    // They go in after the last hand that the server has, before what waits already, which moves up without them.
    const hands = lostHands();
    write(SENT, sent().filter((it) => !hands.some(({ key }) => key === it.key)));
    hands.forEach((it, place) => {
      if (act !== "send") return move(it, -1);
      const entry = withFields(it, { version: lost.version, end: "", index: lost.from + place });
      keep({ ...entry, at: place, state: "waiting", quiet: 0 });
    });
    write(SEEN + here(), { version: lost.version, hand: lost.from - 1 });
    lost = null;
    say();
    flush();
  });

  // ---- When
  const isFresh = "fresh" in (form()?.dataset ?? {});
  // Where the browser kept the page itself, as it was left, the hand that waits is still in its form.
  const begin = (isSamePage) => {
    const open = form(), key = keyOf(open);
    const back = isSamePage || performance.getEntriesByType("navigation")[0]?.type === "back_forward";
    const on = document.querySelector("[data-settles]")?.dataset.settles;
    if (open && isSent(key) && back) return leave(`${matchOf(open.action)}/`);
    if (open && !isFresh && read(KEPT + key)?.isShown) drop(key); // it is in the form again
    else if (open && !isSamePage && (isSent(key) || isDropped(key) || read(KEPT + key) || isBehind(open))) {
      // A page from the phone's own memory, on which a hand was saved, or while one waits: this is the next one.
      if (isDropped(key)) setField(open, "replaces", key);
      open.elements.client_key.value = freshKey();
      behind(open);
      open.dataset.used = "";
    }
    // Every page tries again what was refused before.
    const state = (entry) => (entry.key === on ? "asks" : entry.state === "refused" ? "waiting" : entry.state);
    for (const entry of kept()) keep({ ...entry, quiet: 0, state: state(entry) });
    say();
    flush();
  };
  try {
    begin(false);
  } catch {
    return; // a phone that keeps nothing
  }
  const seen = () => {
    if (!document.hidden) flush();
  };
  setInterval(seen, AGAIN);
  addEventListener("online", seen);
  addEventListener("pagehide", release);
  addEventListener("pageshow", (event) => event.persisted && begin(true));
  document.addEventListener("visibilitychange", seen);
  document.addEventListener("htmx:afterRequest", (event) => event.detail.successful && seen());
  document.addEventListener("htmx:afterSettle", sayBelow);
  addEventListener("storage", ({ key }) => {
    if (key === SENT && isSent(keyOf(form()))) leave(`${matchOf(form().action)}/`);
    else if (key?.startsWith(KEPT)) {
      if (form() && isBehind(form())) behind(form());
      sayBelow();
      say();
    }
  });
})();
