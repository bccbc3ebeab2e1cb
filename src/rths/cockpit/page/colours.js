// Colours of the page, by day and by night; plots are told when they change.

const told = new Set();

export const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

export const onTheme = (tell) => told.add(tell);

export function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  for (const tell of told) tell();
}

export function firstTheme() {
  const kept = localStorage.getItem("theme");
  return kept || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}
