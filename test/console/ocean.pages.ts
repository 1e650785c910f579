/** Ocean's pages in the console, in a real browser, of containers that the service polled. */
import assert from "node:assert/strict";
import { before, test, type TestContext } from "node:test";

import { ask, makeDataFolder, until } from "../service/boathook.ts";
import { assertWell } from "./axe.ts";
import { buildPages } from "./built.ts";
import { LOOKS, openBrowser, openPage, openSession, skip } from "./browser.ts";
import { openOceanScene, UNKNOWN, type OceanScene } from "./ocean-scene.ts";
import { signInTo } from "./portal-scene.ts";
import { HOSTILE } from "./scene.ts";
import { lineOf, seeLine } from "./timeline.ts";

const folder = makeDataFolder({ withDatabase: true });

before(buildPages);

/** A container that the account's key would read, chosen by its details; once the carrier has answered as of today. */
async function find(scene: OceanScene, is: (detail: Detail) => boolean): Promise<Detail> {
  const at = `${scene.service.publicUrl}/tracking/v1/containers`;
  let found: Detail;
  await until(async () => {
    for (const { id } of await scene.all()) {
      const { data } = (await ask("GET", `${at}/${id}`, scene.key)).body;
      if (!is(data)) continue;
      found = data;
      return true;
    }
    return false;
  }, "a container is like that");
  return found;
}

// oxlint-disable-next-line typescript/no-explicit-any -- what is wrong with it, the assertions say
type Detail = any;

