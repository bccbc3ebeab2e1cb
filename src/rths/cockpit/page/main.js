// The three parts of the cockpit and what they share: which is shown, light or dark.

import { firstTheme, setTheme } from "./colours.js";
import { ask, byId, decode, fillKeys, setText } from "./dom.js";
import { startLive } from "./live.js";
import { startPlan } from "./plan.js";
import { startRuns } from "./runs.js";

const PARTS = ["plan", "live", "runs"];
const starts = { runs: startRuns, plan: startPlan };
const going = {};
let about = null;

// The address says what is shown: #plan/NAME, #live, #runs/NAME.
function showPart() {
  const [name, ...rest] = location.hash.slice(1).split("/");
  const part = PARTS.includes(name) ? name : "live";
  for (const each of PARTS) {
    byId(`part-${each}`).hidden = each !== part;
    const link = document.querySelector(`nav a[data-part="${each}"]`);
    if (each === part) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (!(part in starts) || !about) return;
  going[part] ??= starts[part](about);
  going[part](decode(rest.join("/")));
}

fillKeys(document);
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
addEventListener("hashchange", showPart);
if (location.hash) showPart();  // whoever types into the live part must find it there as soon as a key can stop the test
let told = await ask("/api/about");
while (told.errors) {  // the live test is there already, and its stop
  await new Promise((done) => setTimeout(done, 1000));
  told = await ask("/api/about");
}
about = told;
setText(byId("foot"), `rths ${about.version}, plans in ${about.folder}, runs in ${about.runs}`);
if (!location.hash && about.plan) location.replace("#plan");
showPart();
