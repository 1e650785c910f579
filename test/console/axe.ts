import assert from "node:assert/strict";

import axe from "axe-core";
import type { Page } from "playwright-core";

type Finding = { readonly id: string; readonly nodes: readonly { readonly html: string }[] };
type Tester = { run(within: string): Promise<{ violations: Finding[] }> };

/** What axe finds once the page, whose parts come by and by, has its heading; it runs in Chromium's own world, so that the page keeps its policy. */
async function findingsOf(page: Page, within = "html"): Promise<readonly string[]> {
  await page.locator("h1").first().waitFor();
  await page.evaluate(axe.source);
  const found = await page.evaluate(async (place) => {
    const { axe: tester } = globalThis as unknown as { axe: Tester };
    return (await tester.run(place)).violations;
  }, within);
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

/** Axe finds nothing, and the page does not scroll sideways. */
export async function assertWell(page: Page, what: string, within = "html"): Promise<void> {
  assert.deepEqual(await findingsOf(page, within), [], what);
  const tooWide = Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth"));
  assert.ok(tooWide <= 0, `${what} is ${tooWide} px too wide`);
}