test("ocean's pages", { skip }, async (whole) => {
  const [browser, scene] = await Promise.all([openBrowser(whole), openOceanScene(whole, folder)]);
  const { service, token, accountId } = scene;
  const pages = `${service.opsUrl}/console/accounts/${accountId}/tracking`;
  const sailing = await find(
    scene,
    ({ id, status, vessel }) => status === "in_transit" && vessel?.imo && !scene.hostileIds.includes(id),
  );
  const { imo, name } = sailing.vessel;
  const seen = {
    imo,
    status: 0,
    at: new Date().toISOString(),
    latitude: 12.5,
    longitude: 60.25,
    course: 280,
  };
  await ask("POST", `${service.opsUrl}/v1/vessels/positions`, token, { positions: [seen] });
  const costly = await find(scene, ({ free_time: free }) => free !== null && free.rates !== null);
  const moved = await find(scene, ({ eta_history: history }) => history.length > 1);
  const open = async (on: TestContext, look: Parameters<typeof openPage>[2] = {}) => {
    const opened = await openPage(on, browser, look);
    await openSession(opened.context, scene);
    return opened;
  };

  await whole.test("shows first what somebody should act on, and why", async (t) => {
    const { page } = await open(t);
    await page.goto(pages);
    const urgent = page.getByRole("table", { name: "Needs attention" });
    const row = urgent.getByRole("row", { name: new RegExp(UNKNOWN) });
    await row.waitFor();
    assert.match(await row.innerText(), /Not found[^]*Check that it is written right/);
    await page.getByLabel("Status").selectOption("in_transit");
    await page.getByRole("table", { name: "Containers" }).getByText(sailing.reference).waitFor();
    assert.match(page.url(), /\?status=in_transit$/);
    assert.equal(await page.getByRole("table", { name: "Containers" }).getByText(UNKNOWN).count(), 0);
    await page.goto(`${pages}?reference=${UNKNOWN}`);
    await page.getByRole("table", { name: "Containers" }).getByRole("link", { name: UNKNOWN }).click();
    await page.getByText("The last poll had no answer.").waitFor();
  });

  await whole.test(
    "shows of a box when and where by both clocks, what it costs, and how its arrival moved",
    async (t) => {
      const { page } = await open(t, { timezoneId: "America/New_York" });
      await page.goto(`${pages}/${costly.id}`);
      const event = costly.events.find(({ utc_offset_minutes: minutes }: Detail) => (minutes ?? 0) !== 0);
      const row = page.getByRole("listitem").filter({ hasText: event.name }).first();
      const texts = (await row.innerText()).replaceAll("\n", " ");
      const hours = (text: string) => text.slice(11, 16);
      assert.ok(texts.includes(hours(event.event_local_datetime)), texts);
      assert.match(texts, /UTC[+−]\d/);
      const inNewYork = new Date(event.event_date_time).toLocaleTimeString("en-GB", {
        ...{ timeZone: "America/New_York", hour: "2-digit", minute: "2-digit" },
      });
      assert.ok(texts.includes(inNewYork), `${texts} ${inNewYork}`);
      const costs = await page.getByRole("region", { name: "Free time at the terminal" }).innerText();
      assert.match(costs, /Days 1 to 5\s+\$75 a day/);
      assert.match(costs, /From day 6\s+\$150 a day/);
      await page.goto(`${pages}/${moved.id}`);
      await page.getByRole("img", { name: /^The estimated arrival moved/ }).waitFor();
      const history = page.getByRole("region", { name: "Status history" }).getByRole("listitem");
      await history.first().waitFor();
      assert.equal(await history.count(), moved.status_history.length);
    },
  );

  await whole.test(
    "has one line of what the carrier said and what was raised, which grows by the keyboard, for both roles",
    async (t) => {
      const { page } = await open(t);
      const at = `${service.publicUrl}/tracking/v1/events?limit=100`;
      const raised = (await ask("GET", at, scene.key)).body.data.find(
        ({ data }: { readonly data: Detail }) => !scene.hostileIds.includes(data.container_id),
      );
      const { container_id: id, identifier } = raised.data;
      const address = `${pages}/${id}`;
      await page.goto(address);
      await seeLine(page, /(Vessel departure|Gate in)/, raised.type);
      await lineOf(page).getByRole("link", { name: raised.summary }).waitFor();
      // Nobody tracks so many changes: an operator raises them.
      const data = { container_id: id, identifier, changed_fields: ["eta"] };
      const event = { product: "tracking", account_id: accountId, type: "shipment_updated", data };
      await ask("POST", `${service.opsUrl}/v1/events`, token, {
        events: Array.from({ length: 70 }, () => event),
      });
      const entries = lineOf(page).locator("ol > li");
      const earlier = lineOf(page).getByRole("button", { name: "Show earlier" });
      await earlier.waitFor();
      assert.match(await entries.first().innerText(), /raised shipment_updated/);
      for (let presses = 0; (await earlier.count()) > 0; presses += 1) {
        assert.ok(presses < 4);
        const known = await entries.count();
        await earlier.press("Enter");
        await until(async () => (await entries.count()) > known, "there is more of it");
      }
      assert.match(await entries.first().innerText(), /Booking|Gate/);
      assert.ok((await entries.count()) > 70);
      const other = await openPage(t, browser);
      await signInTo(other.page, `${service.publicUrl}/tracking/portal/containers/${id}`, scene.key);
      await other.page
        .getByRole("region", { name: "Timeline" })
        .getByText(/raised/)
        .first()
        .waitFor();
      await other.page.goto(`${service.publicUrl}/tracking/portal/find?q=${identifier}`);
      await other.page.getByRole("link", { name: identifier, exact: true }).click();
      await seeLine(other.page, "", "shipment_updated");
    },
  );

  await whole.test("has a map that keys and pointers move, with all that is on it as text", async (t) => {
    const { page } = await open(t, { viewport: { width: 1280, height: 900 } });
    await page.goto(`${pages}/map`);
    const list = page.getByRole("table", { name: "What is on the map" });
    await list
      .getByRole("row", { name: new RegExp(`${name}.*AIS`) })
      .first()
      .waitFor();
    const land = page.locator(".map-land");
    const drawn = () => land.getAttribute("d");
    await until(async () => ((await drawn()) ?? "").length > 1_000, "the coasts are drawn");
    assert.ok((await page.locator(".map-way.past").count()) > 0);
    assert.ok((await page.locator(".map-way.coming").count()) > 0);
    const legend = page.locator(".map-legend");
    for (const [drawnAs, meaning] of [
      [".map-mark .map-port", "port or place with containers"],
      [".map-mark .map-vessel.estimated", "vessel, reckoned from its times"],
      [".map-mark .map-vessel:not(.estimated)", "vessel by AIS"],
      [".map-mark .map-cluster", "several, and how many containers"],
    ] as const) {
      const isDrawn = (await page.locator(drawnAs).count()) > 0;
      assert.equal((await legend.getByText(meaning).count()) > 0, isDrawn, meaning);
    }
    const changed = async (what: string, act: () => Promise<void>): Promise<void> => {
      const was = await drawn();
      await act();
      await until(async () => (await drawn()) !== was, what);
    };
    const first = await drawn();
    const view = page.getByRole("group", { name: /Arrow keys move it/ });
    await view.focus();
    await changed("an arrow key", () => page.keyboard.press("ArrowRight"));
    await changed("plus", () => page.keyboard.press("+"));
    await changed("a wheel", () => page.mouse.move(700, 400).then(() => page.mouse.wheel(0, -200)));
    await changed("a drag", async () => {
      await page.mouse.move(700, 400);
      await page.mouse.down();
      await page.mouse.move(620, 380, { steps: 4 });
      await page.mouse.up();
    });
    await page.keyboard.press("0");
    await until(async () => (await drawn()) === first, "0 shows all again");
    await page.goto(`${pages}/${sailing.id}`);
    await page.getByText("What is on the map").click();
    await page.getByText("12.50° N 60.25° E").waitFor();
    await legend.getByText("vessel by AIS").waitFor();
  });

  await whole.test("zooms under two fingers", async (t) => {
    const { page, context } = await open(t, { hasTouch: true, viewport: { width: 390, height: 844 } });
    await page.goto(`${pages}/map`);
    const land = page.locator(".map-land");
    await until(async () => ((await land.getAttribute("d")) ?? "").length > 1_000, "the coasts are drawn");
    const was = await land.getAttribute("d");
    await page.locator(".map-view").scrollIntoViewIfNeeded();
    const { x, y } = (await page.locator(".map-view").boundingBox())!;
    const touch = await context.newCDPSession(page);
    const send = (type: "touchStart" | "touchMove" | "touchEnd", apart: number) =>
      touch.send("Input.dispatchTouchEvent", {
        type,
        touchPoints:
          type === "touchEnd"
            ? []
            : [
                { x: x + 150 - apart, y: y + 150, id: 1 },
                { x: x + 150 + apart, y: y + 150, id: 2 },
              ],
      });
    await send("touchStart", 20);
    await send("touchMove", 40);
    await send("touchMove", 70);
    await send("touchEnd", 0);
    await until(async () => (await land.getAttribute("d")) !== was, "the map comes closer");
  });

  for (const look of LOOKS)
    await whole.test(`has no finding of axe and does not scroll sideways: ${look.colorScheme}`, async (t) => {
      const { page } = await open(t, look);
      for (const [address, text] of [
        [pages, sailing.reference],
        [`${pages}/map`, "way to come"],
        [`${pages}/${costly.id}`, "Last free day"],
        [`${pages}/${moved.id}`, "Arrival, as estimated"],
        [`${pages}/${scene.hostileIds[0]}`, "Status history"],
      ] as const) {
        await page.goto(address);
        await page.getByText(text).first().waitFor();
        await page.getByText("Live", { exact: true }).waitFor();
        await assertWell(page, address);
      }
    });

  await whole.test("shows what a carrier writes as it is", async (t) => {
    const { page } = await open(t);
    for (const address of [`${pages}/${scene.hostileIds[0]}`, `${pages}/map`, pages]) {
      await page.goto(address);
      await page.getByRole("main").getByRole("heading").first().waitFor();
      if (address !== pages)
        await page.getByText(HOSTILE.slice(0, 30)).locator("visible=true").first().waitFor();
      assert.equal(await page.locator("main img, main script").count(), 0);
    }
  });

  await whole.test("lets a client track, ask the carrier again, and stop, where they may", async (t) => {
    const { page } = await openPage(t, browser);
    await signInTo(page, `${service.publicUrl}/tracking/portal/containers`, scene.key);
    const field = page.getByLabel("Track a container, bill of lading or booking");
    await field.fill("MSCU1234567");
    await page.getByRole("button", { name: "Track", exact: true }).click();
    await page
      .getByRole("alert")
      .getByText(/check digit/)
      .waitFor();
    await field.fill(scene.untracked);
    await page.getByRole("button", { name: "Track", exact: true }).click();
    await page.getByRole("heading", { name: scene.untracked }).waitFor();
    const references = async () => (await scene.all()).map(({ reference }) => reference);
    assert.ok((await references()).includes(scene.untracked));
    await page.getByRole("button", { name: "Ask the carrier now" }).click();
    await page.getByText("The carrier is asked next.").waitFor();
    await page.getByRole("button", { name: "Stop tracking…" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    assert.ok((await references()).includes(scene.untracked));
    await page.getByRole("button", { name: "Stop tracking…" }).click();
    await page.getByRole("button", { name: "Stop tracking", exact: true }).click();
    await page.getByRole("heading", { name: "Containers", exact: true }).waitFor();
    assert.ok(!(await references()).includes(scene.untracked));
  });
});
