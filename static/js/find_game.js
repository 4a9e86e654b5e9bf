// One number of points wins: tapping one clears the one that was typed, and typing one clears the one that was tapped.
(() => {
  "use strict";
  const other = document.getElementById("other");
  document.addEventListener("change", (event) => {
    if (event.target.name === "target" && event.target.checked) other.value = "";
  }, true);
  other.addEventListener("input", () => {
    const tapped = document.querySelector("[name=target]:checked");
    if (tapped && other.value) tapped.checked = false;
  });
})();
