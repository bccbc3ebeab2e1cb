// Runs after their tests: one record, two side by side, a replay, report and certificate.

import { Connection } from "./connection.js";
import { ask, byId, errorText, make, setText } from "./dom.js";
import { readFrame, unpack } from "./frames.js";
import { showEvents, showFacts } from "./live_panels.js";
import { Scope } from "./scope.js";
import { joinCurves } from "./time_plot.js";
import { digits, show } from "./units.js";

let scope, chosen = null, replaying = null, seconds = 0;

export function startRuns(about) {
  scope = new Scope({ motion: "plot-run", sync: "plot-run-sync", loop: "plot-run-loop", force: "plot-run-force" });
  setText(byId("runs-about"), about.runs);
  byId("runs-refresh").addEventListener("click", list);
  byId("compare").addEventListener("click", compare);
  byId("replay").addEventListener("click", replay);
  byId("replay-end").addEventListener("click", () => { endReplay(); open(chosen); });
  byId("replay-pause").addEventListener("click", pause);
  byId("replay-speed").addEventListener("change", (e) => replaying && replaying.send({ speed: Number(e.target.value) }));
  byId("replay-at").addEventListener("change", (e) => replaying && replaying.send({ jump: Number(e.target.value) }));
  for (const page of ["report", "certificate"]) byId(`make-${page}`).addEventListener("click", () => makePage(page));
  list();
}

async function list() {
  const runs = await ask("/api/runs");
  byId("runs").replaceChildren(...runs.map((run) => {
    const tick = make("input", { type: "checkbox", "aria-label": `choose ${run.run}`, disabled: !run.record });
    tick.addEventListener("change", () => { byId("compare").disabled = ticked().length !== 2; });
    const told = run.live ? "runs now" : run.message || (run.record ? "" : "no record yet");
    const button = make("button", { type: "button", onclick: () => open(run.run) }, run.run,
      make("small", { text: `${run.name || ""} ${run.time.slice(0, 16).replace("T", " ")}` }), make("small", { text: told }));
    return make("li", { "data-run": run.run }, tick, button);
  }));
  if (!runs.length) byId("runs").append(make("li", {}, make("span"), make("span", { text: "No runs here yet." })));
  const asked = location.hash.split("/")[1];
  if (asked && runs.some((r) => r.run === decodeURIComponent(asked))) open(decodeURIComponent(asked));
}

const ticked = () => [...document.querySelectorAll("#runs li")].filter((li) => li.querySelector("input")?.checked).map((li) => li.dataset.run);

async function open(name) {
  endReplay();
  const told = await ask(`/api/run/${encodeURIComponent(name)}/record`);
  byId("run-results").hidden = false;
  byId("differences").hidden = true;
  for (const li of document.querySelectorAll("#runs li")) li.toggleAttribute("data-shown", li.dataset.run === name);
  chosen = name;
  setText(byId("run-name"), name);
  setText(byId("run-status"), "");
  byId("run-tools").hidden = !told.ok;
  if (!told.ok) { setText(byId("run-told"), errorText(told)); return; }
  setText(byId("run-told"), `${told.name}: ${told.verdict}, ${digits(told.duration)} s`);
  seconds = told.duration;
  setKeys(["target", "measured"]);
  setText(byId("run-plot-title"), "Motion");
  showLinks(name, []);
  showRecord(told);
}

function showRecord(told) {
  const shown = told.channels[0];
  if (!shown) return;
  const curve = (h) => ({ t: unpack(h.t), y: unpack(h.y) });
  const { target, measured, force } = shown.histories;
  if (target && measured) scope.motion.set(joinCurves([curve(target), curve(measured)]), [0, told.duration]);
  if (force) { const f = curve(force); scope.force.set([f.t, f.y], [0, told.duration]); }
  if (shown.loops) {
    const [x, y, f] = ["target", "measured", "force"].map((k) => unpack(shown.loops[k]));
    scope.sync.set({ x, y });
    scope.loop.set({ x: y, y: f });
  }
  const rows = told.all_indices.filter((i) => i.value !== null);
  showFacts(byId("run-indices"), rows.map((i) => [i.name.replaceAll("_", " "), i.unit === "1" ? digits(i.value) : show(i.value, i.unit)]));
  showEvents(byId("run-events"), told.events);
}

