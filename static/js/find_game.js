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
  // A region that is drawn anew is silent: what was found is said in one that stays.
  const heard = document.getElementById("heard");
  document.addEventListener("htmx:afterSettle", () => {
    const found = document.querySelector("#found :is(h2,.far)").textContent;
    if (heard.textContent !== found) heard.textContent = found;
    if (document.activeElement !== words) words.value = document.getElementById("said").value;
    document.querySelector(".bottom-bar").hidden = document.querySelector("#bottom_bar a") === null;
  });
})();
