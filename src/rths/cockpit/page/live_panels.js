// What is told of a test beside its plots: margin, guards, punctuality, machine, events.

import { errorText, make, setAttribute, setText } from "./dom.js";
import { clockTime, digits, milliseconds, show } from "./units.js";

const LEVELS = ["good", "warn", "bad"];

const setWidth = (element, share) => { element.style.width = `${100 * Math.min(1, Math.max(0, share || 0))}%`; };

export function showMargin(find, margin, certificate) {
  const card = find("margin-card");
  const limited = margin && margin.limit !== null && margin.limit !== undefined;
  const known = margin && margin.extra !== undefined && margin.extra !== null;
  const left = limited && known ? margin.limit - margin.extra : null;
  const used = left === null ? null : margin.extra / margin.limit;
  const level = used === null ? "" : used > 0.8 ? "bad" : used > 0.5 ? "warn" : "good";
  setAttribute(card, "data-level", level);
  setText(find("margin-figure"), left === null ? "–" : (1e3 * left).toFixed(2).replace("-", "−"));
  setText(find("margin-unit"), left === null ? "" : "ms of delay");
  setText(find("margin-told"), tellMargin(margin, limited, known));
  meter(find("meter-delay"), used, known ? `${milliseconds(margin.extra)} of ${limited ? milliseconds(margin.limit) : "no limit"}` : milliseconds(margin && margin.delay), level);
  const gain = margin && margin.relative_gain;
  const most = margin && margin.gain_limit;
  const share = gain && most ? (gain - 1) / (most - 1) : null;
  meter(find("meter-gain"), share, gain ? `${digits(gain)} × of ${most ? `${digits(most)} ×` : "no limit"}` : digits(margin && margin.gain), share > 0.8 ? "bad" : share > 0.5 ? "warn" : "good");
  setText(find("margin-certificate"), tellCertificate(certificate));
}

function tellCertificate(certificate) {
  if (!certificate) return "The certificate is being made.";
  return certificate.ok ? `Certificate: ${certificate.sentence}.` : `No certificate: ${errorText(certificate)}`;
}

function tellMargin(margin, limited, known) {
  if (!margin || margin.why) return margin && margin.why ? `Not told: ${margin.why}.` : "Waiting for motion.";
  if (margin.delay === undefined) return "The target hardly moves.";
  const late = `Measured is ${milliseconds(Math.abs(margin.delay))} ${margin.delay < 0 ? "early" : "late"}`;
  if (!known) return `${late}.`;
  if (!limited) return margin.searched ? `${late}; no limit up to ${milliseconds(margin.searched)}.` : `${late}; the certificate has no margin.`;
  if (margin.extra >= margin.limit) return `${late}: beyond the limit of the certificate.`;
  if (margin.seconds_left !== undefined && margin.seconds_left !== null) {
    return `${late} and growing: the limit is reached in ${digits(margin.seconds_left, 2)} s.`;
  }
  return `${late}, ${milliseconds(margin.planned)} in the rehearsal; not growing.`;
}

function meter(row, share, value, level) {
  setAttribute(row, "data-level", level || "");
  setWidth(row.querySelector(".fill"), share);
  setText(row.querySelector(".value"), value);
}

const ends = (guard) => guard.trip || guard.warn;

function shareOf(value, marks) {
  if (!marks) return 0;
  const [low, high] = marks;
  const end = value < 0 && Math.abs(low) < 1e300 ? low : high;
  return end ? value / end : 0;
}

export function buildGuards(place, guards) {
  place.replaceChildren(...guards.map((guard) => {
    const far = make("div", { class: "mark far" });
    const track = make("div", { class: "track" }, make("div", { class: "fill" }), far);
    const put = (name, share) => {
      const mark = make("div", { class: `mark ${name}`, title: name });
      mark.style.left = `${100 * share / 1.15}%`;
      track.append(mark);
    };
    if (guard.warn && guard.trip) put("warn", Math.min(1, shareOf(guard.warn[1], guard.trip)));
    put(guard.trip ? "trip" : "warn", 1);
    return make("li", {}, make("span", { text: guard.name, title: guard.watches }),
      make("span", {}, make("span", { class: "value" }), make("span", { class: "level" })), track);
  }));
}

export function showGuards(place, guards, states) {
  [...place.children].forEach((row, k) => {
    const guard = guards[k], state = states[k];
    if (!guard || !state) return;
    const share = Math.abs(shareOf(state.value, ends(guard)));
    setAttribute(row, "data-level", LEVELS[state.level] || "bad");
    setWidth(row.querySelector(".fill"), share / 1.15);
    row.querySelector(".far").style.left = `${100 * Math.min(1, Math.abs(shareOf(state.furthest, ends(guard))) / 1.15)}%`;
    const limit = ends(guard)[state.value < 0 ? 0 : 1];
    setText(row.querySelector(".value"), `${show(state.value, guard.unit || "")} of ${show(limit, guard.unit || "")}`);
    setText(row.querySelector(".level"), ["", "WARN", "TRIP"][state.level]);
  });
}

export function showFacts(place, facts) {
  while (place.children.length > 2 * facts.length) place.lastChild.remove();
  facts.forEach(([name, value], k) => {
    if (!place.children[2 * k]) place.append(make("dt"), make("dd"));
    setText(place.children[2 * k], name);
    setText(place.children[2 * k + 1], value);
  });
}

export function showPunctuality(place, found, slips) {
  const facts = [
    ["99 % of ticks late by", show(found.p99, "s")],
    ["worst", show(found.worst, "s")],
    ["periods slipped", String(slips ?? "–")],
  ];
  if (found.round_trip) facts.push(["round trip to the rig", show(found.round_trip, "s")]);
  if (found.missed !== undefined) facts.push(["replies missed in a row", String(found.missed)]);
  if (found.refused) facts.push(["packets refused", String(found.refused)]);
  showFacts(place, facts);
}

export function showMachine(place, machine) {
  const words = machine.map((a) => a.words).join("\n");
  if (place.dataset.told === words) return;
  place.dataset.told = words;
  place.replaceChildren(...machine.map((a) =>
    make("li", { class: a.granted ? "yes" : "no" }, make("b", { text: a.granted ? "yes" : "no" }), make("span", { text: a.words }))));
}

export function showEvents(place, events) {
  const key = `${events.length} ${events.length ? events[events.length - 1].time : ""}`;
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  place.replaceChildren(...[...events].reverse().map((e) =>
    make("li", {}, make("time", { datetime: e.time, title: e.time, text: clockTime(e.time) }),
      make("span", {}, make("b", { text: `${e.state} ` }), e.reason || ""))));
}
