import assert from "node:assert/strict";

import axe from "axe-core";
import type { Page } from "playwright-core";

type Finding = { readonly id: string; readonly nodes: readonly { readonly html: string }[] };
type Rules = { readonly runOnly?: readonly string[] };
type Tester = { run(within: string, rules: Rules): Promise<{ violations: Finding[] }> };

/** What axe finds once the page, whose parts come by and by, has its heading; it runs in Chromium's own world, so that the page keeps its policy. */
async function findingsOf(page: Page, within = "html", rules: Rules = {}): Promise<readonly string[]> {
  await page.locator("h1").first().waitFor();
  await page.evaluate(axe.source);
  const found = await page.evaluate(
    async ([place, only]) => {
      const { axe: tester } = globalThis as unknown as { axe: Tester };
      return (await tester.run(place, only)).violations;
    },
    [within, rules] as const,
  );
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

/** Each text of the page stands out from what is behind it. */
export async function assertContrast(page: Page, what: string): Promise<void> {
  assert.deepEqual(await findingsOf(page, "html", { runOnly: ["color-contrast"] }), [], what);
}

/** Texts of tables that their cells cut off, but for what screen readers alone are given. */
const CUT_OFF = `[...document.querySelectorAll("main td, main td *")].filter((one) => {
  const { overflowX, display } = getComputedStyle(one);
  const isShown = one.clientWidth > 1;
  return isShown && display !== "inline" && /hidden|clip/.test(overflowX) && one.scrollWidth > one.clientWidth + 1;
}).map((one) => one.closest("td").dataset.name + ": " + one.textContent)`;

/** The innermost of what stands out on the right, where the page scrolls sideways. */
const TOO_WIDE = `document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.querySelectorAll("html, body *")]
    .filter((one) => one.getBoundingClientRect().right > innerWidth || one.matches("html"))
    .filter((one, _, all) => !all.some((other) => other !== one && one.contains(other)))
    .map((one) => one.outerHTML.slice(0, 300))`;

/** Axe finds nothing, no cell of a table cuts its text off, and the page does not scroll sideways. */
export async function assertWell(page: Page, what: string, within = "html"): Promise<void> {
  assert.deepEqual(await findingsOf(page, within), [], what);
  assert.deepEqual(await page.evaluate(CUT_OFF), [], what);
  assert.deepEqual(await page.evaluate(TOO_WIDE), [], what);
}
