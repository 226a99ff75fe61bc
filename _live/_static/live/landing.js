// The figure of the landing page: points to drag, λ and σ to slide. ridge.js computes.
//
// _ext/landing.py has drawn the picture with kernellab, for readers without JavaScript;
// here the same elements move. A point follows the mouse, a finger, or the arrow keys;
// Delete removes it; a click on an empty place adds one.
"use strict";

(() => {
  const root = document.querySelector(".kl-touch");
  const svg = root.querySelector(".kl-plot");
  const sketch = JSON.parse(svg.dataset.sketch); // axes, points, and the λ of the strip
  const [width, height] = sketch.size;
  const [low, high] = sketch.xlim;
  const [bottom, top] = sketch.tlim;
  const MAX_POINTS = 40;
  const STEP = 0.02; // of the picture, for each press of an arrow key
  const NEAR_BEST = 1.02; // times the smallest error: as good, to the eye
  const VERDICTS = {
    best: "Found: hardly any λ predicts unseen points better than this one.",
    small: "Too free: the curve chases the points, and misses what lies between them.",
    large: "Too stiff: the curve hardly listens to the points.",
  };

  const dots = svg.querySelector(".kl-dots");
  const slider = (name) => root.querySelector(`input[name="${name}"]`);
  const value = (name) => 10 ** Number(slider(name).value);
  let points = [];
  let waiting = false;

  // --- from numbers to the picture, and back -------------------------------------------

  const across = (x) => (width * (x - low)) / (high - low);
  const down = (t) => (height * (top - t)) / (top - bottom);
  const clamp = (v, least, most) => Math.min(Math.max(v, least), most);
  const write = (v) => String(Number(v.toPrecision(2))).replace("-", "−");
  const path = (places) => `M${places.map((xy) => xy.map((v) => v.toFixed(1)).join(" ")).join("L")}`;

  function underPointer({ clientX, clientY }) {
    const seen = svg.getBoundingClientRect();
    return [
      low + ((high - low) * (clientX - seen.left)) / seen.width,
      top - ((top - bottom) * (clientY - seen.top)) / seen.height,
    ];
  }

  // --- drawing -------------------------------------------------------------------------

  const set = (name, d) => root.querySelector(name).setAttribute("d", d);
  const say = (name, text) => (root.querySelector(`[data-number="${name}"]`).textContent = text);

  function draw() {
    const [x, t] = [points.map((p) => p.x), points.map((p) => p.t)];
    const [sigma, lam] = [value("sigma"), value("lam")];
    const fit = kernellabRidge.fit(x, t, sigma, lam);
    const errors = sketch.lams.map((one) => kernellabRidge.fit(x, t, sigma, one).error);
    drawCurve(fit);
    drawSticks(fit);
    drawErrors(errors, lam, fit.error);
    points.forEach(drawPoint);
    writeNumbers(fit, errors, lam);
  }

  function drawCurve(fit) {
    const step = (high - low) / (sketch.places - 1);
    const found = Array.from({ length: sketch.places }, (_, i) => {
      const u = low + i * step;
      return { u, ...fit.predict(u) };
    });
    const edge = (sign) =>
      found.map(({ u, mean, variance }) => [across(u), down(mean + sign * Math.sqrt(variance))]);
    set(".kl-curve", path(found.map(({ u, mean }) => [across(u), down(mean)])));
    set(".kl-band", `${path([...edge(2), ...edge(-2).reverse()])}Z`);
  }

  // From each point to where the curve would pass, had it not seen that point.
  function drawSticks({ leftOut }) {
    const stick = ({ x, t }, i) => `M${across(x).toFixed(1)} ${down(t).toFixed(1)}V${down(t - leftOut[i]).toFixed(1)}`;
    set(".kl-sticks", points.map(stick).join(""));
  }

  // The error along λ, the λ that is chosen, and the best one.
  function drawErrors(errors, lam, error) {
    const [wide, tall] = sketch.strip;
    const lams = sketch.lams;
    const most = Math.max(...errors, error);
    const spot = (one, e) => [
      (wide * Math.log(one / lams[0])) / Math.log(lams.at(-1) / lams[0]),
      tall * (0.92 - (0.84 * e) / most),
    ];
    set(".kl-errors", path(lams.map((one, i) => spot(one, errors[i]))));
    const best = errors.indexOf(Math.min(...errors));
    move(".kl-best", spot(lams[best], errors[best]));
    move(".kl-here", spot(lam, error));
  }

  function move(name, [x, y]) {
    const mark = root.querySelector(name);
    mark.setAttribute("cx", x.toFixed(1));
    mark.setAttribute("cy", y.toFixed(1));
  }

  function drawPoint({ dot, x, t }) {
    dot.setAttribute("transform", `translate(${across(x).toFixed(1)} ${down(t).toFixed(1)})`);
    dot.setAttribute("aria-valuenow", t.toFixed(2));
    dot.setAttribute("aria-valuetext", `x = ${write(x)}, t = ${write(t)}`);
  }

  function writeNumbers(fit, errors, lam) {
    const least = Math.min(...errors);
    const side = lam < sketch.lams[errors.indexOf(least)] ? "small" : "large";
    const verdict = fit.error <= NEAR_BEST * least ? "best" : side;
    root.dataset.verdict = verdict;
    say("verdict", VERDICTS[verdict]);
    say("error", write(fit.error));
    say("training", write(fit.training));
    for (const name of ["lam", "sigma"]) {
      say(name, write(value(name)));
      slider(name).setAttribute("aria-valuetext", write(value(name)));
    }
  }

  // Once for each frame, however often the pointer moves.
  function redraw() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw();
    });
  }

  // --- points --------------------------------------------------------------------------

  function add(x, t, dot) {
    const point = { dot };
    points.push(point);
    put(point, x, t);
    const told = { tabindex: 0, role: "slider", "aria-valuemin": bottom, "aria-valuemax": top };
    for (const key in told) dot.setAttribute(key, told[key]);
    dot.addEventListener("keydown", (event) => press(event, point));
    dot.addEventListener("pointermove", (event) => {
      if (dot.hasPointerCapture(event.pointerId)) put(point, ...underPointer(event));
    });
    number();
    return point;
  }

  // On a telephone points are close together: the nearest one is meant.
  dots.addEventListener("pointerdown", (event) => {
    const [x, t] = underPointer(event);
    const far = (point) => Math.hypot(across(point.x - x + low), down(point.t - t + top));
    const { dot } = points.reduce((one, other) => (far(other) < far(one) ? other : one));
    event.preventDefault(); // no text is selected on the way
    dot.focus({ preventScroll: true });
    dot.setPointerCapture(event.pointerId);
  });

  // A finger on a point moves it; elsewhere in the picture it scrolls the page. (Browsers
  // overlook the style touch-action inside an SVG.)
  dots.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });

  function put(point, x, t) {
    point.x = clamp(x, low, high);
    point.t = clamp(t, bottom, top);
    redraw();
  }

  function remove(point) {
    if (points.length < 3) return;
    const next = points[(points.indexOf(point) + 1) % points.length];
    points = points.filter((one) => one !== point);
    point.dot.remove();
    next.dot.focus();
    number();
    redraw();
  }

  function number() {
    points.forEach(({ dot }, i) => dot.setAttribute("aria-label", `point ${i + 1} of ${points.length}`));
  }

  function press(event, point) {
    if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      return remove(point);
    }
    const moves = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const [dx, dt] = moves[event.key] ?? [0, 0];
    if (!dx && !dt) return undefined;
    event.preventDefault();
    const step = STEP * (event.shiftKey ? 5 : 1);
    return put(point, point.x + dx * step * (high - low), point.t + dt * step * (top - bottom));
  }

  svg.addEventListener("click", (event) => {
    if (event.target.closest(".kl-dots") || points.length >= MAX_POINTS) return;
    const dot = dots.firstElementChild.cloneNode(true);
    dots.append(dot);
    add(...underPointer(event), dot).dot.focus({ preventScroll: true });
  });

  function start() {
    const given = [...dots.children].slice(0, sketch.points.length);
    dots.replaceChildren(...given);
    points = [];
    sketch.points.forEach(([x, t], i) => {
      const dot = given[i].cloneNode(true); // without what listened to the old one
      given[i].replaceWith(dot);
      add(x, t, dot);
    });
    for (const input of root.querySelectorAll("input")) input.value = input.defaultValue;
    redraw();
  }

  for (const input of root.querySelectorAll("input")) input.addEventListener("input", redraw);
  root.querySelector("[data-reset]").addEventListener("click", start);
  start();
  root.classList.add("kl-awake");
})();
