// The three parts of the cockpit and what they share: which is shown, light or dark.

import { firstTheme, setTheme } from "./colours.js";
import { ask, byId, make, setText } from "./dom.js";
import { startLive } from "./live.js";
import { startPlan } from "./plan.js";
import { startRuns } from "./runs.js";

const PARTS = ["plan", "live", "runs"];
const starts = { runs: startRuns, plan: startPlan };
const started = new Set();

export function showPart() {
  const name = location.hash.slice(1).split("/")[0];
  const part = PARTS.includes(name) ? name : "live";
  for (const each of PARTS) {
    byId(`part-${each}`).hidden = each !== part;
    const link = document.querySelector(`nav a[data-part="${each}"]`);
    if (each === part) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (part in starts && !started.has(part)) { started.add(part); starts[part](about); }
}

for (const place of document.querySelectorAll(".keys[data-keys]")) {
  place.append(...place.dataset.keys.split(" ").map((k) => make("span", {}, make("i", { class: k }), k)));
}
setTheme(firstTheme());
const themeButton = byId("theme");
const nameTheme = () => setText(themeButton, document.documentElement.dataset.theme === "dark" ? "Light" : "Dark");
nameTheme();
themeButton.addEventListener("click", () => {
  const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  localStorage.setItem("theme", theme);
  setTheme(theme);
  nameTheme();
});
startLive();
const about = await ask("/api/about");
setText(byId("foot"), `rths ${about.version}, plans in ${about.folder}, runs in ${about.runs}`);
if (!location.hash && about.plan) location.replace("#plan");
addEventListener("hashchange", showPart);
showPart();
