/** The reference pages of a product and of the operator's API, in a real browser. */
import { before, test } from "node:test";

import { makeDataFolder, serve } from "../service/boathook.ts";
import { assertContrast } from "./axe.ts";
import { buildPages } from "./built.ts";
import { LOOKS, openBrowser, openPage, skip } from "./browser.ts";

const folder = makeDataFolder({ withDatabase: true });

before(buildPages);

test(
  "what the reference page says can be read and tried, closed and open: light and dark",
  { skip },
  async (t) => {
    const [browser, service] = await Promise.all([openBrowser(t), serve(t, { BOATHOOK_DATA_DIR: folder })]);
    for (const { colorScheme } of LOOKS) {
      const { page } = await openPage(t, browser, { colorScheme });
      await page.goto(`${service.publicUrl}/rates/docs/`);
      await page.locator(".opblock").first().waitFor();
      await assertContrast(page, `closed, ${colorScheme}`);
      for (const method of ["get", "post", "patch", "delete"]) {
        const operation = page.locator(`.opblock-${method}`).first();
        await operation.locator(".opblock-summary-control").click();
        await operation.locator(".responses-table").first().waitFor();
      }
      await assertContrast(page, `open, ${colorScheme}`);
      const asked = page.waitForRequest(`${service.publicUrl}/rates/v1/**`);
      await page.locator(".opblock-get .execute").first().click();
      await asked;
    }
    const { page } = await openPage(t, browser);
    await page.goto(`${service.opsUrl}/docs/`);
    await page.locator(".opblock-post").first().waitFor();
  },
);
