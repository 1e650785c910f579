/** Lists of a hundred thousand rows, in a real browser. */
import assert from "node:assert/strict";
import { before, test } from "node:test";

import type { Locator } from "playwright-core";

import { makeDataFolder, until } from "../service/boathook.ts";
import { assertWell } from "./axe.ts";
import { openBrowser, openPage, signIn, skip } from "./browser.ts";
import { buildPages } from "./built.ts";
import { openScene } from "./scene.ts";

const folders = [makeDataFolder({ withDatabase: true }), makeDataFolder({ withDatabase: true })] as const;

before(buildPages);

const ROWS = 100_000;
const ROWS_A_PAGE = 10_000;
/** Not a whole number of blocks. */
const NEWER = 7;

test("scroll through a hundred thousand rows with some hundreds in the page", { skip }, async (t) => {
  const [browser, scene] = await Promise.all([openBrowser(t), openScene(t, folders[0])]);
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]) {
    const { page } = await openPage(t, browser, { viewport });
    let newer = 0;
    await page.route("**/v1/events?*", (route) =>
      route.fulfill({ json: manyEvents(route.request().url(), newer) }),
    );
    await signIn(page, scene, "/console/events");
    const table = page.getByRole("table", { name: "Events" });
    await table.getByRole("row").nth(3).waitFor();
    // What lies below comes by itself.
    for (let loaded = 0; loaded <= ROWS;) {
      loaded = Number(await table.getAttribute("aria-rowcount"));
      await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
      await page.waitForTimeout(20);
    }
    await table.getByText(`type_${ROWS - 1}`, { exact: true }).waitFor();
    const rows = async () => Number(await page.evaluate("document.querySelectorAll('main tr').length"));
    assert.ok((await rows()) < 400, String(await rows()));
    const last = table.locator("tr[aria-rowindex]").last();
    assert.equal(await last.getAttribute("aria-rowindex"), String(ROWS + 1));
    await assertWell(page, "the page");
    // The row with the focus stays while others go, and the next tab goes on from it.
    const link = last.getByRole("link").first();
    await link.focus();
    await page.evaluate("scrollTo(0, 0)");
    await table.getByText("type_0", { exact: true }).waitFor();
    assert.ok((await rows()) < 400, String(await rows()));
    assert.equal(await page.evaluate("document.activeElement.tagName"), "A");
    await page.keyboard.press("Shift+Tab");
    await table.getByText(`type_${ROWS - 2}`, { exact: true }).waitFor();
    // Refreshed with newer ones above, the row with the focus is the same, and what the reader sees does not move.
    const focused = table.locator("tr[aria-rowindex]:focus-within");
    await focused.scrollIntoViewIfNeeded();
    const old = { place: await focused.getAttribute("aria-rowindex"), top: await topOf(focused) };
    newer = NEWER;
    await until(
      async () => (await focused.getAttribute("aria-rowindex")) === String(Number(old.place) + NEWER),
      "newer events are above",
    );
    assert.ok(Math.abs((await topOf(focused)) - old.top) < 2, `${old.top}: ${await topOf(focused)}`);
    newer = 0;
  }
});

test("ask for a next page that is refused when the refusal says, and no sooner", { skip }, async (t) => {
  const [browser, scene] = await Promise.all([openBrowser(t), openScene(t, folders[1])]);
  const { page } = await openPage(t, browser);
  await page.clock.install();
  let isRefused = true;
  let asked = 0;
  let newer = 0;
  const error = { code: "UNAVAILABLE", message: "the database cannot be reached at the moment; try again" };
  await page.route("**/v1/events?*", (route) => {
    const url = route.request().url();
    const isNext = url.includes("cursor=");
    // Another page is next each time that the list is read.
    if (isNext) asked += 1;
    else newer += 1;
    if (!isRefused || !isNext) return route.fulfill({ json: manyEvents(url, newer) });
    return route.fulfill({ status: 503, headers: { "retry-after": "60" }, json: { error } });
  });
  await signIn(page, scene, "/console/events");
  const table = page.getByRole("table", { name: "Events" });
  await table.getByRole("row").nth(3).waitFor();
  await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
  await page.getByText("This page asks again by itself.").waitFor();
  const askedBefore = asked;
  await page.clock.runFor(1_000);
  // Less than the silence that ends the stream; what real time adds is far from the minute of the refusal.
  await page.clock.fastForward(20_000);
  await page.clock.runFor(1_000);
  await page.evaluate("new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))");
  assert.equal(asked, askedBefore);
  isRefused = false;
  await page.clock.fastForward(60_000);
  await page.getByText("This page asks again by itself.").waitFor({ state: "detached" });
  const last = table.locator("tr[aria-rowindex]").last();
  await until(async () => {
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    return Number(await last.getAttribute("aria-rowindex")) > ROWS_A_PAGE + 1;
  }, "what is below comes");
  // Paper has no screen to be near to.
  const gaps = table.locator("tr.gap");
  assert.ok((await gaps.count()) > 0);
  await page.evaluate('dispatchEvent(new Event("beforeprint"))');
  assert.equal(await gaps.count(), 0);
  await page.evaluate('dispatchEvent(new Event("afterprint"))');
  assert.ok((await gaps.count()) > 0);
});

/** The top of a row on the screen. */
async function topOf(row: Locator): Promise<number> {
  return row.evaluate((at) => at.getBoundingClientRect().top);
}

/** A page of a hundred thousand events, and `newer` above; the cursor is where it begins. */
function manyEvents(url: string, newer: number): object {
  const from = Number(new URL(url).searchParams.get("cursor") ?? -newer);
  const to = Math.min(ROWS, from + ROWS_A_PAGE);
  const events = Array.from({ length: to - from }, (_, nth) => {
    const place = from + nth;
    const serial = (ROWS - place).toString(16).padStart(12, "0");
    return {
      id: `0192d3a0-0000-7000-8000-${serial}`,
      account_id: "0192d3a0-0000-7000-8000-000000000001",
      product: "tracking",
      type: `type_${place}`,
      occurred_at: "2026-11-02T12:00:00.000Z",
      raised_at: "2026-11-02T12:00:00.000Z",
      data_bytes: 100,
    };
  });
  return { events, ...(to < ROWS ? { next_cursor: String(to) } : {}) };
}
