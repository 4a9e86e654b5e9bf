// One number wins, and one is the highest bid: tapping one clears the one that was typed, and typing one clears the one
// that was tapped. While a name is typed its games take the place of the questions.
(() => {
  "use strict";
  const form = document.getElementById("find");
  const chosen = (field) => form.querySelector(`[name="${field}"]:checked`);
  const PAIRS = [["target", "other"], ["bid", "other-bid"]];
  for (const [tapped, typed] of PAIRS) {
    const other = document.getElementById(typed);
    form.addEventListener("change", (event) => {
      if (event.target.name === tapped && event.target.checked) other.value = "";
    }, true);
    other.addEventListener("input", () => {
      const was = chosen(tapped);
      if (was && other.value) was.checked = false;
    });
  }
  const usual = form.querySelector(".usual");
  form.addEventListener("change", () => usual?.classList.toggle("assumed", !chosen("players")));
  document.addEventListener("htmx:afterSettle", () => {
    form.classList.toggle("named", document.querySelector("#found ul") !== null);
    document.querySelector(".bottom-bar").hidden = document.querySelector("#bottom_bar a") === null;
  });
})();
