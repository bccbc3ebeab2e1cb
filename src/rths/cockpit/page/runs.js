// Runs after their tests: one record, two side by side, a replay, report and certificate.

import { Connection } from "./connection.js";
import { ask, byId, errorText, make, offerChannels, setKeys, setText } from "./dom.js";
import { readFrame, unpack } from "./frames.js";
import { showEvents } from "./live_panels.js";
import { Panels } from "./panels.js";
import { TimePlot, joinCurves } from "./time_plot.js";
import { clockTime, digits, show } from "./units.js";
import { XYPlot } from "./xy_plot.js";

const LINES = [{ colour: "target", width: 3 }, { colour: "measured", width: 1.5 }];

// shown: the records that are drawn, one or two, by name; ticked: the runs that are chosen, the first before the second;
// asked: how often records were asked for, of which the last are shown; at: where the replay is, s
let ticked = [], plots, panels = null, chosen = "", replaying = null, shown = [], asked = 0, at = 0, root = "";

export function startRuns(about) {
  plots = {
    motion: new TimePlot(byId("plot-run"), LINES, { unit: "m", label: "Displacement over time", least: 1e-6 }),
    force: new TimePlot(byId("plot-run-force"), LINES.map((line) => ({ ...line })), { unit: "N", label: "Force over time", least: 1e-3 }),
    sync: new XYPlot(byId("plot-run-sync"), { x: "target", y: "measured", xUnit: "m", yUnit: "m", diagonal: true, colour: "measured", label: "Measured over target displacement" }),
    loop: new XYPlot(byId("plot-run-loop"), { x: "displacement", y: "force", xUnit: "m", yUnit: "N", colour: "force", label: "Force over displacement" }),
  };
  root = about.runs;
  byId("runs-refresh").addEventListener("click", list);
  byId("compare").addEventListener("click", compare);
  byId("replay").addEventListener("click", replay);
  byId("replay-end").addEventListener("click", endReplay);
  byId("replay-pause").addEventListener("click", pause);
  byId("replay-speed").addEventListener("change", () => { if (!isPaused()) sendSpeed(); });
  byId("replay-at").addEventListener("change", (e) => { if (replaying) replaying.send({ jump: Number(e.target.value) }); e.target.blur(); });
  byId("run-channel").addEventListener("change", (e) => { draw(); if (panels) panels.setChannel(Number(e.target.value)); });
  for (const page of ["report", "certificate"]) byId(`make-${page}`).addEventListener("click", () => makePage(page));
  list();
  return (name) => { if (name && name !== chosen) open(name); };
}

async function list() {
  const runs = await ask("/api/runs");
  setText(byId("runs-about"), runs.errors ? errorText(runs) : root);
  if (runs.errors) return;
  ticked = ticked.filter((name) => runs.some((run) => run.run === name && run.record));
  byId("runs").replaceChildren(...runs.map((run) => {
    const tick = make("input", { type: "checkbox", "aria-label": `choose ${run.run}`, disabled: !run.record, onchange: () => choose(run.run, tick.checked) });
    tick.checked = ticked.includes(run.run);
    const told = run.live ? "runs now" : run.message || (run.record ? "" : "no record yet");
    const button = make("button", { type: "button", onclick: () => open(run.run) }, run.run,
      make("small", { text: `${run.name || ""} ${clockTime(run.time, true)}` }), make("small", { text: told }));
    const made = ["report", "certificate"].filter((page) => run[page]);
    return make("li", { "data-run": run.run, "data-pages": made.join(" "), "data-shown": run.run === chosen }, tick, button);
  }));
  if (!runs.length) byId("runs").append(make("li", {}, make("span"), make("span", { text: "No runs here yet." })));
  offerCompare();
  if (chosen) showLinks();
}

const rows = () => [...document.querySelectorAll("#runs li[data-run]")];

function choose(name, is) {
  ticked = ticked.filter((each) => each !== name);
  if (is) ticked.push(name);
  offerCompare();
}

