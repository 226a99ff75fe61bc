// Draws a scene, the plain data of kernellab/figures/scene.py, as SVG.
//
//   kernellabScene.expand(bundle, value)    a scene of a data file, written out
//   kernellabScene.blend(a, b, share)       a scene between two, for smooth moves
//   kernellabScene.draw(host, scene, look)  draws it into an element. `look` has the
//       colours and dashes of the data file. Returns the panels, each with its `svg` and
//       `place(event)`: the coordinates of a click, or null outside the axes
//
// The colours follow the page, light or dark. Where a raster has the same colours on both,
// what is drawn on it has them as well.
"use strict";

const kernellabScene = (() => {
  const PIXELS = 1.25; // a point of Matplotlib, on the screen
  const ROW = 560; // with so many pixels, panels stand side by side
  const TEXT = 13; // size of the numbers at the axes
  const INCHES = 8.2; // width of a figure in print, to which a scene's height refers

  // --- reading a data file (kernellab/figures/page.py) -------------------------------

  function expand(bundle, value) {
    if (Array.isArray(value)) return value.map((part) => expand(bundle, part));
    if (value === null || typeof value !== "object") return value;
    if ("=" in value) return expand(bundle, bundle.shared[value["="]]);
    const parts = {};
    for (const key in value) parts[key] = expand(bundle, value[key]);
    if ("from" in parts) return numbers(bundle.letters.shades, parts);
    if ("texts" in parts) return parts.names.map((name, i) => [name, parts.texts[i]]);
    if ("cells" in parts) parts.cells = cells(parts.cells);
    return parts;
  }

  // Two letters a number; the last pair is a break in a line.
  function numbers(letters, { from, to, text }) {
    const steps = letters.length ** 2 - 2;
    const found = [];
    for (let i = 0; i < text.length; i += 2) {
      const code = letters.indexOf(text[i]) * letters.length + letters.indexOf(text[i + 1]);
      found.push(code > steps ? null : from + ((to - from) * code) / steps);
    }
    return found;
  }

  function cells(text) {
    return text ? text.split("|").map((cell) => cell.replace(/^-/, "−")) : [];
  }

  // --- between two scenes --------------------------------------------------------------

  const MOVING = ["x", "y", "low", "high", "height", "size"];

  function blend(a, b, share) {
    if (a.panels.length !== b.panels.length) return b;
    const panels = b.panels.map(({ axes, marks }, i) => ({
      axes,
      marks: marks.map((mark, j) => between(a.panels[i].marks[j], mark, share)),
    }));
    return { ...b, panels };
  }

  // Marks of the same kind and length move; others are there at once.
  function between(old, mark, share) {
    if (!old || old.kind !== mark.kind || old.label !== mark.label) return mark;
    const moved = { ...mark };
    for (const key of MOVING) {
      const [u, v] = [old[key], mark[key]];
      if (!Array.isArray(u) || !Array.isArray(v) || u.length !== v.length) continue;
      if (u.includes(null) || v.includes(null)) continue;
      moved[key] = v.map((end, i) => u[i] + share * (end - u[i]));
    }
    return moved;
  }

  // --- numbers at the axes -------------------------------------------------------------

  const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

  function write(value, digits) {
    return value.toFixed(digits).replace("-", "−");
  }

  // Ticks at 1, 2, 2.5 or 5 times a power of ten, about `most` of them.
  function straightTicks(low, high, most) {
    const rough = (high - low) / most;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = power * [1, 2, 2.5, 5, 10].find((digit) => digit * power >= rough * 0.999);
    let digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    if (Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) > 1e-6) digits++;
    const ticks = [];
    for (let i = Math.ceil(low / step - 1e-6); i <= high / step + 1e-6; i++)
      ticks.push({ value: i * step, text: write(i * step + 0, digits) });
    return ticks;
  }

  // Powers of ten; if there are few of them, also 2 and 5 times these.
  function logTicks(low, high, most) {
    const first = Math.ceil(Math.log10(low) - 1e-9);
    const last = Math.floor(Math.log10(high) + 1e-9);
    const plain = first > -4 && last < 4; // or all as powers of ten
    const stride = Math.max(1, Math.ceil((last - first + 1) / most));
    const ticks = [];
    for (let p = first - 1; p <= last; p++)
      for (const digit of last - first < 2 ? [1, 2, 5] : [1]) {
        const value = digit * 10 ** p;
        const inside = value >= low * 0.999 && value <= high * 1.001;
        if (inside && (digit > 1 || (p - first) % stride === 0))
          ticks.push({ value, text: plain ? write(value, Math.max(0, -p)) : tenTo(digit, p) });
      }
    return ticks;
  }

  function tenTo(digit, power) {
    const raised = [...String(Math.abs(power))].map((c) => RAISED[c]).join("");
    const ten = `10${power < 0 ? "⁻" : ""}${raised}`;
    return digit === 1 ? ten : `${digit}·${ten}`;
  }

  // A map from the numbers of an axis to pixels, with its inverse and its ticks.
  function scale([low, high], [start, end], log) {
    const f = log ? Math.log10 : (value) => value;
    const back = log ? (value) => 10 ** value : (value) => value;
    const slope = (end - start) / (f(high) - f(low));
    const to = (value) => start + slope * (f(value) - f(low));
    to.invert = (pixel) => back(f(low) + (pixel - start) / slope);
    to.ticks = (space) => {
      const most = Math.max(2, Math.floor(Math.abs(end - start) / space));
      const ends = [Math.min(low, high), Math.max(low, high), most];
      return log ? logTicks(...ends) : straightTicks(...ends);
    };
    return to;
  }

  // --- elements ------------------------------------------------------------------------

  function make(name, attributes = {}, ...children) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key in attributes)
      if (attributes[key] !== undefined) element.setAttribute(key, attributes[key]);
    element.append(...children);
    return element;
  }

  const at = (pixel) => pixel.toFixed(2);

  function word(x, y, text, more) {
    return make("text", { x: at(x), y: at(y), "font-size": TEXT, ...more }, text);
  }

  // A path through points; null breaks it.
  function path(xs, ys, close = "") {
    let text = "";
    let drawing = false;
    xs.forEach((x, i) => {
      const point = x !== null && ys[i] !== null;
      if (point) text += `${drawing ? "L" : "M"}${at(x)} ${at(ys[i])}`;
      else if (drawing) text += close;
      drawing = point;
    });
    return drawing ? text + close : text;
  }

  // Outlines of markers of radius r, around the place to which the pen has moved.
  const MARKERS = {
    o: (r) => `m${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
    s: (r) => `m${-r} ${-r}h${2 * r}v${2 * r}h${-2 * r}z`,
    D: (r) => `m0 ${-r}l${r} ${r}l${-r} ${r}l${-r} ${-r}z`,
    "^": (r) => `m0 ${-r}l${r} ${2 * r}h${-2 * r}z`,
    v: (r) => `m0 ${r}l${r} ${-2 * r}h${-2 * r}z`,
    P: (r) => `m${-r} 0h${2 * r}m${-r} ${-r}v${2 * r}`,
    x: (r) => `m${-r} ${-r}l${2 * r} ${2 * r}m${-2 * r} 0l${2 * r} ${-2 * r}`,
    "|": (r) => `m0 ${-r}v${2 * r}`,
  };
  const STROKES = "Px|"; // markers without an inside

  function marker(mark, x, y, size) {
    const radius = Math.round(size * PIXELS * 50) / 100;
    return `M${at(x)} ${at(y)}${MARKERS[mark.marker ?? "o"](radius)}`;
  }

  // How a mark looks, in the picture and in the legend.
  function style(mark, look) {
    const colour = look.palette[mark.colour];
    if (mark.kind === "line") {
      const width = (mark.width ?? 2) * PIXELS;
      const dashes = look.dashes[mark.dash ?? "-"].map((part) => part * width);
      return {
        fill: "none",
        stroke: colour,
        "stroke-width": width,
        "stroke-dasharray": dashes.join(" ") || undefined,
        "stroke-linejoin": "round",
      };
    }
    if (mark.kind === "dots" && (mark.ring || STROKES.includes(mark.marker ?? "o")))
      return { fill: "none", stroke: colour, "stroke-width": (mark.ring || 1.8) * PIXELS };
    if (mark.kind === "band" || mark.kind === "area") {
      const opacity = mark.colour === "yellow" ? 0.6 : 0.35;
      return { fill: colour, "fill-opacity": opacity, "fill-rule": "evenodd" };
    }
    return { fill: colour };
  }

  // --- marks: each becomes a list of elements ------------------------------------------

  const all = (to, values) => values.map((value) => (value === null ? null : to(value)));

  const DRAW = {
    line: (mark, x, y, look) => [
      make("path", { d: path(all(x, mark.x), all(y, mark.y)), ...style(mark, look) }),
    ],
    area: (mark, x, y, look) => [
      make("path", { d: path(all(x, mark.x), all(y, mark.y), "Z"), ...style(mark, look) }),
    ],
    band: (mark, x, y, look) => {
      const there = all(x, mark.x);
      const edges = [...all(y, mark.low), ...all(y, mark.high).reverse()];
      const d = path([...there, ...there.slice().reverse()], edges, "Z");
      return [make("path", { d, ...style(mark, look) })];
    },
    dots: (mark, x, y, look) => {
      const size = (i) => (Array.isArray(mark.size) ? mark.size[i] : (mark.size ?? 6));
      const d = mark.x.map((value, i) => {
        const place = [x(value), y(mark.y[i])];
        return look.inside(...place) ? marker(mark, ...place, size(i)) : "";
      });
      return [make("path", { d: d.join(""), ...style(mark, look) })];
    },
    bars: (mark, x, y, look) =>
      mark.x.flatMap((place, i) => {
        const [left, right] = [x(place - 0.4), x(place + 0.4)];
        const [zero, end] = [y(0), y(mark.height[i])];
        const box = {
          x: at(left),
          y: at(Math.min(zero, end)),
          width: at(right - left),
          height: at(Math.abs(end - zero)),
        };
        const bar = make("rect", { ...box, ...style(mark, look) });
        return mark.hatch ? [bar, make("rect", { ...box, fill: look.hatch })] : [bar];
      }),
    words: (mark, x, y, look) =>
      mark.text.map((text, i) =>
        word(x(mark.x[i]), y(mark.y[i]), text, {
          "text-anchor": "middle",
          dy: "0.35em",
          fill: look.palette[mark.colour],
          "font-size": (mark.size ?? 11) * 1.15,
        }),
      ),
    raster: shades,
  };

  // One path for each shade, with neighbours of the same shade in one piece.
  function shades(mark, x, y, look) {
    const columns = mark.text.length / mark.rows;
    const [left, right, first, last] = mark.extent;
    const across = edges(x(left), x(right), columns);
    const down = edges(y(first), y(last), mark.rows);
    const pieces = {};
    for (let i = 0; i < mark.rows; i++)
      for (let j = 0, end; j < columns; j = end) {
        const letter = mark.text[i * columns + j];
        for (end = j + 1; end < columns && mark.text[i * columns + end] === letter; ) end++;
        const piece = `M${across[j]} ${down[i]}H${across[end]}V${down[i + 1]}H${across[j]}Z`;
        pieces[letter] = (pieces[letter] ?? "") + piece;
      }
    const { shades: letters, blank } = look.letters;
    delete pieces[blank];
    return Object.entries(pieces).map(([letter, d]) => {
      const share = letters.indexOf(letter) / (letters.length - 1);
      const [day, night] = [look.ramps, look.darkRamps].map(
        (ramps) => ramps[mark.colours] && ramp(ramps[mark.colours], share),
      );
      const fill = night ? `light-dark(${day}, ${night})` : day;
      return make("path", { d, fill, "shape-rendering": "crispEdges" });
    });
  }

  // In whole pixels: fine gaps would show between others.
  function edges(from, to, count) {
    const edge = (_, i) => Math.round(from + ((to - from) * i) / count);
    return Array.from({ length: count + 1 }, edge);
  }

  function ramp(colours, share) {
    const place = share * (colours.length - 1);
    const i = Math.min(Math.floor(place), colours.length - 2);
    const part = (colour, k) => parseInt(colour.slice(1 + 2 * k, 3 + 2 * k), 16);
    const mixed = [0, 1, 2].map((k) => {
      const [a, b] = [part(colours[i], k), part(colours[i + 1], k)];
      return Math.round(a + (place - i) * (b - a));
    });
    return `rgb(${mixed})`;
  }

  // --- panels --------------------------------------------------------------------------

  let drawn = 0; // for ids that no other panel of the page has

  // Width and height of each panel: side by side as in print, or one below the other.
  function sizes(scene, width) {
    const widths = scene.panels.map(({ axes }) => axes.width ?? 1);
    const total = widths.reduce((sum, one) => sum + one, 0);
    const height = ((scene.height ?? 3.4) - 0.4) / INCHES; // without the legend
    return widths.map((one) => {
      const share = one / total;
      if (width >= ROW) return [Math.floor(width * share), Math.max(240, width * height)];
      return [width, width * Math.min(Math.max(height / share, 0.62), 1)];
    });
  }

  function drawPanel({ axes, marks }, [width, height], look) {
    const [x, y, box] = layOut(axes, width, height);
    const name = `kl-panel-${++drawn}`;
    const clip = `url(#${name})`;
    const inside = (px, py) =>
      px > box.left - 1 && px < box.right + 1 && py > box.top - 1 && py < box.bottom + 1;
    const fixed = marks.some(({ kind, colours }) => kind === "raster" && !look.darkRamps[colours]);
    const palette = fixed ? look.palette : look.themed;
    const mine = { ...look, palette, inside, hatch: `url(#${name}-hatch)` };
    const svg = make(
      "svg",
      { viewBox: `0 0 ${width} ${at(height)}`, width, height: at(height), "aria-hidden": true },
      make("defs", {}, clipping(name, box), hatching(`${name}-hatch`, look.themed)),
      ...frame(axes, marks, box, x, y, look.themed),
      // Dots on the edge are whole; all else ends there.
      ...marks.map((mark) =>
        make(
          "g",
          mark.kind === "dots" ? {} : { "clip-path": clip },
          ...DRAW[mark.kind](mark, x, y, mine),
        ),
      ),
    );
    const place = (event) => {
      const seen = svg.getBoundingClientRect();
      const zoom = width / seen.width;
      const px = (event.clientX - seen.left) * zoom;
      const py = (event.clientY - seen.top) * zoom;
      return inside(px, py) ? [x.invert(px), y.invert(py)] : null;
    };
    return { svg, place };
  }

  // The box of the axes, and the scales that fill it.
  function layOut(axes, width, height) {
    const { ticks = true, log = [], equal = false } = axes;
    const below = (ticks ? 22 : 6) + (axes.x ? 20 : 2);
    let box = { left: 0, right: width - 12, top: axes.title ? 28 : 10, bottom: height - below };
    const logs = [log.includes("x"), log.includes("y")];
    let y = scale(axes.ylim, [box.bottom, box.top], logs[1]);
    const longest = ticks ? Math.max(...y.ticks(24).map(({ text }) => text.length)) : 0;
    box.left = (axes.y ? 22 : 4) + (ticks ? 8 + longest * TEXT * 0.58 : 4);
    if (equal) box = squared(box, axes);
    y = scale(axes.ylim, [box.bottom, box.top], logs[1]);
    return [scale(axes.xlim, [box.left, box.right], logs[0]), y, box];
  }

  // The largest box in which a unit is as long upwards as across.
  function squared(box, { xlim, ylim }) {
    const [wide, tall] = [xlim, ylim].map(([low, high]) => Math.abs(high - low));
    const unit = Math.min((box.right - box.left) / wide, (box.bottom - box.top) / tall);
    const spare = (box.right - box.left - unit * wide) / 2;
    const [left, right] = [box.left + spare, box.right - spare];
    return { left, right, top: box.top, bottom: box.top + unit * tall };
  }

  function clipping(id, { left, right, top, bottom }) {
    const box = { x: at(left), y: at(top), width: at(right - left), height: at(bottom - top) };
    return make("clipPath", { id }, make("rect", box));
  }

  function hatching(id, palette) {
    const tile = { width: 6, height: 6, patternUnits: "userSpaceOnUse" };
    const stripe = make("rect", { width: 2, height: 6, fill: palette.paper });
    return make("pattern", { id, ...tile, patternTransform: "rotate(45)" }, stripe);
  }

  // Grid, ticks and numbers, the two axes, their names and the title.
  function frame(axes, marks, box, x, y, palette) {
    const { ticks = true } = axes;
    const grid = !marks.some((mark) => mark.kind === "raster");
    const parts = [];
    const rule = (d, stroke, width) =>
      parts.push(make("path", { d, stroke, "stroke-width": width, fill: "none" }));
    const write = (px, py, text, more) =>
      parts.push(word(px, py, text, { fill: palette.ink, ...more }));

    for (const { value, text } of ticks ? x.ticks(56) : []) {
      const place = at(x(value));
      if (grid) rule(`M${place} ${at(box.top)}V${at(box.bottom)}`, palette.rule, 0.8);
      rule(`M${place} ${at(box.bottom)}v4`, palette.grey, 1);
      write(x(value), box.bottom + 18, text, { "text-anchor": "middle" });
    }
    for (const { value, text } of ticks ? y.ticks(24) : []) {
      const place = at(y(value));
      if (grid) rule(`M${at(box.left)} ${place}H${at(box.right)}`, palette.rule, 0.8);
      rule(`M${at(box.left)} ${place}h-4`, palette.grey, 1);
      write(box.left - 7, y(value), text, { "text-anchor": "end", dy: "0.35em" });
    }
    const corner = `V${at(box.bottom)}H${at(box.right)}`;
    rule(`M${at(box.left)} ${at(box.top)}${corner}`, palette.grey, 1);

    const name = { "text-anchor": "middle", "font-size": TEXT + 1 };
    const middle = (box.top + box.bottom) / 2;
    const turn = `translate(${at(ticks ? 15 : box.left - 9)} ${at(middle)}) rotate(-90)`;
    const below = box.bottom + (ticks ? 37 : 20);
    if (axes.x) write((box.left + box.right) / 2, below, axes.x, name);
    if (axes.y) write(0, 0, axes.y, { ...name, transform: turn });
    const bold = { "font-weight": 700, "font-size": TEXT + 2 };
    if (axes.title) write(box.left, box.top - 11, axes.title, bold);
    return parts;
  }

  // --- the legend: each label of any panel once ----------------------------------------

  function legend(scene, look) {
    const marks = scene.panels.flatMap((panel) => panel.marks);
    const labels = [...new Set(marks.map((mark) => mark.label).filter(Boolean))];
    const list = document.createElement("ul");
    list.className = "kl-legend";
    for (const label of labels) {
      const mark = marks.find((one) => one.label === label);
      const item = document.createElement("li");
      item.append(...(mark.kind === "raster" ? rampKey(mark, look) : [key(mark, look)]), label);
      list.append(item);
    }
    return list;
  }

  function key(mark, look) {
    const shape = {
      line: () => make("path", { d: "M2 8H34", ...style(mark, look) }),
      dots: () => {
        const size = Array.isArray(mark.size) ? 7 : Math.min(mark.size ?? 6, 10);
        return make("path", { d: marker(mark, 18, 8, size), ...style(mark, look) });
      },
    }[mark.kind];
    const area = () => make("rect", { x: 4, y: 2, width: 28, height: 12, ...style(mark, look) });
    const box = { viewBox: "0 0 36 16", width: 36, height: 16, "aria-hidden": true };
    return make("svg", box, (shape ?? area)());
  }

  function rampKey(mark, look) {
    const strip = document.createElement("span");
    strip.className = "kl-ramp";
    const colours = look.ramps[mark.colours].join(", ");
    strip.style.background = `linear-gradient(to right, ${colours})`;
    return [`${mark.ends[0]} `, strip, ` ${mark.ends[1]}\u2002`];
  }

  // Each named colour, as what it is on a light page and on a dark one.
  function themed({ palette, dark }) {
    const both = ([name, colour]) => [name, `light-dark(${colour}, ${dark[name]})`];
    return Object.fromEntries(Object.entries(palette).map(both));
  }

  function draw(host, scene, bundle) {
    const look = { ...bundle, themed: themed(bundle) };
    const width = Math.max(260, Math.floor(host.clientWidth));
    const places = sizes(scene, width);
    const panels = scene.panels.map((panel, i) => drawPanel(panel, places[i], look));
    const row = document.createElement("div");
    row.className = "kl-panels";
    row.append(...panels.map((panel) => panel.svg));
    host.replaceChildren(row, legend(scene, { ...look, palette: look.themed }));
    return panels;
  }

  return { expand, blend, draw };
})();
