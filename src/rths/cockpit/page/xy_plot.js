// A loop: one signal over another, on a canvas; the newest part is drawn strongest.

import { colour, onTheme } from "./colours.js";
import { axisTexts, scaleOf } from "./units.js";

const LEFT = 56, BOTTOM = 30, TOP = 8, RIGHT = 12;

export class XYPlot {
  // about: { x, y, xUnit, yUnit, diagonal, label, colour }
  constructor(place, about) {
    this.place = place;
    this.about = about;
    this.canvas = document.createElement("canvas");
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", about.label);
    place.append(this.canvas);
    this.curves = [];
    onTheme(() => this.draw());
    new ResizeObserver(() => this.draw()).observe(place);
  }

  set(...curves) {
    this.curves = curves;
    this.draw();
  }

  draw() {
    const width = this.place.clientWidth, height = this.place.clientHeight;
    if (!width || !height) return;
    const ratio = devicePixelRatio || 1;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
      this.canvas.style.width = `${width}px`;
      this.canvas.style.height = `${height}px`;
    }
    const ctx = this.canvas.getContext("2d");
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, width, height);
    const ends = this.reach();
    const box = { left: LEFT, top: TOP, width: width - LEFT - RIGHT, height: height - TOP - BOTTOM };
    const at = {
      x: (v) => box.left + (v - ends.x[0]) / (ends.x[1] - ends.x[0]) * box.width,
      y: (v) => box.top + (ends.y[1] - v) / (ends.y[1] - ends.y[0]) * box.height,
    };
    this.drawAxes(ctx, box, ends, at);
    ctx.save();
    ctx.beginPath();
    ctx.rect(box.left, box.top, box.width, box.height);
    ctx.clip();
    if (this.about.diagonal) this.drawDiagonal(ctx, ends, at);
    this.curves.forEach((curve, k) => this.drawCurve(ctx, curve, at, k));
    ctx.restore();
  }

  reach() {
    const ends = { x: [0, 0], y: [0, 0] };
    for (const curve of this.curves) {
      for (const key of ["x", "y"]) {
        for (const v of curve[key]) {
          if (v < ends[key][0]) ends[key][0] = v;
          if (v > ends[key][1]) ends[key][1] = v;
        }
      }
    }
    if (this.about.diagonal) {
      const low = Math.min(ends.x[0], ends.y[0]), high = Math.max(ends.x[1], ends.y[1]);
      ends.x = [low, high];
      ends.y = [low, high];
    }
    for (const key of ["x", "y"]) {
      const [low, high] = ends[key];
      const room = 0.06 * (high - low) || 1e-3;
      ends[key] = Number.isFinite(high - low) ? [low - room, high + room] : [-1, 1];
    }
    return ends;
  }

  drawAxes(ctx, box, ends, at) {
    ctx.font = "12px system-ui, sans-serif";
    ctx.lineWidth = 1;
    for (const key of ["x", "y"]) {
      const unit = this.about[`${key}Unit`];
      const scale = scaleOf(Math.max(Math.abs(ends[key][0]), Math.abs(ends[key][1])), unit);
      const places = ticks(ends[key], key === "x" ? 4 : 5);
      const texts = axisTexts(places, scale.factor);
      for (const [k, v] of places.entries()) {
        ctx.strokeStyle = colour("grid");
        ctx.beginPath();
        if (key === "x") { ctx.moveTo(at.x(v), box.top); ctx.lineTo(at.x(v), box.top + box.height); }
        else { ctx.moveTo(box.left, at.y(v)); ctx.lineTo(box.left + box.width, at.y(v)); }
        ctx.stroke();
        ctx.fillStyle = colour("soft");
        ctx.textAlign = key === "x" ? "center" : "right";
        ctx.textBaseline = key === "x" ? "top" : "middle";
        if (key === "x") ctx.fillText(texts[k], at.x(v), box.top + box.height + 5);
        else ctx.fillText(texts[k], box.left - 6, at.y(v));
      }
      ctx.textAlign = key === "x" ? "right" : "left";
      ctx.textBaseline = key === "x" ? "bottom" : "top";
      const name = scale.unit ? `${this.about[key]}, ${scale.unit}` : this.about[key];
      if (key === "x") ctx.fillText(name, box.left + box.width - 4, box.top + box.height - 3);
      else ctx.fillText(name, box.left + 5, box.top + 3);
    }
  }

  drawDiagonal(ctx, ends, at) {
    ctx.strokeStyle = colour("target");
    ctx.lineWidth = 1;
    ctx.setLineDash([5, 4]);
    ctx.beginPath();
    ctx.moveTo(at.x(ends.x[0]), at.y(ends.x[0]));
    ctx.lineTo(at.x(ends.x[1]), at.y(ends.x[1]));
    ctx.stroke();
    ctx.setLineDash([]);
  }

  drawCurve(ctx, curve, at, k) {
    const count = Math.min(curve.x.length, curve.y.length);
    const pieces = curve.fades ? 4 : 1;
    ctx.strokeStyle = colour(curve.colour || this.about.colour);
    ctx.lineWidth = k ? 1.2 : 1.6;
    if (k) ctx.setLineDash([5, 3]);
    for (let p = 0; p < pieces; p++) {
      ctx.globalAlpha = curve.fades ? 0.2 + 0.8 * (p + 1) / pieces : 1;
      ctx.beginPath();
      for (let i = Math.max(0, Math.floor(p * count / pieces) - 1); i < Math.floor((p + 1) * count / pieces); i++) {
        ctx.lineTo(at.x(curve.x[i]), at.y(curve.y[i]));
      }
      ctx.stroke();
    }
    ctx.globalAlpha = 1;
    ctx.setLineDash([]);
    if (curve.fades && count) {
      ctx.fillStyle = colour("ink");
      ctx.beginPath();
      ctx.arc(at.x(curve.x[count - 1]), at.y(curve.y[count - 1]), 3, 0, 7);
      ctx.fill();
    }
  }
}

export function ticks([low, high], wanted) {
  const raw = (high - low) / wanted;
  if (!(raw > 0) || !Number.isFinite(raw)) return [];
  const size = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((f) => f * size).find((s) => s >= raw);
  const found = [];
  for (let k = Math.ceil(low / step); k * step <= high; k++) found.push(k * step);
  return found;
}
