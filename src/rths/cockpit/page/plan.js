// A plan before its test: a form, and what follows from every number in it.

import { Connection } from "./connection.js";
import { ask, byId, errorText, make, offerChannels, setText } from "./dom.js";
import { unpack } from "./frames.js";
import { buildForm, markErrors } from "./plan_form.js";
import { showFacts } from "./live_panels.js";
import { StabilityPlot } from "./stability_plot.js";
import { TimePlot, joinCurves } from "./time_plot.js";
import { XYPlot } from "./xy_plot.js";
import { digits, show } from "./units.js";

// sent: the question on its way, until its changes are in the text; waiting: the next one; left: the last question about
// a text that another has taken the place of; saves: whether to save when all is answered
let plots, connection, opened = null, found = null, text = "", serial = 0, answered = 0, undone = [], waiting = null, sent = null, left = 0, saves = false, isSound = false;

export function startPlan(about) {
  plots = {
    motion: new TimePlot(byId("plot-rehearsal"), [{ colour: "target", width: 3 }, { colour: "measured", width: 1.5 }], { unit: "m", label: "Target and measured displacement of the rehearsal", least: 1e-6 }),
    sync: new XYPlot(byId("plot-rehearsal-sync"), { x: "target", y: "measured", xUnit: "m", yUnit: "m", diagonal: true, colour: "measured", label: "Measured over target displacement of the rehearsal" }),
    loop: new XYPlot(byId("plot-rehearsal-loop"), { x: "displacement", y: "force", xUnit: "m", yUnit: "N", colour: "force", label: "Force over displacement of the rehearsal" }),
    chart: new StabilityPlot(byId("plot-chart")),
  };
  connection = new Connection("/what-if", take, connected);
  const select = byId("plan-file");
  select.replaceChildren(make("option", { value: "", text: about.plans.length ? "choose" : "no TOML file here" }),
    ...about.plans.map((name) => make("option", { value: name, text: name })));
  select.addEventListener("change", () => { if (select.value) open(select.value); });
  byId("plan-add").addEventListener("change", addTable);
  byId("plan-name").addEventListener("input", offerSave);
  byId("plan-channel").addEventListener("change", drawRehearsal);
  byId("plan-save").addEventListener("click", save);
  byId("plan-undo").addEventListener("click", undo);
  byId("plan-as-text").addEventListener("change", showForm);
  byId("plan-text").addEventListener("input", () => { remember(); replace(byId("plan-text").value); judge([], true); });
  addEventListener("beforeunload", (event) => { if (isChanged()) event.preventDefault(); });
  return (name) => {
    const wanted = name || (opened ? "" : about.plan);
    if (wanted && !(opened && opened.plan === wanted)) open(wanted);
  };
}

const isChanged = () => Boolean(opened) && (text !== opened.text || [sent, waiting].some((asked) => asked && asked.changes.length));
const isBusy = () => Boolean(waiting) || serial !== answered;

// Another text takes the place of this one: what is still answered about this one is not for it.
function replace(other) {
  text = other;
  left = serial;
  waiting = sent = null;
}

// What was not answered is asked again.
function connected(isThere) {
  answered = serial;
  if (sent) waiting = join(sent, waiting);
  sent = null;
  if (isThere && opened) judge([]);
}

const join = (first, second) => ({ changes: [...first.changes, ...(second ? second.changes : [])], form: first.form || Boolean(second && second.form) });

async function open(name) {
  const select = byId("plan-file");
  if (isChanged() && !confirm(`Leave the changes of ${opened.plan} without saving them?`)) {
    select.value = opened.plan;
    history.replaceState(null, "", `#plan/${encodeURIComponent(opened.plan)}`);
    return;
  }
  const told = await ask(`/api/plan?plan=${encodeURIComponent(name)}`);
  if (!told.text) { setText(byId("plan-errors"), errorText(told)); return; }
  opened = told;
  undone = [];
  saves = false;
  replace(told.text);
  byId("plan-text").value = text;
  select.value = byId("plan-name").value = told.plan;
  history.replaceState(null, "", `#plan/${encodeURIComponent(told.plan)}`);
  setText(byId("plan-title"), told.name || name);
  setText(byId("plan-told"), "");
  byId("plan-form").replaceChildren();
  fillForm(told);
  showForm();
  setText(byId("plan-errors"), told.ok ? "" : errorText(told));
  judge([]);
}