const offerCompare = () => { byId("compare").disabled = ticked.length !== 2; };

// Shows the records of one run or two; what cannot be read is said in their place.
function begin(title, told, names) {
  endReplay();
  byId("run-results").hidden = false;
  for (const li of rows()) li.toggleAttribute("data-shown", names.includes(li.dataset.run));
  setText(byId("run-name"), title);
  setText(byId("run-status"), "");
  byId("run-tools").hidden = !told.ok || names.length > 1;
  byId("record-panels").hidden = !told.ok;
  byId("differences").hidden = names.length < 2;
  byId("run-events-card").hidden = names.length > 1;
  byId("run-indices-card").classList.toggle("wide2", names.length > 1);
  if (!told.ok) setText(byId("run-told"), errorText(told));
}

async function open(name) {
  const mine = ++asked;
  const told = await ask(`/api/run/${encodeURIComponent(name)}/record`);
  if (mine !== asked) return;
  begin(name, told, [name]);
  chosen = name;
  history.replaceState(null, "", `#runs/${encodeURIComponent(name)}`);
  if (!told.ok) return;
  setText(byId("run-told"), `${told.name}: ${told.verdict}, ${digits(told.duration)} s`);
  showLinks();
  showEvents(byId("run-events"), told.events);
  shown = [{ name, ...told }];
  offerChannels("run-channel", told.channels.length);
  draw();
}

async function compare() {
  const [first, second] = ticked;
  const mine = ++asked;
  const told = await ask(`/api/compare?first=${encodeURIComponent(first)}&second=${encodeURIComponent(second)}`);
  if (mine !== asked) return;
  begin(`${first} and ${second}`, told, [first, second]);
  chosen = "";
  if (!told.ok) return;
  const count = told.plan.length;
  setText(byId("run-told"), `${count === 1 ? "1 field" : `${count} fields`} of the plans differ`);
  shown = told.records.map((r, k) => ({ ...r, name: [first, second][k] }));
  offerChannels("run-channel", Math.min(...shown.map((r) => r.channels.length)));
  const row = (...cells) => make("tr", {}, ...cells.map((c, k) => make(k ? "td" : "th", { text: c, scope: k ? null : "row" })));
  byId("difference-table").tBodies[0].replaceChildren(
    ...told.plan.map((p) => row(p.field, p.first, p.second, "")),
    ...told.signals.filter((s) => !s.identical).map((s) => row(s.name, show(s.peak_first, s.unit), show(s.peak_second, s.unit), show(s.largest, s.unit))));
  draw();
}

const curve = (h) => (h ? { t: unpack(h.t), y: unpack(h.y) } : { t: [], y: [] });

function draw() {
  if (!shown.length) return;
  const channel = Number(byId("run-channel").value) || 0;
  const each = shown.map((r) => r.channels[channel] || { histories: {} });
  const two = shown.length > 1;
  const end = Math.max(...shown.map((r) => r.duration));
  const lines = two ? each.map((c) => curve(c.histories.measured)) : ["target", "measured"].map((k) => curve(each[0].histories[k]));
  plots.motion.set(joinCurves(lines), [0, end]);
  Object.assign(plots.force.lines[0], two ? LINES[0] : { colour: "force" });
  plots.force.set(joinCurves(two ? each.map((c) => curve(c.histories.force)) : [curve(each[0].histories.force), { t: [], y: [] }]), [0, end]);
  setText(byId("run-plot-title"), two ? "Measured displacement" : "Motion");
  setKeys(byId("run-keys"), two ? shown.map((r) => r.name) : ["target", "measured"], ["target", "measured"]);
  const loops = each.map((c, k) => ({ ...Object.fromEntries(Object.entries(c.loops || {}).map(([n, v]) => [n, unpack(v)])), colour: two ? LINES[k].colour : undefined }))
    .filter((c) => c.target);
  plots.sync.set(...loops.map(({ target, measured, colour }) => ({ x: target, y: measured, colour })));
  plots.loop.set(...loops.map(({ measured, force, colour }) => ({ x: measured, y: force, colour })));
  showIndices(two);
}

