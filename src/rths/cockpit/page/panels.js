// The panels of a test that is watched, live or played again: plots, margin, guards, events.

import { byId, fillKeys } from "./dom.js";
import { buildGuards, showEvents, showGuards, showMachine, showMargin, showPunctuality } from "./live_panels.js";
import { Rolling } from "./rolling.js";
import { Scope } from "./scope.js";
import { TimePlot } from "./time_plot.js";
import { digits } from "./units.js";

const DELAYS = 130;  // estimates that are kept: a minute of two a second, and some

export class Panels {
  // place: where they go; before: what is put before the names of their elements
  constructor(place, before = "") {
    const made = byId("panels").content.cloneNode(true);
    for (const element of made.querySelectorAll("[id]")) element.id = before + element.id;
    fillKeys(made);
    place.append(made);
    this.find = (id) => byId(before + id);
    const names = ["motion", "error", "energy", "latency", "sync", "loop"];
    this.scope = new Scope(Object.fromEntries(names.map((n) => [n, `${before}plot-${n}`])));
    this.delayPlot = new TimePlot(this.find("plot-delay"), [{ colour: "measured", width: 2 }], { unit: "s", label: "Delay of the measured motion over time, with the limit of the certificate", least: 1e-4, marks: () => this.limitMarks() });
    this.about = null;
    this.state = {};
  }

  get margin() { return (this.state.margins || [])[this.scope.channel]; }

  limitMarks() {
    const margin = this.margin;
    if (!margin || margin.limit === null || margin.limit === undefined) return [];
    const at = margin.planned + margin.limit;
    return [{ at, name: `lost at ${digits(1e3 * at)} ms`, colour: "bad", shown: margin.extra > 0.3 * margin.limit }];
  }

  begin(about) {
    this.about = about;
    this.state = {};
    this.scope.begin(about);
    this.resetDelays();
    buildGuards(this.find("guards"), about.guards);
  }

  resetDelays() {
    this.delays = new Rolling(DELAYS, 2);
    for (const [t, ...each] of (this.about && this.about.delays) || []) this.delays.add([[t], [each[this.scope.channel]]], 1);
  }

  setChannel(channel) {
    this.scope.channel = channel;
    this.resetDelays();
    this.scope.ask();
  }

  setSeconds(seconds) {
    this.scope.seconds = seconds;
    this.scope.ask();
  }

  add(frame) { this.scope.add(frame); }

  show(told) {
    if (!this.about) return;
    const before = this.margin;
    this.state = told;
    const margin = this.margin;
    showMargin(this.find, margin, told.certificate);
    showGuards(this.find("guards"), this.about.guards, told.guards);
    showPunctuality(this.find("punctuality"), told.punctuality, told.slips);
    showEvents(this.find("events"), told.events);
    showMachine(this.find("machine"), told.machine);
    if (margin && margin.delay !== undefined && !(before && before.at === margin.at)) this.delays.add([[margin.at], [margin.delay]], 1);
    const end = Math.max(told.time, this.scope.seconds);
    this.delayPlot.set([this.delays.last(0, DELAYS), this.delays.last(1, DELAYS)], [end - this.scope.seconds, end]);
  }
}
