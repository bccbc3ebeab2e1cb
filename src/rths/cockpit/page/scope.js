// Draws frames as they come, of a live test or of a replay: the last seconds of every signal.

import { Rolling } from "./rolling.js";
import { TimePlot } from "./time_plot.js";
import { XYPlot } from "./xy_plot.js";
import { byId } from "./dom.js";

const LOOP_POINTS = 900;
const SHORTEST = 12;  // ms between two pictures, with which at most some sixty a second are drawn

const TARGET = { name: "target", colour: "target", width: 3 };
const MEASURED = { name: "measured", colour: "measured", width: 1.5 };

export class Scope {
  // places: ids of the plots, by what they show; those that are left out are not drawn
  constructor(places) {
    const time = (key, lines, about) => places[key] && new TimePlot(byId(places[key]), lines, about);
    this.motion = time("motion", [TARGET, MEASURED], { unit: "m", label: "Target and measured displacement over time", least: 1e-6 });
    this.error = time("error", [{ colour: "measured", width: 1.5 }], { unit: "m", label: "Tracking error over time", least: 1e-7 });
    this.force = time("force", [{ colour: "force", width: 1.5 }], { unit: "N", label: "Force over time", least: 1e-3 });
    this.energy = time("energy", [{ colour: "command", width: 1.8 }], { unit: "J", label: "Energy put in by the tracking error, over time", least: 1e-6 });
    this.latency = time("latency", [{ colour: "command", width: 1 }], { unit: "s", label: "Latency of the ticks over time", least: 1e-6 });
    this.sync = places.sync && new XYPlot(byId(places.sync), { x: "target", y: "measured", xUnit: "m", yUnit: "m", diagonal: true, colour: "measured", label: "Measured over target displacement" });
    this.loop = places.loop && new XYPlot(byId(places.loop), { x: "displacement", y: "force", xUnit: "m", yUnit: "N", colour: "force", label: "Force over displacement" });
    this.seconds = 10;
    this.pause = 0;
    this.channel = 0;
    this.about = null;
  }

  begin(about) {
    this.about = about;
    this.kept = new Rolling(Math.ceil(about.history / (about.tick * about.stride)) + 2, about.columns.length);
    this.columns = Object.fromEntries(about.columns.map((name, k) => [name, k]));
    this.channel = Math.min(this.channel, Math.max(0, about.channels - 1));
    this.ask();
  }

  add(frame) {
    if (!this.about || frame.columns.length !== this.about.columns.length) return;
    this.kept.add(frame.columns, frame.count);
    this.ask();
  }

  ask() {
    if (this.asked) return;
    this.asked = true;
    // A slow machine draws less often, so that a press of STOP never waits behind pictures.
    setTimeout(() => requestAnimationFrame(() => {
      const begun = performance.now();
      this.asked = false;
      this.draw();
      this.pause = Math.max(SHORTEST, 3 * (performance.now() - begun));
    }), this.pause);
  }

  get time() {
    const ticks = this.kept ? this.kept.last(0, 1) : [];
    return ticks.length ? ticks[0] * this.about.tick : 0;
  }

  draw() {
    if (!this.about || document.hidden) return;
    const rate = 1 / (this.about.tick * this.about.stride);
    const count = Math.min(this.kept.length, Math.ceil(this.seconds * rate));
    const take = (name, most = count) => {
      const key = name === "latency" ? name : name + this.channel;
      return key in this.columns ? this.kept.last(this.columns[key], Math.min(most, count)) : null;
    };
    const ticks = this.kept.last(0, count);
    const t = Float64Array.from(ticks, (k) => k * this.about.tick);
    const end = Math.max(this.time, this.seconds);
    const range = [end - this.seconds, end];
    const [target, measured, force] = ["target", "measured", "force"].map((n) => take(n));
    if (this.motion && target && measured) this.motion.set([t, target, measured], range);
    if (this.error && target && measured) this.error.set([t, target.map((v, i) => v - measured[i])], range);
    if (this.force && force) this.force.set([t, force], range);
    const energy = take("energy");
    if (this.energy && energy) this.energy.set([t, energy], range);
    const latency = take("latency");
    if (this.latency && latency) this.latency.set([t, latency.map((v) => 1e-9 * v)], range);
    const [x, y, f] = ["target", "measured", "force"].map((n) => take(n, LOOP_POINTS));
    if (this.sync && x && y) this.sync.set({ x, y, fades: true });
    if (this.loop && y && f) this.loop.set({ x: y, y: f, fades: true });
  }
}
