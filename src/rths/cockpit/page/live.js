// The live test: what it shows, who operates it, and the stop, which comes before everything else.

import { Connection } from "./connection.js";
import { ask, byId, errorText, offerChannels, setText } from "./dom.js";
import { readFrame } from "./frames.js";
import { Panels } from "./panels.js";
import { digits } from "./units.js";

const STOPPABLE = ["armed", "ramping in", "running", "ramping out"];
const AGAIN = 400;
const SILENT = 5000;  // ms without a word: the state is told several times a second
const READ = 6000;  // ms for which a refusal stays to be read

// stopping: the run that was asked to stop and has not been seen to
let panels, connection, test = null, state = {}, operates = false, stopping = "", left = null, refused = -READ;

export function startLive() {
  panels = new Panels(byId("live-panels"));
  connection = new Connection("/live", take, connected, SILENT);
  byId("operator-name").value = localStorage.getItem("name") || "";
  byId("ack-by").value = byId("operator-name").value;
  const button = byId("stop");
  button.addEventListener("pointerdown", (event) => { if (event.button === 0) stop(); });
  button.addEventListener("click", () => stop());
  byId("desk").addEventListener("submit", (event) => { event.preventDefault(); operates ? stand() : sit(); });
  byId("ramp-out").addEventListener("click", () => connection.send({ act: "ramp out" }));
  byId("hand-over").addEventListener("click", () => connection.send({ act: "hand over", share: 1 }));
  byId("hand-back").addEventListener("click", () => connection.send({ act: "hand over", share: 0 }));
  byId("window").addEventListener("change", (e) => panels.setSeconds(Number(e.target.value)));
  byId("channel").addEventListener("change", (e) => panels.setChannel(Number(e.target.value)));
  byId("acknowledge").addEventListener("submit", acknowledge);
  addEventListener("keydown", obeyKey, true);
}

function connected(isThere) {
  const alert = byId("alert");
  alert.hidden = isThere;
  if (!isThere) {
    operates = false;
    setText(alert, "The cockpit does not answer. To stop the test, use its terminal (space) or the red button of the rig.");
    showPill("lost", "no connection");
    showDesk();
    return;
  }
  const secret = sessionStorage.getItem("secret");
  if (secret) connection.send({ act: "sit", name: byId("operator-name").value, secret });
  if (stopping) sendStop();
}

function take(data) {
  if (data instanceof ArrayBuffer) { panels.add(readFrame(data)); return; }
  const told = JSON.parse(data);
  if (told.type === "test") begin(told);
  else if (told.type === "state") show(told);
  else if (told.type === "answer") hear(told);
}

function begin(told) {
  if (test && told.run !== test.run) stopping = "";
  test = told;
  panels.begin(told);
  setText(byId("live-title"), told.name);
  byId("live-body").hidden = false;
  panels.setChannel(offerChannels("channel", told.channels));
  byId("share").hidden = byId("hand-over").hidden = byId("hand-back").hidden = true;
}

function show(told) {
  state = told;
  const phase = told.attached ? told.phase : "";
  showPill(phase, !told.attached ? "no test" : phase);
  showProblem(told.problem);
  showStop(phase);
  showDesk();
  if (!told.attached || !test) return;
  setText(byId("live-about"), tellTime(told));
  byId("live-progress").style.width = `${Math.min(100, 100 * told.time / test.duration)}%`;
  panels.show(told);
  const share = told.share;
  const operated = share !== null && share !== undefined;
  byId("share").hidden = byId("hand-over").hidden = byId("hand-back").hidden = !operated;
  if (operated) setText(byId("share"), `${digits(100 * share)} % measured`);
  byId("acknowledge").hidden = !(told.over && told.tripped);
  const link = byId("live-record");
  link.hidden = !told.recorded;
  link.href = `#runs/${encodeURIComponent(test.run)}`;
}

// What the cockpit complains of; it goes when the cause has gone.
function showProblem(problem) {
  const alert = byId("alert");
  if (problem) { setText(alert, problem); alert.dataset.problem = problem; alert.hidden = false; }
  else if (alert.dataset.problem) { delete alert.dataset.problem; alert.hidden = true; }
}

