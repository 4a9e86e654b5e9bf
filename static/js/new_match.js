// What the page of a new match says while it is filled in: who deals, and what is agreed.
(() => {
  "use strict";
  const on = (name, act) => document.addEventListener(name, act);

  // The start button says who deals; before that it names the first question that is open, and leads there.
  const start = document.querySelector("[data-start]");
  const isOpen = (asked) =>
    asked.querySelector("[type=radio]") && !asked.querySelector(":checked") &&
    !asked.querySelector(".other")?.value.trim() && getComputedStyle(asked).display !== "none";
  const say = () => {
    const open = [...document.querySelectorAll(".ask")].find(isOpen), button = start.parentElement;
    button.classList.toggle("no", Boolean(open));
    button.toggleAttribute("data-leads", Boolean(open));
    if (open) {
      button.dataset.leads = open.id;
      start.textContent = open.querySelector("legend > span").textContent.replace(/\??$/, "?");
      return;
    }
    const dealer = document.querySelector("[data-names]:checked");
    const name = dealer && document.getElementById(dealer.dataset.names).value.trim();
    const label = name ? start.dataset.start.split("{}") : [start.dataset.unnamed];
    if (name) label.splice(1, 0, Object.assign(document.createElement("bdi"), { textContent: name }));
    // A tap whose text is replaced between press and release is none in WebKit.
    const text = label.map((part) => part.textContent ?? part).join("");
    if (start.textContent !== text) start.replaceChildren(...label);
  };

  // The scores so far are those of the sides as they are named above.
  const seats = [...document.querySelectorAll("[data-names]")].map((dealer) =>
    document.getElementById(dealer.dataset.names)
  );
  const nameScores = (kind) => {
    const labels = document.querySelectorAll(`label[for^=paper-${kind}-]`);
    labels.forEach((label, side) => {
      const players = seats.filter((_, seat) => seat % labels.length === side);
      const isNamed = players.length === 1 || players.some((player) => player.value.trim());
      label.lastChild.textContent = " " + (
        document.getElementById(`side-${side}`)?.value.trim() ||
        (isNamed
          ? players.map((player) => player.value.trim() || player.placeholder).join(" & ")
          : document.querySelector(`label[for=side-${side}]`).textContent)
      );
    });
  };

  // The line above Start says what is agreed, with a pencil where that is not as printed.
  const agree = ({ target }) => {
    const asked = target.closest?.(".ask"), line = document.querySelector(`[data-term-of="${asked?.id}"]`);
    if (!line) return;
    const told = asked.querySelector(":checked"), first = asked.querySelector("[data-term]").dataset.term;
    const typed = asked.querySelector(".other")?.value.trim();
    if (!told && !typed) return;
    const term = line.querySelector(".ico + span");
    term.textContent = told ? told.dataset.term : first.replace(/\d+/, typed);
    term.classList.remove("unsaid");
    const isOwn = asked.querySelector(".by-book") && !told?.closest(".by-book");
    line.firstElementChild.classList.toggle("own", Boolean(isOwn));
  };
  for (const name of ["input", "change"]) {
    on(name, say);
    on(name, agree);
    on(name, () => ["score", "sets"].forEach(nameScores));
  }
  say();
})();
