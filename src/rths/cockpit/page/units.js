// Numbers as people read them: SI with a prefix, and no digit that says nothing.

const PREFIXES = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"]];

export function scaleOf(largest, unit) {
  if (!unit || !/^(m|s|N|J|Hz|Pa|W|V|A)($|[/ ·])/.test(unit)) return { factor: 1, unit: unit === "1" ? "" : unit || "" };
  const [size, prefix] = PREFIXES.find(([s]) => largest >= s) || PREFIXES[PREFIXES.length - 1];
  return largest > 0 && Number.isFinite(largest) ? { factor: 1 / size, unit: prefix + unit } : { factor: 1, unit };
}

export function digits(value, count = 3) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-4) return value.toExponential(count - 1).replace("e+", "e").replaceAll("-", "−");
  const after = Math.max(0, Math.min(6, count - 1 - Math.floor(Math.log10(size))));
  return value.toFixed(after).replace("-", "−");
}

export function show(value, unit, count = 3) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (unit === "share") return `${digits(100 * value, count)} %`;
  const scale = scaleOf(Math.abs(value), unit);
  return `${digits(value * scale.factor, count)} ${scale.unit}`.trim();
}

// A delay, to a hundredth of a millisecond.
export const milliseconds = (s) => (s === null || s === undefined ? "–" : `${(1e3 * s).toFixed(2).replace(/^-(0\.00)$/, "$1").replace("-", "−")} ms`);

// The numbers of an axis, with as many digits as their distance needs.
export function axisTexts(values, factor) {
  const step = values.length > 1 ? Math.abs(values[1] - values[0]) * factor : 1;
  let after = Math.max(0, Math.min(6, -Math.floor(Math.log10(step) + 1e-9)));
  if (Math.abs(step * 10 ** after - Math.round(step * 10 ** after)) > 0.01) after += 1;  // steps of 2.5
  return values.map((v) => (Math.abs(v * factor) < 1e-9 * step ? "0" : (v * factor).toFixed(after).replace("-", "−")));
}

// A moment by the clock of whoever looks, with its day if asked for; what is no moment stays as it is.
export function clockTime(text, withDay = false) {
  const at = new Date(Date.parse(text));
  if (Number.isNaN(at.getTime())) return text || "";
  const two = (n) => String(n).padStart(2, "0");
  const time = `${two(at.getHours())}:${two(at.getMinutes())}`;
  return withDay ? `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${time}` : `${time}:${two(at.getSeconds())}`;
}
