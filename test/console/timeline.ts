/** The line of time on the page of a shipment, for operators and clients. */
import type { Locator, Page } from "playwright-core";

import type { Receiver } from "../service/client.ts";

/** By the path of an endpoint: one works, one fails for good. */
export const behaviour: Parameters<Receiver["behave"]>[0] = ({ path }) =>
  path.startsWith("broken") ? 503 : 204;

export const lineOf = (page: Page): Locator => page.getByRole("region", { name: "Timeline" });

/** It has what the source said, and an event of the type with both of its deliveries; gives the event. */
export async function seeLine(page: Page, said: RegExp | string, type: string): Promise<Locator> {
  const entries = lineOf(page).getByRole("listitem");
  await entries.filter({ hasText: said }).filter({ hasNotText: "raised " }).first().waitFor();
  const raised = entries.filter({ hasText: `raised ${type}` }).first();
  const to = (path: RegExp) => raised.getByRole("listitem").filter({ hasText: path });
  await to(/Delivered.*\/well-\w+, 1 attempt/).waitFor();
  await to(/(Retrying|Dead).*\/broken-\w+, \d attempts?: http_503/).waitFor();
  return raised;
}
