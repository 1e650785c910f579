/** The operator's console as an operator uses it, in a real browser. */
import assert from "node:assert/strict";
import { before, test } from "node:test";

import { ask, makeDataFolder, until } from "../service/boathook.ts";
import { raise } from "../service/client.ts";
import { assertWell } from "./axe.ts";
import { LOOKS, openBrowser, openPage, openSession, signIn, skip } from "./browser.ts";
import { buildPages } from "./built.ts";
import { history, HOSTILE, openScene } from "./scene.ts";

const folder = makeDataFolder({ withDatabase: true });

before(buildPages);

test("the console", { skip }, async (whole) => {
  const [browser, scene] = await Promise.all([openBrowser(whole), openScene(whole, folder)]);
  const { service, offId, hostileId, accountId, deadId, deliveredId, eventId } = scene;

  await whole.test("signs in with the operator's token only, and out again", async (t) => {
    const { page, context } = await openPage(t, browser);
    await page.goto(`${service.opsUrl}/`);
    await page.getByLabel("Operator's token").fill("guess");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText("That is not the operator's token.").waitFor();
    await signIn(page, scene);
    assert.deepEqual(await context.cookies(), []);
    const kept = async () => String(await page.evaluate("JSON.stringify([sessionStorage, localStorage])"));
    const session = /"([^"\\]*\.\d+\.[^"\\]*)\\"/.exec(await kept())![1]!;
    assert.ok(!(await kept()).includes(scene.token));
    await page.reload();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    const other = await context.newPage();
    await other.goto(`${service.opsUrl}/console/accounts`);
    await other.getByRole("heading", { name: "Accounts", exact: true }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    for (const one of [page, other]) await one.getByLabel("Operator's token").waitFor();
    assert.equal(await kept(), "[{},{}]");
    await page.evaluate(`sessionStorage.setItem("boathook session 2", '{"token":"${session}"}')`);
    await page.reload();
    await page.getByLabel("Operator's token").waitFor();
  });

  await whole.test("tells each failed attempt of a delivery", async (t) => {
    const { page } = await openPage(t, browser);
    await signIn(page, scene, `/console/endpoints/${offId}`);
    const rows = page.getByRole("row", { name: /index_refreshed/ });
    await rows.first().getByRole("link").first().click();
    await page.getByText("Attempt 1 failed").waitFor();
    await page
      .getByText(/took \d+ m?s, sent to 127\.0\.0\.1.*answered/)
      .first()
      .waitFor();
  });

  await whole.test(
    "leads in one click from the overview to why an endpoint is off, and enables it",
    async (t) => {
      const { page } = await openPage(t, browser);
      await signIn(page, scene);
      await page
        .getByRole("table", { name: "Endpoints off and failing" })
        .getByRole("link", { name: /broken/ })
        .click();
      await page.getByText("attempts in a row failed, so Boathook stopped sending").waitFor();
      const note = await page.getByRole("note").innerText();
      assert.match(note, /Off for .*since .*UTC/s);
      // The deliveries, which say why, come with an answer of their own.
      await page.getByRole("note").getByText("The endpoint answered Service Unavailable").waitFor();
      await raise(service, scene.token, accountId, [4]);
      await page
        .getByRole("note")
        .getByRole("link", { name: /^\d events?$/ })
        .click();
      await page.getByRole("heading", { name: "Events", exact: true }).waitFor();
      assert.equal(await page.getByLabel("Account").inputValue(), accountId);
      assert.notEqual(await page.getByLabel("From").inputValue(), "");
      assert.equal(await page.getByLabel("Type").inputValue(), "index_refreshed");
      await page
        .getByRole("row", { name: /europe: 1042.17/ })
        .first()
        .waitFor();
      await page.goBack();
      // A year is typed figure by figure.
      await page.goto(`${service.opsUrl}/console/events?since=0002-11-28T12:30:00.000Z`);
      assert.match(await page.getByLabel("From").inputValue(), /^0002-/);
      await page.goBack();
      scene.mend();
      await page.getByRole("button", { name: "Enable…" }).click();
      await page.getByRole("button", { name: "Enable", exact: true }).click();
      await page.locator("h1").getByText("Active").waitFor();
      assert.equal(await page.getByRole("button", { name: "Enable…" }).count(), 0);
    },
  );

  await whole.test(
    "leads from lists to an account, however long its name and the events' types are",
    async (t) => {
      const LONG = {
        account_name: "W".repeat(200),
        event_type: "api_change_announced",
        product: "schedules",
        created_at: "2025-12-30T20:59:59.000Z",
      };
      for (const viewport of [
        { width: 1280, height: 800 },
        { width: 390, height: 844 },
      ]) {
        const { page } = await openPage(t, browser, { viewport });
        await signIn(page, scene);
        await page.route(/\/v1\/(deliveries|endpoints|events)\?/, async (route) => {
          const response = await route.fetch();
          const answer = Object.entries<unknown>(await response.json());
          const long = (rows: unknown) =>
            Array.isArray(rows) ? rows.map((row: object) => ({ ...row, ...LONG })) : rows;
          await route.fulfill({
            response,
            json: Object.fromEntries(answer.map(([key, of]) => [key, long(of)])),
          });
        });
        for (const list of ["events", "endpoints", "deliveries"]) {
          await page.goto(`${service.opsUrl}/console/${list}`);
          await page.getByRole("cell").getByRole("link", { name: LONG.account_name }).first().waitFor();
          const tooWide = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
          assert.ok(Number(tooWide) <= 0, `${list}: ${String(tooWide)} px too wide at ${viewport.width}`);
        }
        await page.getByRole("cell").getByRole("link", { name: LONG.account_name }).first().click();
        await page.locator("h1").getByText("Acme").waitFor();
      }
    },
  );

  await whole.test("names the cells whose rows a list lacks", async (t) => {
    const { page } = await openPage(t, browser);
    await page.route(/\/v1\/(endpoints|deliveries)[?/]/, async (route) => {
      const response = await route.fetch();
      const json = { ...(await response.json()), unavailable_cells: ["7"] };
      await route.fulfill({ response, json });
    });
    await signIn(page, scene);
    for (const path of ["/console", "/console/endpoints?state=off", "/console/deliveries?status=pending"]) {
      await page.goto(`${scene.service.opsUrl}${path}`);
      await page
        .getByRole("alert")
        .getByText("These cells do not answer, and what they have is missing: 7")
        .waitFor();
    }
  });

  await whole.test("says in a heading what does not exist, and asks for it no more", async (t) => {
    const { page } = await openPage(t, browser);
    await signIn(page, scene);
    const missing = async (path: string, name: string) => {
      await page.goto(`${service.opsUrl}/console/${path}`);
      await page.getByRole("heading", { level: 1, name: `There is no such ${name}` }).waitFor();
    };
    await missing(`deliveries/${offId}`, "delivery");
    await missing(`accounts/${offId}`, "account");
    await missing(`accounts/${offId}/tracking`, "account");
    await missing(`accounts/${accountId}/tracking/${offId}`, "container");
    await missing(`accounts/${accountId}/rates/indices/none`, "index");
    for (const tag of ["tracking", "schedules", "rates"])
      await missing(`accounts/${accountId}/${tag}/nowhere`, "page");
    await missing("sources/none", "source");
    const status = await ask("GET", `${service.opsUrl}/v1/status`, scene.token);
    let followed = 0;
    // The stream says that there may be something new, ends, and is followed again.
    await page.route("**/v1/live", (route) => {
      followed += 1;
      const body = `event: status\ndata: ${JSON.stringify(status.body)}\n\n`;
      return route.fulfill({ contentType: "text/event-stream", body });
    });
    await missing(`endpoints/${deadId}`, "endpoint");
    const [asked, first]: [string[], number] = [[], followed];
    page.on("request", (request) => void asked.push(request.url()));
    await until(() => followed > first, "the page hears that there may be something new");
    asked.length = 0;
    await until(() => followed > first + 2, "the page hears it again");
    assert.deepEqual(
      asked.filter((url) => url.includes(deadId)),
      [],
    );
  });

  const pages = [
    ["/console", "Overview"],
    ["/console/accounts", "Acme"],
    [`/console/accounts/${accountId}`, "broken"],
    [`/console/accounts/${hostileId}`, "rates_"],
    ["/console/endpoints", "broken"],
    ["/console/deliveries", "index_refreshed"],
    [`/console/deliveries/${deliveredId}`, '"index_id"'],
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
    ["/console/find?q=broken", "It is not an id"],
    ["/console/nowhere", "There is no such page"],
  ] as const;

  for (const look of LOOKS)
    await whole.test(`has no finding of axe and does not scroll sideways: ${look.colorScheme}`, async (t) => {
      const { page, context } = await openPage(t, browser, look);
      await page.route("**/v1/history*", (route) => route.fulfill({ json: history(Date.now()) }));
      await openSession(context, scene);
      for (const [address, text] of pages) {
        await page.goto(`${service.opsUrl}${address}`);
        await page.getByText(text).first().waitFor();
        await page.getByText("Live", { exact: true }).waitFor();
        await assertWell(page, address);
      }
    });

  await whole.test("shows names that mean harm as they are", async (t) => {
    const { page } = await openPage(t, browser);
    await signIn(page, scene, `/console/accounts/${hostileId}`);
    assert.ok((await page.locator("h1").innerText()).includes(HOSTILE));
    await page.getByRole("cell", { name: HOSTILE }).waitFor();
    await page.goto(`${service.opsUrl}/console/endpoints/${offId}`);
    await page.getByText(HOSTILE).waitFor();
    for (const address of [
      `deliveries/${encodeURIComponent(HOSTILE)}`,
      `endpoints?account_id=${encodeURIComponent(HOSTILE)}`,
    ]) {
      await page.goto(`${service.opsUrl}/console/${address}`);
      await page
        .getByText(/There is no delivery of that id|account_id must be a UUID/)
        .first()
        .waitFor();
    }
    assert.equal(await page.locator("main img, main script").count(), 0);
  });

  await whole.test("recovers when the service restarts under it, and stays signed in", async (t) => {
    const { page } = await openPage(t, browser);
    await signIn(page, scene, "/console/deliveries");
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByText("index_refreshed").first().waitFor();
    service.signal("SIGTERM");
    await page.getByText("Not connected; trying again").waitFor();
    assert.equal(await service.ended, 0);
    assert.ok(await page.getByText("index_refreshed").first().isVisible(), "what it showed stays");
    await scene.again(t);
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Accounts" }).click();
    await page.getByRole("link", { name: "Acme" }).waitFor();
  });
});
