// Words and taps are one query: what is tapped is written into the words, and what is typed fills the taps. A number that is
// typed takes the place of the one that was tapped.
(() => {
  "use strict";
  const form = document.getElementById("find"), words = document.getElementById("q");
  const OTHERS = { other: "target", "other-bid": "bid" };
  const chosen = (field) => form.querySelector(`[name="${field}"]:checked`);
  form.addEventListener("change", (event) => {
    const other = Object.keys(OTHERS).find((it) => OTHERS[it] === event.target.name);
    if (other && event.target.checked) document.getElementById(other).value = "";
  }, true);
  form.addEventListener("input", (event) => {
    const tapped = chosen(OTHERS[event.target.name]);
    if (tapped && event.target.value) tapped.checked = false;
  });
  document.addEventListener("htmx:afterSettle", () => {
    if (document.activeElement !== words) words.value = document.getElementById("said").value;
    document.querySelector(".bottom-bar").hidden = document.querySelector("#bottom_bar a") === null;
  });
})();