function setKeys(names, classes = names) {
  byId("run-keys").replaceChildren(...names.map((n, k) => make("span", {}, make("i", { class: classes[k] }), n)));
}

async function compare() {
  endReplay();
  const [first, second] = ticked();
  const told = await ask(`/api/compare?first=${encodeURIComponent(first)}&second=${encodeURIComponent(second)}`);
  byId("run-results").hidden = false;
  byId("run-tools").hidden = true;
  setText(byId("run-name"), `${first} and ${second}`);
  if (!told.ok) { setText(byId("run-told"), errorText(told)); return; }
  setText(byId("run-told"), `${told.plan.length} fields of the plans differ`);
  setText(byId("run-plot-title"), "Measured displacement");
  setKeys([first, second], ["first", "measured"]);
  const curves = (name) => (told.histories[name] || []).map((h) => ({ t: unpack(h.t), y: unpack(h.y) }));
  const measured = curves("transfer.displacement"), force = curves("feedback.force"), target = curves("integrator.target");
  if (measured.length) { scope.motion.set(joinCurves(measured), null); }
  if (force.length) scope.force.set([force[0].t, force[0].y], null);
  if (target.length && target[0].y.length === measured[0].y.length) scope.sync.set(...[0, 1].map((k) => ({ x: target[k].y, y: measured[k].y, colour: k ? "measured" : "target" })));
  if (measured.length && force.length) scope.loop.set(...[0, 1].map((k) => ({ x: measured[k].y, y: force[k].y, colour: k ? "measured" : "target" })));
  showFacts(byId("run-indices"), []);
  byId("run-events").replaceChildren();
  byId("differences").hidden = false;
  const row = (...cells) => make("tr", {}, ...cells.map((c, k) => make(k ? "td" : "th", { text: c, scope: k ? null : "row" })));
  byId("difference-table").tBodies[0].replaceChildren(
    ...told.plan.map((p) => row(p.field, p.first, p.second, "")),
    ...told.signals.filter((s) => !s.identical).map((s) => row(s.name, show(s.peak_first, s.unit), show(s.peak_second, s.unit), show(s.largest, s.unit))));
}

function replay() {
  endReplay();
  byId("replay-tools").hidden = false;
  byId("replay-at").max = String(seconds);
  setText(byId("replay-pause"), "Pause");
  replaying = new Connection(`/replay?run=${encodeURIComponent(chosen)}`, (data) => {
    if (data instanceof ArrayBuffer) { scope.add(readFrame(data)); return; }
    const told = JSON.parse(data);
    if (told.type === "test") scope.begin(told);
    if (told.type === "refused") { setText(byId("run-status"), told.told); endReplay(); }
    if (told.type === "state") {
      if (document.activeElement !== byId("replay-at")) byId("replay-at").value = String(told.time);
      setText(byId("run-status"), `${told.phase}, ${told.time.toFixed(1)} s`);
    }
  });
}

function pause() {
  if (!replaying) return;
  const paused = byId("replay-pause").textContent === "Pause";
  replaying.send({ speed: paused ? 0 : Number(byId("replay-speed").value) });
  setText(byId("replay-pause"), paused ? "Go on" : "Pause");
}

function endReplay() {
  if (replaying) replaying.close();
  replaying = null;
  byId("replay-tools").hidden = true;
  scope.about = null;
}

async function makePage(page) {
  setText(byId("run-status"), `The ${page} is being made…`);
  const answer = await ask(`/api/run/${encodeURIComponent(chosen)}/${page}`, {});
  setText(byId("run-status"), answer.ok ? "" : errorText(answer) || answer.told);
  if (answer.ok) showLinks(chosen, [page]);
}

function showLinks(name, pages) {
  byId("run-links").replaceChildren(...pages.map((p) =>
    make("a", { href: `/run/${encodeURIComponent(name)}/${p}.html`, target: "_blank", rel: "noopener", text: `Open the ${p}` })));
}
