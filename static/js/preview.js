// The picture of a page that is still being drawn is asked for again until it is there.
(() => {
  "use strict";
  const SECONDS = 2; // where the answer does not say when to ask again
  const ask = async (image) => {
    const preparing = image.nextElementSibling;
    preparing.hidden = false;
    const answer = await fetch(image.src).catch(() => null);
    if (answer?.ok) image.src = answer.url; // it is drawn, and what was asked for is kept
    else if (!answer || [429, 503].includes(answer.status)) {
      setTimeout(ask, 1000 * (Number(answer?.headers.get("Retry-After")) || SECONDS), image);
    } else preparing.hidden = true;
  };
  const isPicture = (it) => it.matches?.("#preview img");
  document.addEventListener("error", (event) => isPicture(event.target) && ask(event.target), true);
  document.addEventListener(
    "load",
    ({ target }) => isPicture(target) && (target.nextElementSibling.hidden = true),
    true,
  );
  for (const image of document.querySelectorAll("#preview img")) {
    if (image.complete && !image.naturalWidth) ask(image); // it came to nothing before this was read
  }
})();
