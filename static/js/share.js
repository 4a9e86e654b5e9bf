// Where a phone can hand a file or a text on, a button for it shows up; everywhere else there is the file or the text itself.
(() => {
  "use strict";
  const pdf = { type: "application/pdf" };
  const typed = (button) => button.dataset.type ? { type: button.dataset.type } : pdf;
  const probe = (button) => navigator.canShare?.({ files: [new File([""], button.dataset.name, typed(button))] });
  const said = () => document.querySelector("[data-select]");
  const show = () => {
    for (const button of document.querySelectorAll("[data-share]")) button.hidden = !probe(button);
    for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
    for (const button of document.querySelectorAll("[data-send]")) {
      button.hidden = !navigator.share;
      const rest = button.nextElementSibling; // one main button, and the score is behind the arrow as well
      if (rest) rest.hidden = !button.hidden;
    }
    said()?.focus({ preventScroll: true });
    said()?.select();
  };

  // Over plain http there is no clipboard to write to, but what is selected can still be copied.
  const copy = async () => {
    const text = said();
    text.focus({ preventScroll: true });
    text.select();
    try {
      await navigator.clipboard.writeText(text.value);
      return true;
    } catch {
      return document.execCommand("copy");
    }
  };

  const sendFile = async (button) => {
    try {
      const answer = await fetch(button.dataset.share);
      if (!answer.ok) throw new Error(String(answer.status));
      const file = new File([await answer.blob()], button.dataset.name, typed(button));
      await navigator.share({ files: [file], title: button.dataset.name });
    } catch (error) {
      // Put away by whoever was asked: nothing to say. Anything else: the file itself opens.
      if (error.name !== "AbortError") location.assign(button.dataset.share);
    }
  };

  // A score is sent, or copied where the phone hands nothing on, without leaving its page, which makes the link first.
  const plain = (text) => {
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  };
  document.addEventListener("submit", async (event) => {
    const form = event.target.closest?.("form[data-share-page]");
    if (!form) return;
    event.preventDefault();
    try {
      const answer = await fetch(form.action, { method: "POST", body: new FormData(form) });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const text = page.querySelector("[data-select]").value;
      if (navigator.share) await navigator.share({ text });
      else if (navigator.clipboard) await navigator.clipboard.writeText(text);
      else if (!plain(text)) throw new Error("nothing is copied");
      if (navigator.share) return;
      for (const it of [form.querySelector("button span"), document.getElementById("announcement")]) {
        it.textContent = "Copied";
      }
    } catch (error) {
      if (error.name === "AbortError") return;
      delete form.dataset.sharePage;
      form.requestSubmit();
    }
  });

  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-share], [data-copy], [data-send]");
    if (!button) return;
    if (button.matches("[data-share]")) {
      await sendFile(button);
    } else if (button.matches("[data-send]")) {
      await navigator.share({ title: button.dataset.title, text: said().value }).catch(() => {});
    } else if (await copy()) {
      document.querySelector("[data-copied]").hidden = false;
    }
  });
  document.addEventListener("htmx:afterSwap", show);
  show();
})();