function fillForm(told) {
  buildForm(byId("plan-form"), told, change);
  byId("plan-add").replaceChildren(make("option", { value: "", text: "choose" }), ...(told.missing || []).map((t) => make("option", { value: t, text: t })));
}

// A table that the plan does not have yet: what it needs is then asked for at its fields.
function addTable() {
  const name = byId("plan-add").value;
  if (name && opened) change(name, {}, true);
}

function showForm() {
  const asText = byId("plan-as-text").checked;
  byId("plan-form").hidden = asText;
  byId("plan-text").hidden = !asText;
  if (asText) byId("plan-text").value = text;
}

const remember = () => { if (undone[undone.length - 1] !== text) undone.push(text); if (undone.length > 200) undone.shift(); };

function change(path, value, needsForm = false) {
  remember();
  judge([{ path, value }], needsForm);
}

// One question is on its way at a time: what changes meanwhile is asked for when its answer is there.
function judge(changes, needsForm = false) {
  waiting = join(waiting || { changes: [], form: false }, { changes, form: needsForm });
  byId("plan-results").setAttribute("aria-busy", "true");
  if (serial === answered) ship();
}

function ship() {
  const asked = waiting;
  waiting = null;
  serial += 1;
  if (connection.send({ text, serial, ...asked })) sent = asked;
  else { serial -= 1; waiting = asked; }
}

function undo() {
  if (!undone.length) return;
  replace(undone.pop());
  byId("plan-text").value = text;
  judge([], true);
}

function take(data) {
  const told = JSON.parse(data);
  const isOurs = told.serial > left;
  if (told.type === "text" && isOurs) { text = told.text; sent = null; if (byId("plan-as-text").checked) byId("plan-text").value = text; }
  if (told.type === "form" && told.ok && isOurs) {
    fillForm(told);
    if (waiting) waiting.form = true;  // the form is of before these changes
  }
  if (told.type === "judge") {
    answered = told.serial;
    sent = null;
    if (waiting) ship();
    if (isOurs) showJudgement(told);
    if (saves && !isBusy()) save();
  }
  if (!isOurs || told.serial !== serial) return;
  if (told.type === "margins") showMargins(told);
  if (told.type === "chart" && told.ok) showChart(told.chart);
}

function showJudgement(told) {
  const results = byId("plan-results");
  results.classList.toggle("stale", !told.ok);
  if (!isBusy()) results.setAttribute("aria-busy", "false");
  markErrors(byId("plan-form"), told.errors || []);
  setText(byId("plan-errors"), told.ok ? "" : errorText(told));
  isSound = told.ok;
  offerSave();
  byId("plan-undo").disabled = !undone.length;
  if (!told.ok) return;
  byId("verdict").classList.toggle("stale", !told.verdict);
  if (told.verdict) showVerdict(told);
  showModes(told.modes);
  for (const id of ["margins", "plot-chart"]) byId(id).classList.add("stale");
  showRehearsal(told.rehearsal);
  results.dataset.serial = told.serial;
}

function showVerdict(told) {
  const words = { proved: "proved stable", tested: "tested", unstable: "unstable", undecided: "not decided" };
  byId("verdict").dataset.verdict = told.verdict;
  setText(byId("verdict-word"), words[told.verdict] || told.verdict);
  setText(byId("verdict-sentence"), `${told.sentence}.`);
  byId("verdict-notes").replaceChildren(...told.notes.map((n) => make("li", { text: n })));
}

