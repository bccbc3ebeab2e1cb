// A plot over time by uPlot: lines that differ in width and dash, and marks at given values.

import uPlot from "./vendor/uPlot.esm.js";
import { colour, onTheme } from "./colours.js";
import { axisTexts, scaleOf } from "./units.js";

const FONT = "12px system-ui, sans-serif";

export class TimePlot {
  // lines: [{ name, colour, width, dash }], about: { unit, label, marks() }
  constructor(place, lines, about) {
    this.place = place;
    this.lines = lines;
    this.about = about;
    this.data = [[], ...lines.map(() => [])];
    this.range = null;
    this.scale = { factor: 1, unit: about.unit || "" };
    this.canvasLabel = about.label;
    this.build();
    onTheme(() => this.build());
    new ResizeObserver(() => this.fit()).observe(place);
  }

  build() {
    if (this.plot) this.plot.destroy();
    const ink = colour("soft");
    const axis = { stroke: ink, grid: { stroke: colour("grid"), width: 1 }, ticks: { show: false }, font: FONT };
    this.plot = new uPlot({
      width: this.place.clientWidth || 300,
      height: this.place.clientHeight || 180,
      cursor: { show: false },
      legend: { show: false },
      scales: { x: { time: false, range: (u, low, high) => this.range || [low ?? 0, high ?? 1] }, y: { range: (u, low, high) => this.reach(low, high) } },
      axes: [
        { ...axis, size: 28, values: (u, ticks) => ticks.map((v) => `${+v.toFixed(6)} s`) },
        { ...axis, size: 62, values: (u, ticks) => axisTexts(ticks, this.scale.factor) },
      ],
      series: [{}, ...this.lines.map((line) => ({
        stroke: () => colour(line.colour), width: line.width, dash: line.dash, points: { show: false },
      }))],
      hooks: { draw: [(u) => this.drawMarks(u)] },
    }, this.data, this.place);
    const canvas = this.place.querySelector("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", this.canvasLabel);
  }

  reach(low, high) {
    for (const mark of this.marks()) {
      if (mark.shown) { low = Math.min(low ?? mark.at, mark.at); high = Math.max(high ?? mark.at, mark.at); }
    }
    if (low === null || low === undefined || !Number.isFinite(low + high)) return [-1, 1];
    const room = 0.06 * (high - low) || Math.abs(high) * 0.1 || this.about.least || 1e-6;
    const scale = scaleOf(Math.max(Math.abs(low - room), Math.abs(high + room)), this.about.unit);
    this.scale = scale;
    return [low - room, high + room];
  }

  marks() { return this.about.marks ? this.about.marks() : []; }

  drawMarks(u) {
    const { ctx, bbox } = u;
    const ratio = devicePixelRatio || 1;
    ctx.save();
    ctx.font = `${12 * ratio}px system-ui, sans-serif`;
    ctx.fillStyle = colour("soft");
    ctx.textBaseline = "bottom";  // above the numbers of the axis, where no line runs
    ctx.textAlign = "right";
    ctx.fillText(this.scale.unit, bbox.left - 4 * ratio, bbox.top - 4 * ratio);
    ctx.textAlign = "left";
    for (const mark of this.marks()) {
      const y = u.valToPos(mark.at, "y", true);
      if (!(y >= bbox.top && y <= bbox.top + bbox.height)) continue;
      ctx.strokeStyle = colour(mark.colour);
      ctx.lineWidth = 1.5 * ratio;
      ctx.setLineDash([6 * ratio, 4 * ratio]);
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
      ctx.fillStyle = colour(mark.colour);
      ctx.textAlign = "right";
      ctx.textBaseline = y < bbox.top + 20 * ratio ? "top" : "bottom";
      ctx.fillText(mark.name, bbox.left + bbox.width - 4 * ratio, y);
      ctx.textAlign = "left";
    }
    ctx.restore();
  }

  fit() {
    const width = this.place.clientWidth;
    const height = this.place.clientHeight;
    if (width && height && (width !== this.plot.width || height !== this.plot.height)) this.plot.setSize({ width, height });
  }

  set(data, range = null) {
    this.data = data;
    this.range = range;
    if (this.place.clientWidth) { this.fit(); this.plot.setData(data); }
  }
}

// Joins curves with times of their own into one table for uPlot.
export const joinCurves = (curves) => uPlot.join(curves.map((c) => [c.t, c.y]));
