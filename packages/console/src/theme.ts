/** Before the first paint: light or dark as the reader chose, or as the system says. */
const chosen = localStorage.getItem("theme");
if (chosen === "light" || chosen === "dark") document.documentElement.dataset["theme"] = chosen;