function showModes(modes) {
  const cells = (m) => [m && m.period ? digits(m.period) : "–", m && m.damping !== null ? digits(100 * m.damping) : "–"];
  byId("modes").tBodies[0].replaceChildren(...modes.map((m) =>
    make("tr", {}, make("th", { scope: "row", text: m.mode }), ...[m.alone, m.joined, m.loop].flatMap(cells).map((c) => make("td", { text: c })))));
}

function showMargins(told) {
  byId("margins").classList.remove("stale");
  byId("verdict").classList.remove("stale");
  if (!told.ok) { setText(byId("verdict-word"), "not judged"); setText(byId("verdict-sentence"), errorText(told)); return; }
  showVerdict(told);
  showModes(told.modes);
  const unit = (m) => (m.unit === "1" ? "" : m.unit);
  byId("margins").tBodies[0].replaceChildren(...(told.margins.length ? told.margins.map((m) =>
    make("tr", {}, make("th", { scope: "row", text: m.name }), make("td", { text: show(m.present, unit(m)) }),
      make("td", { text: m.critical === null ? `none ${m.searched < m.present ? "down" : "up"} to ${show(m.searched, unit(m))}` : show(m.critical, unit(m), 4) }),
      make("td", { text: m.frequency ? `${digits(m.frequency)} Hz` : "–" })))
    : [make("tr", {}, make("td", { colspan: 4, text: "Nothing is proved of this loop, so that it has no margins." }))]));
}

function showChart(chart) {
  byId("plot-chart").classList.remove("stale");
  plots.chart.show(chart);
  setText(byId("chart-told"), chart ? `The dot is the plan; ${chart.x.name} and ${chart.y.name}. Blue is stable, orange is not.` : "No chart: the loop is not linear at rest.");
}

function showRehearsal(rehearsal) {
  found = rehearsal;
  setText(byId("rehearsal-told"), found.verdict);
  offerChannels("plan-channel", found.channels.length);
  drawRehearsal();
}

function drawRehearsal() {
  const shown = found && found.channels[Number(byId("plan-channel").value) || 0];
  if (!shown) return;
  const curves = ["target", "measured"].filter((k) => shown.histories[k]).map((k) => ({ t: unpack(shown.histories[k].t), y: unpack(shown.histories[k].y) }));
  if (curves.length === 2) plots.motion.set(joinCurves(curves), [0, found.duration]);
  if (shown.loops) {
    const [target, measured, force] = ["target", "measured", "force"].map((k) => unpack(shown.loops[k]));
    plots.sync.set({ x: target, y: measured });
    plots.loop.set({ x: measured, y: force });
  }
  showFacts(byId("indices"), (shown.indices || []).map((i) => [i.name.replace(/[._]/g, " "), i.unit === "1" ? `${digits(100 * i.value)} %` : show(i.value, i.unit)]));
}

const nameToSave = () => byId("plan-name").value.trim();

function offerSave() {
  byId("plan-save").disabled = !opened || !isSound || !(isChanged() || nameToSave() !== opened.plan);
  if (isChanged() && byId("plan-told").textContent === "Saved.") setText(byId("plan-told"), "");
}

// Saves what is in the form: changes that are not yet in the text are waited for.
async function save() {
  saves = isBusy();
  if (saves) { setText(byId("plan-told"), "Saving…"); return; }
  if (!isSound) { setText(byId("plan-told"), "Not saved: see what is wrong."); return; }
  const name = nameToSave().replace(/(\.toml)?$/, ".toml");
  const from = opened, saved = text;
  const answer = await ask("/api/plan", { plan: name, text: saved, digest: name === from.plan ? from.digest : "" });
  if (opened !== from) return;  // another plan was opened meanwhile
  setText(byId("plan-told"), answer.ok ? "Saved." : errorText(answer));
  if (!answer.ok) return;
  opened = { ...from, plan: name, text: saved, digest: answer.digest };
  const select = byId("plan-file");
  if (![...select.options].some((o) => o.value === name)) select.append(make("option", { value: name, text: name }));
  select.value = byId("plan-name").value = name;
  history.replaceState(null, "", `#plan/${encodeURIComponent(name)}`);
  offerSave();
}
