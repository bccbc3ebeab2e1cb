"""The style of every page: readable on a phone, on a screen by day and by night, and on paper."""

from __future__ import annotations

STYLE = """:root { color-scheme: light dark; --ink: #1d2733; --soft: #4a5666; --paper: #fff;
  --rule: #d9dee5; --shade: #f4f6f8; --good: #6aa84f; --good-shade: #f1f7ee; --known: #1565c0;
  --known-shade: #eef4fb; --bad: #c62828; --bad-shade: #fdf0ee; --open: #ef6c00;
  --open-shade: #fff5e8; --bad-ink: #a31515; --good-ink: #2a6a2a; --link: #0b5394 }
@media screen and (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --soft: #b4bdc9;
  --paper: #14181d; --rule: #3a434e; --shade: #1e242b; --good: #6aa84f; --good-shade: #1c2a1a;
  --known: #64a5f0; --known-shade: #17263a; --bad: #ef6a5f; --bad-shade: #351c1a;
  --open: #f0a050; --open-shade: #33261a; --bad-ink: #ff9c92; --good-ink: #9bd68c;
  --link: #8ab8f0 } }
* { box-sizing: border-box }
body { font: 16px/1.5 system-ui, "Segoe UI", Helvetica, Arial, sans-serif; color: var(--ink);
  background: var(--paper); max-width: 1080px; margin: 0 auto; padding: 1.2rem 1rem 3rem;
  overflow-wrap: break-word }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .25rem }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; border-bottom: 1px solid var(--rule) }
h3 { font-size: 1rem; margin: 1.4rem 0 .4rem }
h1, h2, h3, h2 + p, h3 + p { break-after: avoid }
a { color: var(--link) }
.small, figcaption { color: var(--soft); font-size: 1rem }
.verdict { border-left: 6px solid var(--good); background: var(--good-shade); padding: .6rem .9rem }
.verdict b { display: block }
.verdict.tested { border-color: var(--known); background: var(--known-shade) }
.verdict.lost, .verdict.stopped { border-color: var(--bad); background: var(--bad-shade) }
.verdict.open { border-color: var(--open); background: var(--open-shade) }
.no, .bad { color: var(--bad-ink); font-weight: 600 } .yes { color: var(--good-ink) }
.scroll { overflow-x: auto; max-width: 100% }
table { border-collapse: collapse; font-size: 1rem }
th, td { text-align: left; vertical-align: top; padding: .25rem .9rem .25rem 0;
  border-bottom: 1px solid var(--rule) }
.number { text-align: right; font-variant-numeric: tabular-nums }
td.number { white-space: nowrap }
tr { break-inside: avoid } tr:first-child { break-after: avoid }
table:has(tr:nth-child(-n+12):last-child) { break-inside: avoid }
figure { margin: 1rem 0 1.6rem; break-inside: avoid }
figure img { display: block; background: #fff; width: 100%; min-width: var(--least, 780px);
  max-width: max(940px, var(--least, 0px)); height: auto }
pre { background: var(--shade); padding: .8rem; font-size: 1rem; overflow-x: auto }
@page { margin: 15mm }
@media print { body { max-width: none; padding: 0 } figure img { min-width: 0; width: auto;
  max-width: 100%; max-height: 215mm; margin: 0 auto }
  .scroll { overflow: visible } details { display: none }
  table { font-size: .75rem } th, td { padding-right: .4rem; min-width: 0 !important;
  white-space: normal !important; overflow-wrap: break-word } }
"""