function tellTime(told) {
  const at = `${told.time.toFixed(1)} s of ${digits(test.duration)} s`;
  const watchers = told.pages === 1 ? "1 page open" : `${told.pages} pages open`;
  const end = told.over && told.events.length ? `${told.events[told.events.length - 1].reason}. ` : "";
  return `${end}${at}, ${watchers}, in ${test.run}`;
}

function showPill(stateName, text) {
  const pill = byId("pill");
  if (pill.dataset.state !== stateName) pill.dataset.state = stateName;
  setText(pill, text);
  document.title = text && text !== "no test" ? `${text} · rths cockpit` : "rths cockpit";
}

function showStop(phase) {
  const button = byId("stop");
  const can = STOPPABLE.includes(phase) && !state.over;
  button.disabled = !can;
  if (!can && state.attached) stopping = "";  // a cockpit that has come back may not have found the test yet
  setText(button, phase === "tripped" ? "TRIPPED" : stopping ? "STOPPING" : "STOP");
}

function stop() {
  if (byId("stop").disabled || stopping) return;
  stopping = test.run;
  sendStop();
  setText(byId("stop"), "STOPPING");
}

function sendStop() {
  const sent = connection.send({ act: "stop", name: byId("operator-name").value });
  if (!sent) setText(byId("alert"), "STOP could not be sent: use the terminal of the test (space) or the red button of the rig.");
  byId("alert").hidden = sent;
  clearTimeout(left);
  left = setTimeout(() => { if (stopping) sendStop(); }, AGAIN);
}

function sit() {
  const name = byId("operator-name").value.trim();
  localStorage.setItem("name", name);
  byId("ack-by").value = name;
  connection.send({ act: "sit", name });
}

function stand() {
  connection.send({ act: "stand" });
}

function hear(told) {
  const line = byId("operator-told");
  if (told.act === "sit") {
    operates = told.ok;
    if (told.ok) { sessionStorage.setItem("secret", told.secret); byId("operator-name").value = told.name; }
    else sessionStorage.removeItem("secret");
  }
  if (told.act === "stand" && told.ok) { operates = false; sessionStorage.removeItem("secret"); }
  if (!told.ok) { setText(line, told.told); refused = performance.now(); }
  else if (told.act !== "stop") setText(line, { sit: "You operate.", stand: "" }[told.act] ?? "Asked for.");
  showDesk();
}

function showDesk() {
  const active = operates && state.attached && !state.over;
  for (const id of ["ramp-out", "hand-over", "hand-back"]) byId(id).disabled = !active;
  byId("ramp-out").hidden = Boolean(test && !test.trips);
  setText(byId("sit"), operates ? "Stand up" : "Operate");
  byId("operator-name").readOnly = operates;
  if (performance.now() - refused < READ) return;
  if (!operates && state.operator) setText(byId("operator-told"), `${state.operator} operates; you watch.`);
  else if (!operates && byId("operator-told").textContent.endsWith("you watch.")) setText(byId("operator-told"), "");
}

// Space stops wherever nobody types. Beside the live test it is also what presses a button that has the focus.
function obeyKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || byId("stop").disabled) return;
  const takes = byId("part-live").hidden ? "input, textarea, select, button, summary, a" : "input, textarea, select";
  if (event.target.matches && event.target.matches(takes)) return;
  if (event.key === " ") { event.preventDefault(); event.stopPropagation(); stop(); return; }
  const act = { q: { act: "ramp out" }, m: { act: "hand over", share: 1 }, n: { act: "hand over", share: 0 } }[event.key];
  if (act && operates) connection.send(act);
}

async function acknowledge(event) {
  event.preventDefault();
  const told = byId("ack-told");
  setText(told, "Releasing the rig…");
  const given = { by: byId("ack-by").value, cause: byId("ack-cause").value, second: byId("ack-second").value };
  const answer = await ask(`/api/run/${encodeURIComponent(test.run)}/acknowledge`, given);
  setText(told, answer.ok ? answer.told : errorText(answer));
}