function showIndices(two) {
  const [first, second] = shown.map((r) => new Map(r.all_indices.filter((i) => i.value !== null).map((i) => [i.name, i])));
  const table = byId("run-indices");
  table.tHead.hidden = !two;
  if (two) shown.forEach((r, k) => setText(byId(k ? "index-second" : "index-first"), r.name));
  const text = (i) => (!i ? "–" : i.unit === "1" ? digits(i.value) : show(i.value, i.unit));
  const names = [...new Set([...first.keys(), ...(two ? second.keys() : [])])];
  table.tBodies[0].replaceChildren(...names.map((n) => make("tr", {}, make("th", { scope: "row", text: n.replace(/[._]/g, " ") }),
    ...[first, ...(two ? [second] : [])].map((found) => make("td", { text: text(found.get(n)) })))));
}

function replay() {
  endReplay();
  panels ??= new Panels(byId("replay-panels"), "replay-");
  byId("replay-tools").hidden = byId("replay-panels").hidden = false;
  byId("record-panels").hidden = true;
  byId("replay-at").max = String(shown[0].duration);
  byId("replay-speed").value = "1";
  setText(byId("replay-pause"), "Pause");
  at = 0;
  replaying = new Connection(`/replay?run=${encodeURIComponent(chosen)}`, take, goOn);
}

// A replay begins as it is asked for, also when the cockpit comes back in its midst.
function goOn(isThere) {
  if (!isThere) setText(byId("run-status"), "The cockpit does not answer.");
  else if (replaying) { sendSpeed(); if (at) replaying.send({ jump: at }); }
}

function take(data) {
  if (!replaying) return;
  if (data instanceof ArrayBuffer) { panels.add(readFrame(data)); return; }
  const told = JSON.parse(data);
  if (told.type === "test") { panels.begin(told); panels.setChannel(Number(byId("run-channel").value) || 0); }
  if (told.type === "refused") { endReplay(); setText(byId("run-status"), told.told); }
  if (told.type !== "state") return;
  panels.show(told);
  at = told.at;
  if (document.activeElement !== byId("replay-at")) byId("replay-at").value = String(told.at);
  setText(byId("run-status"), `${told.over ? "replay, at its end" : isPaused() ? "replay, paused" : "replay"}, ${told.at.toFixed(1)} s`);
}

const isPaused = () => byId("replay-pause").textContent !== "Pause";

const sendSpeed = () => { if (replaying) replaying.send({ speed: isPaused() ? 0 : Number(byId("replay-speed").value) }); };

function pause() {
  setText(byId("replay-pause"), isPaused() ? "Pause" : "Go on");
  sendSpeed();
}

function endReplay() {
  if (replaying) { replaying.close(); setText(byId("run-status"), ""); }
  replaying = null;
  byId("replay-tools").hidden = byId("replay-panels").hidden = true;
  byId("record-panels").hidden = false;
}

async function makePage(page) {
  const run = chosen;
  setText(byId("run-status"), `The ${page} is being made…`);
  const answer = await ask(`/api/run/${encodeURIComponent(run)}/${page}`, {});
  if (run === chosen) setText(byId("run-status"), answer.ok ? `The ${page} is made.` : errorText(answer));
  if (answer.ok) await list();
}

// The pages about a run that were made.
function showLinks() {
  const row = rows().find((li) => li.dataset.run === chosen);
  const made = row && row.dataset.pages ? row.dataset.pages.split(" ") : [];
  byId("run-links").replaceChildren(...made.map((p) =>
    make("a", { href: `/run/${encodeURIComponent(chosen)}/${p}.html`, target: "_blank", rel: "noopener", text: `Open the ${p}` })));
}
