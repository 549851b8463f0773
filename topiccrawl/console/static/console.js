// Improvements for browsers with scripts; every view works without them.
(() => {
  "use strict";

  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  // Charts: {title, x: seconds or texts, labels, series: [{name, values}], kind: "line" | "bars"}.
  const draw = (box) => {
    if (box.dataset.drawn || !window.uPlot) return;
    box.dataset.drawn = "yes";
    const data = JSON.parse(box.dataset.chart);
    const isTime = data.x.every((value) => typeof value === "number") && !data.labels;
    const x = isTime ? data.x : data.x.map((_value, at) => at);
    const names = data.labels || data.x;
    const strokes = [color("--accent"), color("--second"), color("--link"), color("--fail"), color("--muted")];
    const axis = { stroke: color("--muted"), grid: { stroke: color("--line"), width: 1 }, ticks: { stroke: color("--line") } };
    const bars = data.kind === "bars" ? uPlot.paths.bars({ size: [0.8, 40] }) : undefined;
    const chart = new uPlot({
      width: Math.max(box.clientWidth, 200),
      height: 240,
      scales: { x: { time: isTime } },
      axes: [
        { ...axis, values: isTime ? undefined : (_plot, splits) => splits.map((at) => (Number.isInteger(at) ? names[at] ?? "" : "")) },
        { ...axis, size: 56 },
      ],
      series: [
        isTime ? {} : { label: "", value: (_plot, at) => names[at] ?? "" },
        ...data.series.map((one, at) => ({
          label: one.name, stroke: strokes[at % strokes.length], width: 2, paths: bars,
          fill: bars ? strokes[at % strokes.length] : undefined, points: { show: x.length < 40 },
        })),
      ],
    }, [x, ...data.series.map((one) => one.values)], box);
    new ResizeObserver(() => chart.setSize({ width: Math.max(box.clientWidth, 200), height: 240 })).observe(box);
  };
  const prepare = (root) => {
    root.querySelectorAll("[data-chart]").forEach(draw);
    root.querySelectorAll("select[data-submit], input[data-submit]").forEach((field) => {
      field.addEventListener("change", () => field.form.requestSubmit());
    });
    root.querySelectorAll("form[data-confirm], button[data-confirm]").forEach((it) => {
      const form = it.form || it;
      form.addEventListener("submit", (event) => {
        if (it === form || event.submitter === it) {
          if (!window.confirm(it.dataset.confirm)) event.preventDefault();
        }
      });
    });
  };

  // On a narrow screen the sections scroll sideways: show the one that is open.
  const showSection = () => {
    const list = document.querySelector(".sections ul");
    const open = list && list.querySelector("[aria-current]");
    if (open) list.scrollLeft = open.offsetLeft - list.offsetLeft - (list.clientWidth - open.offsetWidth) / 2;
  };

  document.addEventListener("DOMContentLoaded", () => {
    prepare(document);
    showSection();
  });
  document.addEventListener("htmx:afterSwap", (event) => prepare(event.detail.target));

  // A menu closes when something else is chosen.
  document.addEventListener("click", (event) => {
    document.querySelectorAll("details.menu[open]").forEach((menu) => {
      if (!menu.contains(event.target)) menu.open = false;
    });
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      document.querySelectorAll("details.menu[open]").forEach((menu) => {
        menu.open = false;
        menu.querySelector("summary").focus();
      });
      return;
    }
    const typing = event.target.closest("input, textarea, select, [contenteditable]");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const found = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    if (found) {
      event.preventDefault();
      if (found.matches("input, textarea, select")) { found.focus(); } else { found.click(); }
    }
  });
})();
