// Where a phone can hand a file on, a button for it shows up; everywhere else there is the file itself.
(() => {
  "use strict";
  const probe = () => navigator.canShare?.({ files: [new File([""], "sheet.pdf", { type: "application/pdf" })] });
  const show = () => {
    for (const button of document.querySelectorAll("[data-share]")) button.hidden = !probe();
  };
  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-share]");
    if (!button) return;
    try {
      const answer = await fetch(button.dataset.share);
      if (!answer.ok) throw new Error(String(answer.status));
      const file = new File([await answer.blob()], button.dataset.name, { type: "application/pdf" });
      await navigator.share({ files: [file], title: button.dataset.name });
    } catch (error) {
      // Put away by whoever was asked: nothing to say. Anything else: the file itself opens.
      if (error.name !== "AbortError") location.assign(button.dataset.share);
    }
  });
  document.addEventListener("htmx:afterSwap", show);
  show();
})();
