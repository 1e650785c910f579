import { useState } from "preact/hooks";

/** Light or dark; until the reader chooses, as the system says. */
export function ThemeSwitch() {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const [theme, setTheme] = useState(root.dataset["theme"] ?? system);
  const other = theme === "dark" ? "light" : "dark";
  const change = (): void => {
    root.dataset["theme"] = other;
    setTheme(other);
    try {
      localStorage.setItem("theme", other);
    } catch {
      // A browser keeps nothing for a page in another site's frame.
    }
  };
  return (
    <button type="button" class="plain" onClick={change}>
      {other === "dark" ? "Dark" : "Light"}
    </button>
  );
}
