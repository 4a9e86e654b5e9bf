// What a page does better with scripts; every page works without.
(() => {
  "use strict";
  const on = (name, act) => document.addEventListener(name, act);

  // WebKit empties a form without autocompletion just after a page came back from its cache: it is filled in again.
  let left = [];
  addEventListener("pagehide", () => {
    const fields = [...document.querySelectorAll("input, textarea")];
    left = fields.filter((it) => !["hidden", "file"].includes(it.type)).map((it) => [it, it.value, it.checked]);
  });
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    // It empties each field in a task of its own, which on a busy phone may come late: until somebody types or taps.
    const fill = () => left.forEach(([it, value, checked]) => Object.assign(it, { value, checked }));
    for (const wait of [0, 50, 250, 1000]) setTimeout(fill, wait);
    document.addEventListener("input", () => left = [], { once: true, capture: true });
  });

  // A radio that may be left open is cleared by tapping it again.
  let held = null;
  on("pointerdown", (event) => {
    const radio = event.target.closest("label")?.querySelector("input[data-clears]");
    held = radio?.checked ? radio : null;
  });
  on("click", (event) => {
    const tapped = event.target;
    if (held && tapped === held) {
      tapped.checked = false;
      tapped.dispatchEvent(new Event("change", { bubbles: true }));
    }
    if (tapped.matches?.("input")) held = null;

    // The dashed button leads to what is missing.
    const place = document.getElementById(tapped.closest?.("[data-leads]")?.dataset.leads);
    if (place) {
      event.preventDefault();
      place.scrollIntoView({ block: "center" });
      const first = place.querySelector("input:not([type=hidden]), select") ?? place.querySelector("button") ?? place;
      first.focus({ preventScroll: true });
    }
  });

  // A number that is typed takes the place of one that was tapped, and the other way round.
  document.addEventListener("change", ({ target }) => {
    if (!target.matches("[type=radio]:checked")) return;
    for (const typed of document.querySelectorAll(`[data-instead-of="${target.name}"]`)) typed.value = "";
  }, true);
  document.addEventListener("input", ({ target }) => {
    const tapped = document.querySelector(`[name="${target.dataset.insteadOf}"]:checked`);
    if (tapped && target.value) tapped.checked = false;
  }, true);

  // What is answered while a count is under way is not in it: what comes of that would take the answer back.
  for (const name of ["input", "change"]) {
    document.addEventListener(name, ({ target }) => {
      const counts = target.closest?.("form[hx-sync$=replace]");
      if (counts) htmx.trigger(counts, "htmx:abort");
    }, true);
  }

  // A form that is given back what was answered before has it at once, questions that are not drawn yet as hidden fields.
  // Without the page's own `asks` it is then drawn anew, with all of them and without these fields.
  on("refill", ({ target, detail: { fields, own } }) => {
    const had = new Map(fields);
    for (const it of target.elements) {
      if (!it.name || own.includes(it.name) || it.matches("button, fieldset")) continue;
      if (it.matches("[type=radio], [type=checkbox]")) it.checked = had.get(it.name) === it.value;
      else it.value = had.get(it.name) ?? "";
    }
    const drawn = target.querySelector(target.getAttribute("hx-target")) ?? target;
    for (const [name, value] of had) {
      if (target.elements[name]) continue;
      drawn.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
    }
    target.elements.asks.value = "?";
    htmx.ajax("POST", target.getAttribute("hx-post"), { source: target }).catch(() => {});
  });

  // The count for Game: a tap on a card adds it to its pile, and the pile shows the sum. What a card is worth stands beside it.
  const cards = (pile) => document.querySelectorAll(`[data-pile="${pile}"]`);
  const count = (it) => Number(it.value) || 0;
  on("click", (event) => {
    const button = event.target.closest?.("[data-adds]"), field = button?.parentElement.querySelector("input");
    if (!field) return;
    const next = Math.min(Math.max(count(field) + Number(button.dataset.adds), 0), Number(field.dataset.most));
    field.value = next || "";
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  document.addEventListener("input", ({ target }) => {
    if (target.dataset?.pile) {
      let sum = 0;
      for (const it of cards(target.dataset.pile)) sum += count(it) * Number(it.dataset.worth);
      document.getElementById(target.dataset.pile).value = sum || "";
    } else if (target.id) {
      // A sum that is typed stands for itself.
      for (const it of cards(target.id)) it.value = "";
    }
  }, true);

  // Enter in a number that has a button presses it.
  on("keydown", (event) => {
    const button = event.target.closest(".with-button")?.querySelector("button");
    if (event.key !== "Enter" || event.isComposing || !button || event.target === button) return;
    event.preventDefault();
    button.click();
  });

  // Enter in a name leads to the next one: it neither starts a match nor saves anything.
  on("keydown", (event) => {
    const field = event.target;
    if (event.key !== "Enter" || event.isComposing || field.getAttribute("enterkeyhint") !== "next") return;
    event.preventDefault();
    const fields = [...field.form.querySelectorAll("[enterkeyhint=next]")].filter((it) => it.offsetParent);
    const next = fields[fields.indexOf(field) + 1];
    if (next) next.focus();
    else field.blur();
  });

  // The chosen suit, and whether everything is placed, for stylesheets that cannot ask.
  const suit = () => {
    for (const sheet of document.querySelectorAll(".sheet")) {
      sheet.dataset.trump = sheet.querySelector("[data-suit]:checked")?.value ?? "";
      sheet.toggleAttribute("data-all", Boolean(document.querySelector("#bottom_bar.all")));
    }
  };
  ["change", "htmx:afterSettle", "DOMContentLoaded"].forEach((name) => on(name, suit));

  // A point of a hand opens its rule below its line, one at a time; a second tap closes it.
  const names = () => document.querySelectorAll("[data-opens]");
  const shown = (it) => it.closest("li").querySelector(`[data-rule="${it.dataset.opens}"]`);
  const unfold = () => {
    for (const it of names()) it.setAttribute("aria-expanded", String(!shown(it).hidden));
  };
  ["DOMContentLoaded", "htmx:afterSettle"].forEach((name) => on(name, unfold));
  on("click", (event) => {
    const tapped = event.target.closest?.("[data-opens]");
    if (!tapped || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const rule = shown(tapped), opens = rule.hidden;
    for (const it of names()) shown(it).hidden = true;
    rule.hidden = !opens;
    unfold();
  });

  // Only what changed is drawn again: the count's word, a score on another phone.
  const said = () => document.querySelector("#bottom_bar .res")?.textContent.trim();
  const scores = () =>
    new Map([...document.querySelectorAll("[data-score]")].map((it) => [it.dataset.score, it.textContent.trim()]));
  let before = { said: said(), scores: scores() };
  on("htmx:beforeSwap", () => (before = { said: said(), scores: scores() }));
  on("htmx:afterSwap", () => {
    if (before.said && said() === before.said) document.getElementById("bottom_bar").classList.add("still");
    for (const it of document.querySelectorAll("[data-score]")) {
      if (before.scores.has(it.dataset.score) && before.scores.get(it.dataset.score) !== it.textContent.trim()) {
        it.classList.add("pop");
      }
    }
  });

  // What is drawn anew takes neither the focus nor an opened list away: who is on a row or an answer stays on it.
  const blocks = "[hx-trigger=poll], #turn, #history, #chart, #bottom_bar, #hand_form, #way-menu, #hands";
  const sign = (it) => {
    if (it.matches("[type=radio], [type=checkbox]")) return `${it.name}=${it.value}`;
    return it.getAttribute("href") || it.textContent.trim() || it.name;
  };
  const lists = ["#chart details", "#more"];
  let place = null, opened = [];
  on("htmx:beforeSwap", () => {
    const it = document.activeElement, block = it?.closest(blocks);
    place = block && { block: block.id, kind: it.tagName, sign: sign(it) };
    opened = lists.filter((it) => document.querySelector(`${it}[open]`));
  });
  on("htmx:afterSwap", () => {
    for (const it of opened) document.querySelector(it)?.setAttribute("open", "");
    if (!place || document.activeElement !== document.body) return;
    const block = document.getElementById(place.block), alike = [...(block?.querySelectorAll(place.kind) ?? [])];
    const same = alike.find((it) => sign(it) === place.sign) ?? alike[0];
    // What lies folded away takes no focus.
    for (const it of [same, block?.querySelector("summary"), document.getElementById("main")]) {
      if (document.activeElement === document.body) it?.focus({ preventScroll: true });
    }
  });

  // What this phone has just written is heard as its page opens: a live region speaks only where its words change.
  const news = document.querySelector("[data-news]");
  if (news) {
    const words = news.textContent;
    news.textContent = "";
    setTimeout(() => (news.textContent = words), 500);
  }

  // A failure is said once, and goes when something works again.
  const trouble = document.getElementById("trouble");
  on("htmx:beforeSwap", (event) => {
    if (event.detail.isError && trouble?.textContent.trim()) event.detail.shouldSwap = false;
  });
  on("htmx:afterRequest", (event) => {
    const { successful, target } = event.detail;
    if (successful && target !== trouble) trouble?.replaceChildren();
  });

  // A link to a fault opens what the row is folded into; the browser does the rest.
  on("click", (event) => {
    const id = event.target.closest?.("#faults a")?.hash.slice(1);
    document.getElementById(id)?.closest("details")?.setAttribute("open", "");
  });
})();
