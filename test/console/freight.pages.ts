/** Air waybills, sailings and rates in the console, on what the simulated world said of them. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, describe, test, type TestContext } from "node:test";

import type { Browser, Page } from "playwright-core";

import { assertWell } from "./axe.ts";
import { buildPages } from "./built.ts";
import { LOOKS, openBrowser, openPage, openSession, skip } from "./browser.ts";
import { HOSTILE_IMP, openFreightScene, type FreightScene } from "./freight-scene.ts";
import { signInTo } from "./portal-scene.ts";
import { HOSTILE } from "./scene.ts";
import { lineOf, seeLine } from "./timeline.ts";

before(buildPages);

type Use = (page: Page) => Promise<void>;

/** Opens a page of somebody who has signed in, on which nothing may go wrong. */
async function onPage(
  t: TestContext,
  browser: Browser,
  scene: FreightScene,
  look: Parameters<Browser["newContext"]>[0],
  use: Use,
): Promise<void> {
  const { page, context } = await openPage(t, browser, look);
  await openSession(context, scene);
  await use(page);
}

// The server of the tests stops before the hooks of a file run, so this belongs to a suite.
describe("freight in the console", { skip }, () => {
  test("pages", async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "boathook-freight-"));
    const [browser, scene] = await Promise.all([openBrowser(t), openFreightScene(t, folder)]);
    const at = `${scene.service.opsUrl}/console/accounts/${scene.accountId}`;
    try {
      const [wide] = LOOKS;
      const uses: readonly (readonly [name: string, look: (typeof LOOKS)[number], use: Use])[] = [
        ["a waybill is found, with its flights and what was raised", wide, seeWaybills(scene, at)],
        ["a board has the next departures first, and says what has slipped", wide, seeSailings(at)],
        ["rates and indices are charts", wide, seeRates(at)],
        [
          "one line of time says what was raised, for which endpoints, and how it went",
          wide,
          seeLines(scene, at),
        ],
        ["so it does to the client", wide, seeLinesOfClient(scene)],
        ["what means harm is shown as it is", wide, seeHarm(scene, at)],
        ["where there is nothing, the page says what to do", wide, seeNothing(scene)],
        ["axe finds nothing, and nothing is too wide: light", LOOKS[0], check(scene, at)],
        ["axe finds nothing, and nothing is too wide: dark and narrow", LOOKS[1], check(scene, at)],
      ];
      for (const [name, look, use] of uses) await t.test(name, (on) => onPage(on, browser, scene, look, use));
    } finally {
      await scene.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

function seeWaybills(scene: FreightScene, at: string): Use {
  return async (page) => {
    const polled: string[] = [];
    page.on("request", (request) => request.url().includes("/track/") && polled.push(request.url()));
    await page.goto(`${at}/air`);
    await page.getByRole("table", { name: "Waybills" }).waitFor();
    await page.getByLabel("Status").selectOption("delivered");
    await page.waitForURL(/status=delivered/);
    const badges = page.getByRole("table", { name: "Waybills" }).locator("tbody .badge");
    await page.getByRole("table", { name: "Waybills" }).getByRole("row").nth(4).waitFor();
    assert.deepEqual([...new Set(await badges.allInnerTexts())], ["Delivered"]);
    await page.reload();
    await page.getByRole("table", { name: "Waybills" }).waitFor();
    assert.equal(await page.getByLabel("Status").inputValue(), "delivered");
    // A number opens its waybill, by the keyboard alone.
    await page.getByLabel("Waybill", { exact: true }).focus();
    await page.keyboard.type(`${scene.raised.slice(0, 3)}-${scene.raised.slice(3)}`);
    await page.keyboard.press("Enter");
    await page.waitForURL(new RegExp(`/air/${scene.raised}$`));
    await page.getByRole("table", { name: "What the airline said" }).waitFor();
    assert.ok((await page.locator(".flights .flight").count()) > 0, "its flights");
    await page.goto(`${at}/air/${scene.split}`);
    await page.getByText("in parts").waitFor();
    await page
      .getByText(/\d+ of \d+ pcs/)
      .first()
      .waitFor();
    // Both clocks: the station's with its offset, and the reader's where it differs.
    await page
      .getByText(/UTC[+−]\d/)
      .first()
      .waitFor();
    await page
      .getByText(/\d\d:\d\d yours/)
      .first()
      .waitFor();
    await page.goto(`${at}/air/12`);
    await page.getByRole("alert").waitFor();
    assert.deepEqual(polled, []);
  };
}

function seeSailings(at: string): Use {
  return async (page) => {
    await page.goto(`${at}/schedules`);
    await page.getByRole("link", { name: "Singapore" }).click();
    await page.getByRole("heading", { name: "Departures from Singapore" }).waitFor();
    const board = page.getByRole("table", { name: "Departures" });
    await board.waitFor();
    const departures = await board
      .locator("td[data-name=Departs] time")
      .evaluateAll((times) => times.map((time) => time.getAttribute("datetime")));
    assert.ok(departures.length > 5, `${departures.length}`);
    assert.deepEqual(
      departures,
      departures.toSorted((one, other) => (one! < other! ? -1 : 1)),
      "next departures first",
    );
    const notMade = board.getByRole("row").filter({ hasText: /Blanked|Slid|Omitted|Missing/ });
    await notMade.filter({ hasText: "Blanked" }).first().waitFor();
    const theirCutOffs = await notMade.locator("td[data-name=Cut-offs]").allInnerTexts();
    assert.ok(theirCutOffs.includes("not made"), "one has cut-offs");
    assert.ok(
      theirCutOffs.every((text) => ["not made", "none known"].includes(text)),
      `a sailing that is not made counts nothing down: ${theirCutOffs.join()}`,
    );
    const moved = await board.locator(".moved").allInnerTexts();
    assert.ok(moved.length > 0 && moved.every((text) => /^[+−](\d+ d)?( ?\d+ h)?$/.test(text)), moved.join());
    await board
      .getByText(/in \d+ d|in \d+ h/)
      .first()
      .waitFor();
    await page.getByLabel("Route").check();
    await page.getByLabel("From", { exact: true }).fill("singapore");
    await page.getByLabel("To", { exact: true }).fill("nlrtm");
    await page.keyboard.press("Tab");
    await page.waitForURL(/origin=SGSIN&destination=NLRTM/);
    await page.getByRole("heading", { name: "Singapore to Rotterdam" }).waitFor();
    await page.getByRole("table", { name: "Sailings" }).getByRole("link").first().click();
    await page.waitForURL(/by=vessel/);
    await page.getByRole("heading", { name: "Next calls" }).waitFor();
    const bars = page.getByRole("table", { name: "Reliability by service" });
    await bars
      .getByText(/\d+\.\d %/)
      .first()
      .waitFor();
    const trend = bars.getByRole("img", {
      name: /^From \d+\.\d % on \d{4}-\d\d-\d\d to \d+\.\d % on \d{4}-\d\d-\d\d$/,
    });
    await trend.first().waitFor();
    assert.match((await trend.first().locator("path").getAttribute("d")) ?? "", /^M0 [\d.]+L/);
  };
}

function seeRates(at: string): Use {
  return async (page) => {
    await page.goto(`${at}/rates`);
    await page.getByRole("table", { name: "Loaded last" }).getByRole("row").nth(2).waitFor();
    await page.getByLabel("From", { exact: true }).fill("cnsha");
    await page.keyboard.press("Tab");
    await page.waitForURL(/origin=CNSHA/);
    const lanes = page.getByRole("table", { name: "Trade lanes" });
    await lanes.getByRole("link", { name: "CNSHA → NLRTM" }).first().click();
    await page.waitForURL(/lanes\/CNSHA-NLRTM\?box=20GP&currency=USD/);
    const chart = page.getByRole("img", {
      name: /Total a container, now: Market [\d,.]+, HRNL [\d,.]+, KITE/,
    });
    await chart.waitFor();
    await page.getByLabel("40HC USD").focus();
    await page.keyboard.press("Space");
    await page.waitForURL(/box=40HC/);
    await chart.waitFor();
    const today = page.getByRole("table", { name: "Today" });
    assert.equal(await today.getByRole("row").count(), 5, "the heading, the market and three carriers");
    await today.getByRole("link", { name: "KITE" }).click();
    await page.getByRole("heading", { name: "All rates, KITE" }).waitFor();
    await page.getByText("to come").waitFor();
    await page.goto(`${at}/rates/lanes/NLRTM-USNYC?box=40HC&currency=USD`);
    const contract = "KITE, contract SC-118, FURNITURE";
    const promoted = today.getByRole("row").filter({ hasText: contract });
    for (const text of [
      ...["2,231.75", "promotion", "131.25 (7.50 %)", "45.00 a bill", "ISPS 12.00 in the base"],
      ...["not in the total: USD 45.00 a bill, CNY 1,200.00", "32 in transit", "destination: combined 14"],
    ])
      await promoted.getByText(text).first().waitFor();
    await today.getByRole("link", { name: contract }).click();
    await page.getByRole("heading", { name: `All rates, ${contract}` }).waitFor();
    const all = page.getByRole("table", { name: "All rates" });
    await all.getByRole("row").nth(2).waitFor();
    assert.equal(await all.getByRole("row").count(), 3, "the heading, the contract and its promotion");
    await page.goto(`${at}/rates?contract=sc-118`);
    await lanes.getByRole("row").filter({ hasText: "contract SC-118" }).waitFor();
    await page.goto(`${at}/rates/indices/asia-europe`);
    await page.getByRole("img", { name: /Points, now: points [\d,.]+/ }).waitFor();
    assert.equal(await page.getByRole("table", { name: "Made of" }).getByRole("row").count(), 4);
    const converted = page.getByRole("table", { name: "Exchange rates of the latest value" });
    assert.match((await converted.getByRole("row").nth(1).textContent()) ?? "", /EUR.*USD 1\.1/);
  };
}

function seeLines(scene: FreightScene, at: string): Use {
  return async (page) => {
    await page.goto(`${at}/air/${scene.raised}`);
    const raised = await seeLine(page, /(RCS|RCF|DEP)/, "awb_");
    await lineOf(page).getByRole("link", { name: "Acme" }).waitFor();
    await raised.getByRole("link", { name: "1 attempt" }).first().click();
    await page.getByText("Delivered at attempt 1").waitFor();
    await page.goBack();
    await raised.getByRole("link").first().click();
    await page.getByRole("table", { name: "Its deliveries" }).waitFor();
    await page.goto(`${at}/schedules?origin=SGSIN&destination=NLRTM`);
    const board = page.getByRole("table", { name: "Sailings" });
    await board
      .getByRole("link", { name: /^voyage/ })
      .first()
      .click();
    await seeLine(page, "First reported", "sailing_slipped");
    await lineOf(page).getByText("Departure", { exact: true }).waitFor();
    await page.goto(`${at}/rates/lanes/CNYTN-USLAX?box=20GP&currency=USD`);
    await page.getByRole("table", { name: "Today" }).getByRole("link", { name: "HRNL" }).click();
    await seeLine(page, "1 rate loaded", "lane_rate_updated");
  };
}

function seeLinesOfClient({ service, keys, raised: awb, slippedId }: FreightScene): Use {
  return async (page) => {
    const portal = (product: string) => `${service.publicUrl}/${product}/portal`;
    await signInTo(page, `${portal("air")}/air-waybills/${awb}`, keys.air);
    const raised = await seeLine(page, /(RCS|RCF|DEP)/, "awb_");
    await raised
      .getByRole("link", { name: /attempts?$/ })
      .first()
      .click();
    await page.getByRole("heading", { name: "Body as sent" }).waitFor();
    await signInTo(page, `${portal("schedules")}/sailings/sailings/${slippedId}`, keys.schedules);
    await seeLine(page, "First reported", "sailing_slipped");
    await signInTo(page, `${portal("rates")}/rates/lanes/CNYTN-USLAX?box=20GP&currency=USD`, keys.rates);
    await page.getByRole("table", { name: "Today" }).getByRole("link", { name: "HRNL" }).click();
    await seeLine(page, "1 rate loaded", "lane_rate_updated");
    await page.goto(`${portal("air")}/find?q=${awb}`);
    await page.getByRole("table", { name: "Shipments and plans" }).getByRole("link", { name: awb }).click();
    await lineOf(page).waitFor();
  };
}

function check(scene: FreightScene, at: string): Use {
  return async (page) => {
    for (const [path, text] of [
      ["/air", "Albatross Cargo"],
      [`/air/${scene.raised}`, "raised awb_"],
      [`/air/${scene.hostile}`, "Timeline"],
      ["/schedules", "next departures first"],
      ["/schedules?origin=SGSIN&destination=NLRTM", "KITE K1"],
      ["/schedules?by=vessel&vessel=9321483", "Next calls"],
      [`/schedules/sailings/${scene.slippedId}`, "raised sailing_slipped"],
      ["/rates", "CNSHA → DEHAM"],
      ["/rates/lanes/CNSHA-NLRTM", "All rates, Market"],
      ["/rates/indices/asia-europe", "Made of"],
    ] as const) {
      await page.goto(`${at}${path}`);
      await page.getByText(text).first().waitFor();
      await page.locator("main:not(:has-text('Loading…'))").waitFor();
      await assertWell(page, path, "main");
    }
  };
}

function seeHarm(scene: FreightScene, at: string): Use {
  return async (page) => {
    for (const [path, text] of [
      [`/air/${scene.hostile}`, HOSTILE_IMP.slice(0, 12)],
      ["/air", HOSTILE],
      ["/schedules?origin=JPYOK&destination=NZAKL", HOSTILE],
      ["/schedules?by=port&port=NZAKL", HOSTILE],
      ["/schedules?by=vessel&vessel=9321483", HOSTILE],
      ["/rates/indices/asia-europe", HOSTILE],
      [`/air/${encodeURIComponent(HOSTILE)}`, "All waybills"],
      [`/schedules?by=port&port=${encodeURIComponent(HOSTILE)}`, "UN/LOCODE"],
      [`/schedules?by=vessel&vessel=${encodeURIComponent(HOSTILE)}`, "IMO"],
      [`/rates?origin=${encodeURIComponent(HOSTILE)}`, "UN/LOCODE"],
      [`/rates/lanes/${encodeURIComponent(HOSTILE)}`, "UN/LOCODE"],
      [`/rates/indices/${encodeURIComponent(HOSTILE)}`, "no index"],
    ] as const) {
      await page.goto(`${at}${path}`);
      await page.getByText(text).first().waitFor();
      assert.equal(await page.locator("main img, main script").count(), 0, path);
    }
  };
}

function seeNothing(scene: FreightScene): Use {
  return async (page) => {
    const at = `${scene.service.opsUrl}/console/accounts/${scene.emptyId}`;
    for (const [path, text] of [
      ["/air", "aircargo"],
      ["/air?status=arrived", "Choose another status"],
      ["/rates", "freightrates"],
      ["/schedules?origin=NLRTM&destination=NZAKL", "BOATHOOK_SCHEDULES_FILE"],
      ["/schedules?by=vessel", "IMO number"],
    ] as const) {
      await page.goto(`${at}${path}`);
      await page.getByText(text).first().waitFor();
    }
  };
}
