// The stability chart: where small motions decay, where they grow, and where the plan is.

import { colour } from "./colours.js";
import { XYPlot } from "./xy_plot.js";

const split = (name) => { const [title, unit] = name.split(", "); return [title, unit || ""]; };

export class StabilityPlot extends XYPlot {
  constructor(place) {
    super(place, { x: "", y: "", xUnit: "", yUnit: "", label: "Stability chart" });
    this.chart = null;
  }

  show(chart) {
    this.chart = chart;
    if (chart) {
      [this.about.x, this.about.xUnit] = split(chart.x.name);
      [this.about.y, this.about.yUnit] = split(chart.y.name);
      const [x, y] = chart.point || [NaN, NaN];
      this.canvas.setAttribute("aria-label", `Stability over ${chart.x.name} and ${chart.y.name}; the plan is at ${x}, ${y}`);
    }
    this.draw();
  }

  reach() {
    const ends = (axis) => [axis.values[0], axis.values[axis.values.length - 1]];
    return this.chart ? { x: ends(this.chart.x), y: ends(this.chart.y) } : { x: [0, 1], y: [0, 1] };
  }

  drawAxes(ctx, box, ends, at) {
    if (this.chart) this.fillCells(ctx, box, at);
    super.drawAxes(ctx, box, ends, at);
    if (this.chart) this.drawBoundary(ctx, box, at);
  }

  fillCells(ctx, box, at) {
    const { x, y, growth_rate: rate } = this.chart;
    const edges = (values, k) => [k ? (values[k - 1] + values[k]) / 2 : values[0], k + 1 < values.length ? (values[k] + values[k + 1]) / 2 : values[k]];
    x.values.forEach((_, i) => y.values.forEach((_, j) => {
      if (rate[i][j] === null) return;
      const [a, b] = edges(x.values, i), [c, d] = edges(y.values, j);
      ctx.fillStyle = colour(rate[i][j] < 0 ? "stable" : "unstable");
      ctx.fillRect(at.x(a), at.y(d), at.x(b) - at.x(a) + 0.6, at.y(c) - at.y(d) + 0.6);
    }));
  }

  drawBoundary(ctx, box, at) {
    ctx.strokeStyle = colour("ink");
    ctx.lineWidth = 2;
    ctx.beginPath();
    for (const [a, b, c, d] of this.chart.boundary) { ctx.moveTo(at.x(a), at.y(b)); ctx.lineTo(at.x(c), at.y(d)); }
    ctx.stroke();
    const point = this.chart.point;
    if (!point) return;
    ctx.fillStyle = colour("measured");
    ctx.strokeStyle = colour("card");
    ctx.beginPath();
    ctx.arc(at.x(point[0]), at.y(point[1]), 6, 0, 7);
    ctx.fill();
    ctx.stroke();
  }
}
