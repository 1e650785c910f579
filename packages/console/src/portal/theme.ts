/** Before the first paint: light or dark as the link says, as the reader chose, or as the system says; and the brand. */
import { brandColors, textOn } from "./brand.ts";

const root = document.documentElement;

/** A browser that keeps nothing for a page in another site's frame throws. */
function kept(): string | null {
  try {
    return localStorage.getItem("theme");
  } catch {
    return null;
  }
}

const theme = new URLSearchParams(location.hash.slice(1)).get("theme") ?? kept();
if (theme === "light" || theme === "dark") root.dataset["theme"] = theme;

const { color = "" } = root.dataset;
if (color !== "") {
  const [light, dark] = [brandColors(color, "light"), brandColors(color, "dark")];
  for (const [name, key] of [
    ["--accent", "accent"],
    ["--accent-text", "accentText"],
    ["--info-page", "tint"],
    ["--info", "onTint"],
  ] as const)
    root.style.setProperty(name, `light-dark(${light[key]}, ${dark[key]})`);
  root.style.setProperty("--brand", color);
  root.style.setProperty("--brand-text", textOn(color));
}
