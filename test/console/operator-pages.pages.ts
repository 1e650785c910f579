/** Events, sources, signatures and long lists, as an operator reads them, in a real browser. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { before, test } from "node:test";

import type { Page } from "playwright-core";

import { ask, makeDataFolder, until } from "../service/boathook.ts";
import { openBrowser, openPage, openSession, signIn, skip, tabTo } from "./browser.ts";
import { buildPages } from "./built.ts";
import { HOSTILE, openScene } from "./scene.ts";

const folder = makeDataFolder({ withDatabase: true });

before(buildPages);

/**
 * A page counts what its stream has said of how the service is, which it says again every ten seconds, and what it has
 * asked without an answer.
 */
const COUNT_LIVE = `
  globalThis.heard = 0;
  globalThis.asking = 0;
  const send = globalThis.fetch;
  globalThis.fetch = async (...given) => {
    globalThis.asking += 1;
    try {
      return await send(...given);
    } finally {
      globalThis.asking -= 1;
    }
  };
  new BroadcastChannel("boathook live 1").addEventListener("message", ({ data }) => {
    if (data.is === "status") globalThis.heard += 1;
  });`;

/** The stream says it every ten seconds. */
const READING_MS_MAX = 60_000;

test("the operator's pages", { skip }, async (whole) => {
  const [browser, scene] = await Promise.all([openBrowser(whole), openScene(whole, folder)]);
  const { service, offId, eventId, deadId } = scene;

  await whole.test(
    "lead from a delivery to its event, to the event's other deliveries and back",
    async (t) => {
      const { page } = await openPage(t, browser);
      await signIn(page, scene, `/console/deliveries/${deadId}`);
      const others = page.getByRole("table", { name: "The event’s other deliveries" });
      await others.getByText("Delivered").waitFor();
      const account = page.getByRole("link", { name: "Acme", exact: true });
      assert.equal(await account.getAttribute("href"), `/console/accounts/${scene.accountId}`);
      await page.getByRole("link", { name: "The event", exact: true }).click();
      await page.waitForURL(`**/console/events/${eventId}`);
      const its = page.getByRole("table", { name: "Its deliveries" });
      await its.getByText("Dead").or(its.getByText("Retrying")).or(its.getByText("Parked")).first().waitFor();
      assert.equal(await its.getByRole("row").count(), 3);
      assert.equal(await account.count(), 1);
      await page.getByText('"index_id"').waitFor();
      await its.getByRole("row").filter({ hasText: "broken" }).getByRole("link").first().click();
      await page.waitForURL(`**/console/deliveries/${deadId}`);
    },
  );

  await whole.test("find events by type and time, at an address that says so", async (t) => {
    const { page } = await openPage(t, browser);
    await signIn(page, scene, "/console/events");
    const rows = page.getByRole("table", { name: "Events" }).getByRole("row");
    await rows.nth(3).waitFor();
    assert.equal(await rows.getByRole("link", { name: "Acme", exact: true }).count(), 3);
    await page.getByLabel("Event type").fill("lane_changed");
    await page.keyboard.press("Tab");
    await page.getByText("No event matches").waitFor();
    assert.match(page.url(), /type=lane_changed/);
    await page.getByLabel("Event type").fill("index_refreshed");
    await page.getByLabel("Until").fill("2020-01-01T00:00");
    await page.keyboard.press("Tab");
    await page.waitForURL(/until=/);
    assert.match(page.url(), /type=index_refreshed/);
    await page.getByText("No event matches").waitFor();
    assert.equal(new URL(page.url()).searchParams.get("until"), "2019-12-31T23:00:00.000Z");
    await page.goto(page.url().replace(/&until=[^&]*/, ""));
    await rows.nth(3).waitFor();
  });

  await whole.test("find anything from everywhere: / leads to the search", async (t) => {
    const { page } = await openPage(t, browser);
    await signIn(page, scene, "/console");
    for (const [text, kind, link] of [
      [eventId, "Events", "index_refreshed"],
      ["acme", "Accounts", "Acme"],
      ["index refreshed", "Event types", "index_refreshed"],
    ] as const) {
      await page.getByRole("searchbox", { name: "Find" }).waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type(text);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: `Found for ${text}` }).waitFor();
      await page.getByRole("table", { name: kind }).getByRole("link", { name: link }).first().waitFor();
      await page.locator("#content").focus();
    }
    await page.goto(`${service.opsUrl}/console/find?q=AVCU0000085`);
    await page.getByText("Nothing is found").waitFor();
    await page.getByText(/Looked for references that begin with AVCU0000085/).waitFor();
  });

  await whole.test("leave what is being typed when they are shown again", async (t) => {
    const { page } = await openPage(t, browser);
    await signIn(page, scene, "/console/events");
    for (const [address, ...names] of [
      ["events", "Find", "Reference", "Event type", "Account"],
      [`accounts/${scene.accountId}/rates`, "From", "Carrier"],
      [`deliveries/${deadId}`, "Signature that the receiver got"],
    ] as const) {
      await page.goto(`${service.opsUrl}/console/${address}`);
      const fields = names.map((name) => page.getByLabel(name, { exact: true }));
      for (const field of fields) {
        // No change until it is left.
        await field.evaluate((input) => ((input as unknown as { value: string }).value = "so far"));
      }
      await page.evaluate('dispatchEvent(new PopStateEvent("popstate"))');
      for (const field of fields) assert.equal(await field.inputValue(), "so far", String(field));
    }
    // A date that is half typed has no value that could be compared.
    await page.goto(`${service.opsUrl}/console/events`);
    const from = page.getByLabel("From");
    await from.focus();
    await page.keyboard.type("12");
    await page.evaluate('dispatchEvent(new PopStateEvent("popstate"))');
    assert.equal(
      await from.evaluate(
        (input) => (input as unknown as { validity: { badInput: boolean } }).validity.badInput,
      ),
      true,
    );
  });

  await whole.test(
    "say that nobody answers when the stream is silent, though its connection stands",
    async (t) => {
      const { page } = await openPage(t, browser);
      await page.clock.install();
      await signIn(page, scene);
      await page.getByText("Live", { exact: true }).waitFor();
      // The clock stands still from then on: the next try waits until this has been seen.
      await page.clock.pauseAt(Date.now() + 60_000);
      await page.getByText("Not connected; trying again").waitFor();
      await page.clock.resume();
      await page.getByText("Live", { exact: true }).waitFor();
    },
  );

  await whole.test("show of each range its own figures, and why there are none", async (t) => {
    const day = Promise.withResolvers<void>();
    // Before the page waits for its routes.
    t.after(() => day.resolve());
    const { page } = await openPage(t, browser);
    const sample = { at: "2026-11-30T00:00:00.000Z", seconds: 60, delivered: { rates: 999_999 } };
    const rest = { failed_attempts: {}, dead: {}, backlog: {}, arrival_seconds: null };
    await page.route("**/v1/history?range=day", async (route) => {
      await day.promise;
      await route.fulfill({ json: { samples: [{ ...sample, ...rest }] } });
    });
    await signIn(page, scene);
    const figure = page.getByText("in this range").first();
    await figure.waitFor();
    await page.getByLabel("Last day").check();
    await page.getByLabel("Last hour").check();
    const answered = page.waitForResponse(/range=day/);
    day.resolve();
    await (await answered).finished();
    await page.unrouteAll({ behavior: "wait" });
    await page.evaluate("new Promise(requestAnimationFrame)");
    await figure.waitFor();
    assert.doesNotMatch(await figure.innerText(), /999,999/);
    const error = { code: "UNAVAILABLE", message: "the history is away" };
    await page.route("**/v1/history?range=day", (route) => route.fulfill({ status: 503, json: { error } }));
    await page.getByLabel("Last day").check();
    await page.getByText("The history is away.").waitFor();
    assert.equal(await figure.count(), 0);
  });

  await whole.test("take what is done in another tab, and say no longer what has passed", async (t) => {
    const { page, context } = await openPage(t, browser);
    await signIn(page, scene);
    const other = await context.newPage();
    await other.goto(`${service.opsUrl}/console/accounts`);
    await other.getByRole("heading", { name: "Accounts", exact: true }).waitFor();
    await page.route("**/v1/session", (route) => route.abort());
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You are still signed in.").waitFor();
    await page.getByRole("link", { name: "Sources", exact: true }).click();
    await page.getByText("You are still signed in.").waitFor({ state: "detached" });
    await page.unrouteAll();
    await page.getByRole("button", { name: "Sign out" }).click();
    await other.getByLabel("Operator's token").waitFor();
    await signIn(page, scene);
    await other.getByRole("heading", { name: "Accounts", exact: true }).waitFor();
  });

  await whole.test("ask again for the same text, and lead back in one step", async (t) => {
    const { page } = await openPage(t, browser);
    await signIn(page, scene, "/console/accounts");
    const find = page.getByRole("searchbox", { name: "Find" });
    await find.fill("Latecomer");
    await find.press("Enter");
    await page.getByText("Nothing is found").waitFor();
    await ask("POST", `${service.opsUrl}/v1/accounts`, scene.token, { name: "Latecomer" });
    await find.press("Enter");
    await page.getByRole("table", { name: "Accounts" }).getByText("Latecomer").first().waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "Accounts", exact: true }).waitFor();
    const products = `${service.opsUrl}/console/accounts/${scene.accountId}`;
    await page.goto(`${products}/air`);
    await page.getByRole("textbox", { name: "Waybill" }).fill("176-12345675");
    await page.getByRole("textbox", { name: "Waybill" }).press("Enter");
    await page.waitForURL(/17612345675$/);
    await page.goBack();
    await page.waitForURL(/air$/);
    await page.goto(`${products}/constructor`);
    await page.getByRole("heading", { name: "There is no such page" }).waitFor();
  });

  await whole.test("say what has been pruned", async (t) => {
    const { page } = await openPage(t, browser);
    await signIn(page, scene, "/console/events/01800000-0000-7000-8000-000000000001");
    await page.getByText(/The event is unknown, or was pruned: its id is of 2022-04-06/).waitFor();
    await page.goto(`${service.opsUrl}/console/deliveries/01800000-0000-7000-8000-000000000001`);
    await page.getByText(/The delivery is unknown, or was pruned/).waitFor();
  });

  await whole.test("check a signature that a receiver got (spec 5.1: signature_header)", async (t) => {
    const { page } = await openPage(t, browser);
    await signIn(page, scene, `/console/deliveries/${deadId}`);
    await page.getByText("The signature verifies").waitFor();
    const value = await page.getByText(/^sha256=[0-9a-f]{64}$/).innerText();
    const field = page.getByLabel("Signature that the receiver got");
    await field.fill(value);
    await page.keyboard.press("Tab");
    await page.getByText("It verifies: the receiver got these bytes from here.").waitFor();
    await field.fill(`sha256=${createHmac("sha256", "guess").update("body").digest("hex")}`);
    await page.keyboard.press("Tab");
    await page.getByText("It does not verify.").waitFor();
  });

  await whole.test("show every source, what it answered in words, and what could not be read", async (t) => {
    const { page } = await openPage(t, browser);
    await signIn(page, scene, "/console/sources");
    const table = page.getByRole("table", { name: "Sources" });
    await table.getByRole("row", { name: /heron \(HRNL\).*Schedules/ }).waitFor();
    await table
      .getByRole("row", { name: /heron/ })
      .getByText("No connection came about, or it broke off.")
      .or(table.getByRole("row", { name: /heron/ }).getByText("Its quota"))
      .first()
      .waitFor();
    assert.equal(await table.getByRole("row").count(), 1 + 6);
    await table.getByRole("link", { name: HOSTILE }).click();
    await page.locator("h1").getByText(HOSTILE).waitFor();
    await page.getByText("0 of 60 requests a minute used").waitFor();
    await page.getByRole("link", { name: "Sources" }).click();
    await table.getByRole("link", { name: "Loaded rates" }).click();
    await page.getByRole("table", { name: "What could not be read" }).getByText("alert(1)").first().waitFor();
    assert.equal(await page.locator("main img, main script").count(), 0);
  });

  await whole.test(
    "take an operator with the keyboard alone from the sign-in to an endpoint that is on again",
    async (t) => {
      const { page } = await openPage(t, browser);
      await page.goto(`${service.opsUrl}/console`);
      await page.getByLabel("Operator's token").waitFor();
      await tabTo(page, /Operator's token/);
      await page.keyboard.type(scene.token);
      await page.keyboard.press("Enter");
      await page
        .getByRole("table", { name: "Endpoints off and failing" })
        .getByRole("link")
        .first()
        .waitFor();
      await tabTo(page, /127\.0\.0\.1.*broken/);
      await page.keyboard.press("Enter");
      await page.getByText("attempts in a row failed, so Boathook stopped sending").waitFor();
      scene.mend();
      await tabTo(page, /^Enable…$/);
      await page.keyboard.press("Enter");
      await tabTo(page, /^Enable$/);
      await page.keyboard.press("Enter");
      await page.locator("h1").getByText("Active").waitFor();
    },
  );

  const pages = [
    ["/console/events", "index_refreshed"],
    [`/console/events/${eventId}`, '"index_id"'],
    ["/console/sources", "heron (HRNL)"],
    [`/console/endpoints/${offId}`, "failed attempts"],
    ["/console/system", "All of the directory and its cells"],
  ] as const;

  await whole.test("do not jump when they update", async (t) => {
    const viewport = { width: 1280, height: 800 };
    const opened = await Promise.all(
      pages.map(async ([address, text]) => {
        // A context of its own: a browser opens six connections to a host, and each page holds one.
        const { page, context: own } = await openPage(t, browser, { viewport });
        await openSession(own, scene);
        await own.addInitScript(COUNT_LIVE);
        await page.goto(`${service.opsUrl}${address}`);
        await page.getByText(text).first().waitFor();
        await page.getByText("Live", { exact: true }).waitFor();
        // What the test before has queued is sent: a queue that ends changes its page.
        if (address === "/console/system") await page.getByText("The queue is empty").waitFor();
        return { page, address };
      }),
    );
    // The first reading may come while a page is still filled.
    const earlier = await Promise.all(opened.map(({ page }) => placesAfter(page, 2)));
    const later = await Promise.all(opened.map(({ page }) => placesAfter(page, 3)));
    for (const [index, { page, address }] of opened.entries()) {
      assert.deepEqual(later[index], earlier[index], address);
      await page.context().close();
    }
  });
});

/** Where the sections stand once the stream has said so many times how the service is, and what the page then asks is there. */
async function placesAfter(page: Page, readings: number): Promise<unknown> {
  const frames = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";
  const says = (what: string) => async () => Boolean(await page.evaluate(what));
  await until(
    says(`heard >= ${readings}`),
    `the stream says ${readings} times how the service is`,
    READING_MS_MAX,
  );
  await page.evaluate(frames);
  await until(says("asking === 0"), "what the page asks is answered");
  await page.evaluate(frames);
  return placesOf(page);
}

/** Where the sections stand. */
function placesOf(page: Page): Promise<unknown> {
  return page.evaluate(
    "[...document.querySelectorAll('main h1, main h2, main th')].map((one) => { const { x, y } = one.getBoundingClientRect(); return [one.textContent, Math.round(x), Math.round(y)]; })",
  );
}
