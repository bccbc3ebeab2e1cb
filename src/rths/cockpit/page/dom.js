// Elements by their id, and new ones; text is always text, never markup.

export const byId = (id) => document.getElementById(id);

export function make(tag, given = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(given)) {
    if (key === "class") element.className = value;
    else if (key === "text") element.textContent = value;
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

export const setText = (element, text) => {
  if (element.textContent !== text) element.textContent = text;
};

export const setAttribute = (element, name, value) => {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
};

// Gives the answer; one that does not come is an error as those that are told.
export async function ask(path, given) {
  const how = given === undefined ? {} : { method: "POST", body: JSON.stringify(given) };
  let status = "";
  try {
    const answer = await fetch(path, how);
    status = ` (${answer.status})`;
    const told = await answer.json();
    return answer.ok || told.errors ? told : { ok: false, errors: [{ message: told.told || answer.statusText }] };
  } catch {
    return { ok: false, errors: [{ message: `The cockpit does not answer${status}.` }] };
  }
}

export const errorText = (told) => (told.errors || []).map((e) => e.message).join("\n") || told.told;

// The keys of a plot: how each of its lines is drawn.
export function fillKeys(root) {
  for (const place of root.querySelectorAll(".keys[data-keys]")) setKeys(place, place.dataset.keys.split(" "));
}

export function setKeys(place, names, classes = names) {
  place.replaceChildren(...names.map((n, k) => make("span", {}, make("i", { class: classes[k] }), n)));
}

// A choice among actuators, which is there if there are several.
export function offerChannels(id, count) {
  const select = byId(id);
  const chosen = Math.min(Number(select.value) || 0, Math.max(0, count - 1));
  select.hidden = count < 2;
  document.querySelector(`label[for="${id}"]`).hidden = count < 2;
  select.replaceChildren(...Array.from({ length: count }, (_, c) => make("option", { value: c, text: String(c) })));
  select.value = String(chosen);
  return chosen;
}

// A part of an address as text; what is no text stays as it is.
export function decode(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}
