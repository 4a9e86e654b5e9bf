// The server learns the phone's time zone, and what it wrote by another clock is written anew, in the same words.
(() => {
  "use strict";
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `zone=${timeZone}; path=/; max-age=31536000; samesite=lax${secure}`;
  const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
  const { order, clock } = document.documentElement.dataset;
  const two = (number) => String(number).padStart(2, "0");
  const time = (at) => {
    const hours = at.getHours(), minutes = two(at.getMinutes());
    return clock === "12" ? `${hours % 12 || 12}:${minutes} ${hours < 12 ? "AM" : "PM"}` : `${two(hours)}:${minutes}`;
  };
  const day = (at, now) => {
    const month = MONTHS[at.getMonth()], year = at.getFullYear() === now.getFullYear() ? "" : at.getFullYear();
    if (order === "month") return `${month} ${at.getDate()}${year && `, ${year}`}`;
    return `${at.getDate()} ${month}${year && ` ${year}`}`;
  };
  const words = (at, now, what) => {
    if (what === "day") return day(at, now);
    return at.toDateString() === now.toDateString() ? time(at) : `${day(at, now)}, ${time(at)}`;
  };
  const write = () => {
    const now = new Date();
    for (const it of document.querySelectorAll("time[data-show]")) {
      const said = words(new Date(it.dateTime), now, it.dataset.show);
      if (it.textContent !== said) it.textContent = said;
    }
  };
  write();
  document.addEventListener("htmx:afterSettle", write);
})();
