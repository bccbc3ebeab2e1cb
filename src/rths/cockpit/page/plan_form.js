// The form of a plan: one fold for each table, with unit, meaning and range at every field.

import { make } from "./dom.js";

const isNumber = (v) => typeof v === "number" && Number.isFinite(v);

const asToml = (v) => (v === null || v === undefined ? "" : typeof v === "string" ? v : JSON.stringify(v));

// What was typed: a number, a list, true or false, or a word; nothing takes the field away.
export function readValue(text) {
  const given = text.trim();
  if (!given) return null;
  const number = Number(given.replace(",", "."));
  if (Number.isFinite(number)) return number;
  try { return JSON.parse(given); } catch { return given; }
}

export function buildForm(place, form, change) {
  const open = new Set([...place.querySelectorAll("details[open]")].map((d) => d.dataset.path));
  const first = !place.children.length;
  const wanted = ["compensator", "transfer", "specimen"];
  place.replaceChildren(...(form.tables || []).map((table) => {
    const kind = table.kinds ? make("span", { text: table.kind }) : "";
    const fold = make("details", { "data-path": table.path, open: first ? wanted.includes(table.table) : open.has(table.path) },
      make("summary", {}, table.path, kind), make("p", { class: "sentence", text: table.sentence }));
    if (table.kinds) fold.append(kindField(table, change));
    fold.append(...table.fields.map((f) => fieldRow(f, change)));
    return fold;
  }));
}

function kindField(table, change) {
  const id = `field-${table.path}.kind`;
  const known = table.kinds.includes(table.kind) ? table.kinds : [table.kind, ...table.kinds];
  const select = make("select", { id }, ...known.map((k) => make("option", { value: k, text: k, selected: k === table.kind })));
  select.addEventListener("change", () => change(`${table.path}.kind`, select.value, true));
  return make("div", { class: "field", "data-field": `${table.path}.kind` }, make("label", { for: id, text: "kind" }), select);
}

function fieldRow(field, change) {
  const id = `field-${field.path}`;
  const row = make("div", { class: `field${field.given ? "" : " unset"}`, "data-field": field.path });
  const unit = make("span", { class: "unit", text: field.unit === "1" ? "" : field.unit });
  const choices = field.range.enum;
  const tell = (value) => { row.classList.toggle("unset", value === null); change(field.path, value); };
  let input;
  if (choices) {
    input = make("select", { id }, ...(field.given ? [] : [make("option", { value: "", text: "" })]),
      ...choices.map((c) => make("option", { value: c, text: c, selected: c === field.value })));
    input.addEventListener("change", () => tell(input.value || null));
  } else {
    input = make("input", { id, value: asToml(field.value), inputmode: isNumber(field.value) ? "decimal" : null, placeholder: field.given ? "" : field.default, autocomplete: "off" });
    input.addEventListener("change", () => {
      const value = readValue(input.value);
      if (isNumber(value)) input.value = String(value);  // as it was understood: 1,5 is 1.5
      tell(value);
    });
  }
  row.append(make("label", { for: id, text: field.name }), input, unit);
  if (isNumber(field.value) && field.value && !choices) row.append(slider(field, input, tell));
  if (field.meaning || field.wanted) row.append(make("p", { class: "meaning", text: [field.meaning, field.wanted && `Takes ${field.wanted}.`].filter(Boolean).join(" ") }));
  return row;
}

// A slider from nothing to twice the value, within what the field takes.
function slider(field, input, tell) {
  const whole = field.range.type === "integer";
  const ends = [0, 2 * field.value].sort((a, b) => a - b);
  const low = Math.max(ends[0], field.range.minimum ?? -Infinity);
  const high = Math.min(whole ? ends[1] + 2 : ends[1], field.range.maximum ?? Infinity);
  const step = whole ? 1 : 10 ** (Math.floor(Math.log10(high - low)) - 3);
  const range = make("input", { type: "range", min: low, max: high, step, value: field.value, "aria-label": `${field.path}, slider` });
  range.addEventListener("input", () => {
    const value = whole ? Math.round(Number(range.value)) : Number(Number(range.value).toPrecision(6));
    input.value = String(value);
    tell(value);
  });
  input.addEventListener("change", () => { const v = Number(input.value); if (Number.isFinite(v)) { if (v > range.max) range.max = String(2 * v); range.value = String(v); } });
  return range;
}

export function markErrors(place, errors) {
  for (const row of place.querySelectorAll(".is-wrong")) { row.classList.remove("is-wrong"); row.querySelector(".wrong")?.remove(); }
  for (const error of errors) {
    const names = [error.field, error.field.replace(/\[0\]/, ""), error.field.replace(/^([a-z]+)\./, "$1[0].")];
    const row = [...place.querySelectorAll("[data-field]")].find((r) => names.includes(r.dataset.field));
    if (!row) continue;
    row.classList.add("is-wrong");
    row.append(make("p", { class: "wrong", text: `${error.problem}. ${error.remedy}` }));
    row.closest("details").open = true;
  }
}
