import axe from "axe-core";
import type { Page } from "playwright-core";

type Finding = { readonly id: string; readonly nodes: readonly { readonly html: string }[] };
type Tester = { run(within: string): Promise<{ violations: Finding[] }> };

/** What axe finds once the page, whose parts come by and by, has its heading; it runs in Chromium's own world, so that the page keeps its policy. */
export async function findingsOf(page: Page, within = "html"): Promise<readonly string[]> {
  await page.locator("h1").first().waitFor();
  await page.evaluate(axe.source);
  const found = await page.evaluate(async (place) => {
    const { axe: tester } = globalThis as unknown as { axe: Tester };
    return (await tester.run(place)).violations;
  }, within);
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}
