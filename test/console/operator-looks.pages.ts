/** The operator's pages with axe, in a real browser: light and dark, wide and narrow. */
import assert from "node:assert/strict";
import { before, test } from "node:test";

import { makeDataFolder } from "../service/boathook.ts";
import { findingsOf } from "./axe.ts";
import { openBrowser, openPage, signIn, skip } from "./browser.ts";
import { buildPages } from "./built.ts";
import { openScene } from "./scene.ts";

const folder = makeDataFolder({ withDatabase: true });

before(buildPages);

test("the operator's pages", { skip }, async (t) => {
  const [browser, scene] = await Promise.all([openBrowser(t), openScene(t, folder)]);
  const { service, offId, eventId, deadId, accountId } = scene;

  const pages = [
    ["/console/events", "index_refreshed"],
    [`/console/events?account_id=${accountId}`, "index_refreshed"],
    [`/console/events/${eventId}`, '"index_id"'],
    [`/console/deliveries/${deadId}`, "The signature verifies"],
    ["/console/sources", "heron (HRNL)"],
    ["/console/sources/schedules-heron", "Last asked"],
    ["/console/sources/carrier-hrnl", "requests a minute"],
    ["/console/sources/rates", "What could not be read"],
    [`/console/endpoints/${offId}`, "failed attempts"],
    ["/console/system", "All of the directory and its cells"],
  ] as const;

  for (const look of [
    { colorScheme: "light", viewport: { width: 1280, height: 800 } },
    { colorScheme: "dark", viewport: { width: 1280, height: 800 } },
    { colorScheme: "light", viewport: { width: 390, height: 844 } },
    { colorScheme: "dark", viewport: { width: 390, height: 844 } },
  ] as const)
    await t.test(
      `have no finding of axe and do not scroll sideways: ${look.colorScheme}, ${look.viewport.width} px`,
      async () => {
        const { page, context, wrong } = await openPage(browser, look);
        await signIn(page, scene);
        for (const [address, text] of pages) {
          await page.goto(`${service.opsUrl}${address}`);
          await page.getByText(text).first().waitFor();
          await page.getByText("Live", { exact: true }).waitFor();
          assert.deepEqual(await findingsOf(page), [], address);
          const tooWide = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
          assert.ok(Number(tooWide) <= 0, `${address} is ${String(tooWide)} px too wide`);
        }
        assert.deepEqual(wrong, []);
        await context.close();
      },
    );
});
