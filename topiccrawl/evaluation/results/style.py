"""Style sheet of the results page: light and dark; lines can be distinguished without color."""

#: CSS of the page.
STYLE = """
:root { color-scheme: light dark; --paper:#f6f5f2; --card:#fff; --ink:#1d2530; --muted:#5d6774;
  --line:#dfe1e4; --c0:#0b6b5f; --c1:#c2622d; --c2:#2f5fb3; --c3:#8a3fa0; --c4:#8a6d00; --c5:#b3423a; }
@media (prefers-color-scheme: dark) { :root { --paper:#12161b; --card:#1b2128; --ink:#e6e9ec;
  --muted:#98a3b0; --line:#303944; --c0:#4cc2ae; --c1:#ea9a63; --c2:#8ab0f0; --c3:#cf94e0;
  --c4:#d9bd4a; --c5:#e5746b; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1180px; padding: 16px 20px 48px; background: var(--paper);
  color: var(--ink); font: 15px/1.55 system-ui, -apple-system, "Segoe UI", "PingFang SC",
  "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0; } h2 { font-size: 1.1rem; margin: 0 0 12px; }
h3 { font-size: .95rem; margin: 18px 0 4px; }
.kicker { margin: 0; color: var(--c0); font-weight: 600; }
.note, footer, caption { color: var(--muted); font-size: .87rem; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 10px;
  padding: 18px 20px; margin: 16px 0; }
.scroll { overflow-x: auto; position: relative; }
table { border-collapse: collapse; width: 100%; font-size: .88rem; }
caption { text-align: left; padding: 0 0 6px; }
h2 + .scroll caption { position: absolute; clip-path: inset(50%); }
th, td { padding: 4px 10px 4px 0; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top; white-space: nowrap; font-variant-numeric: tabular-nums; }
thead th { color: var(--muted); font-weight: 600; vertical-align: bottom; white-space: normal;
  overflow-wrap: normal; word-break: keep-all; }
.n { text-align: right; } .best { font-weight: 700; }
tbody th { font-weight: 500; }
.chart { width: 100%; height: auto; display: block; }
/* narrower ones have letters that cannot be read: they scroll */
.scroll > .chart { min-width: 720px; }
.square { max-width: 520px; }
.chart text { fill: var(--muted); font-size: 12px; }
.grid { stroke: var(--line); } .axis { stroke: var(--muted); }
polyline, .key line { fill: none; stroke-width: 2; }
circle { fill: var(--muted); }
.c0 circle { fill: var(--c0); } .c1 circle { fill: var(--c1); } .c2 circle { fill: var(--c2); }
.c3 circle { fill: var(--c3); } .c4 circle { fill: var(--c4); } .c5 circle { fill: var(--c5); }
.other polyline, .other line { stroke: var(--muted); stroke-width: 1; opacity: .45; }
.limit polyline, .limit line { stroke: var(--ink); stroke-width: 1.2; }
.l0 polyline, .l0 line { stroke-dasharray: 7 4; } .l1 polyline, .l1 line { stroke-dasharray: 2 4; }
.band { stroke: none; opacity: .13; }
.c0 polyline, .c0 line { stroke: var(--c0); } .b0 { fill: var(--c0); }
.c1 polyline, .c1 line { stroke: var(--c1); stroke-dasharray: 12 3; } .b1 { fill: var(--c1); }
.c2 polyline, .c2 line { stroke: var(--c2); stroke-dasharray: 5 3; } .b2 { fill: var(--c2); }
.c3 polyline, .c3 line { stroke: var(--c3); stroke-dasharray: 12 3 2 3; } .b3 { fill: var(--c3); }
.c4 polyline, .c4 line { stroke: var(--c4); stroke-dasharray: 8 2 2 2 2 2; } .b4 { fill: var(--c4); }
.c5 polyline, .c5 line { stroke: var(--c5); stroke-dasharray: 3 2; } .b5 { fill: var(--c5); }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 4px 18px; padding: 0; margin: 14px 0 0; }
.key { width: 28px; height: 12px; margin-right: 6px; }
details { margin: 6px 0 0; } summary { cursor: pointer; color: var(--muted); font-size: .87rem; }
@media print { body { background: none; } section { break-inside: avoid; } }
"""
