// The round's clock on the wall: what the server says is left, counted on by this screen.
(() => {
  "use strict";
  let shown = null, ends = 0;
  const two = (number) => String(number).padStart(2, "0");
  const tick = () => {
    const clock = document.getElementById("clock");
    if (!clock) return;
    if (clock !== shown) [shown, ends] = [clock, performance.now() + clock.dataset.seconds * 1000];
    const left = Math.max(0, Math.ceil((ends - performance.now()) / 1000));
    clock.textContent = left ? `${Math.floor(left / 60)}:${two(left % 60)} left` : "Time is up";
  };
  tick();
  setInterval(tick, 500);
})();
