/** The client's portal as a client uses it, in a real browser, on the real service. */
import assert from "node:assert/strict";
import { before, test } from "node:test";

import type { Route } from "playwright-core";

import { ask, makeDataFolder, until } from "../service/boathook.ts";
import { raise } from "../service/client.ts";
import { assertWell } from "./axe.ts";
import { LOOKS, openBrowser, openPage, skip, tabTo } from "./browser.ts";
import { buildPages } from "./built.ts";
import { openPortalScene, portalOf, signInTo } from "./portal-scene.ts";
import { HOSTILE } from "./scene.ts";

const folder = makeDataFolder({ withDatabase: true });

before(buildPages);

test("the portal", { skip }, async (whole) => {
  const settings = { BOATHOOK_PORTAL_COLOR: "#ffd400" };
  const [browser, scene] = await Promise.all([openBrowser(whole), openPortalScene(whole, folder, settings)]);
  const { service, token, accountId, key, receiver, wellId, offId, deliveredId, failedId } = scene;

  await whole.test("leads a client from registering to seeing it fail, why, and recover", async (t) => {
    const { page, wrong } = await openPage(t, browser);
    await signInTo(page, portalOf(scene), scene.key);
    await page.getByRole("link", { name: "Register an endpoint" }).click();
    await page.getByLabel("URL").fill("https://127.0.0.1:1");
    await page.getByLabel("These").check();
    await page.getByRole("button", { name: "Register" }).click();
    await page.getByRole("alert").getByText("Choose one event or more").waitFor();
    await page.getByLabel(/index_refreshed/).check();
    await page.getByLabel("URL").fill("https://user@example.com/");
    await page.getByRole("button", { name: "Register" }).click();
    await page.getByRole("alert").getByText(/Url: /).waitFor();
    await page.getByLabel("URL").fill(`${receiver.url}/mine`);
    await page.getByLabel("Label").fill(HOSTILE);
    await page.getByRole("button", { name: "Register" }).click();
    const secret = await page.locator("pre[aria-label='Signing secret']").innerText();
    assert.match(secret, /^whsec_[\w-]{64}$/);
    receiver.trust("mine", secret);
    await page.getByRole("link", { name: /I have kept it/ }).click();
    await page.getByText("index_refreshed").first().waitFor();
    assert.ok((await page.locator("header.head").innerText()).includes(HOSTILE));

    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByRole("status").getByText("Delivered").waitFor();
    await page.getByText("Your receiver answered HTTP 204.").waitFor();
    receiver.behave(({ path }) => (path === "mine" || path === "broken" ? 500 : 204));
    await page.getByLabel("What").selectOption("index_refreshed");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("Your receiver failed while it handled the delivery.").first().waitFor();
    await page.locator("h1").getByText("Off").waitFor();
    const note = await page.getByRole("note").first().innerText();
    assert.match(note, /Off for .* since .*UTC.*2 attempts in a row failed/s);
    assert.match(note, /http_500.*Look into its log at the time of the attempt/s);
    await raise(service, token, accountId, [4]);
    await page.getByRole("note").getByRole("link", { name: "1 event" }).click();
    await page.getByText("europe: 1042.17 on 2026-10-30").waitFor();
    await page.goBack();
    await page
      .getByRole("row", { name: /index_refreshed/ })
      .first()
      .getByRole("link")
      .click();
    await page.getByText("Attempt 1 failed").waitFor();
    await page
      .getByText(/took \d+ m?s/)
      .first()
      .waitFor();

    receiver.behave(({ path }) => (path === "broken" ? 503 : 204));
    await page.getByRole("link", { name: "The endpoint" }).click();
    await page.getByRole("button", { name: "Enable…" }).click();
    await page.getByRole("button", { name: "Enable", exact: true }).click();
    await page.locator("h1").getByText("Active").waitFor();
    await page.getByRole("row", { name: /Delivered.*index_refreshed/ }).waitFor();
    await page.getByRole("button", { name: "Change" }).click();
    await page.getByLabel("Label").fill("repaired");
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator("header.head").getByText("repaired").waitFor();
    await page.getByRole("button", { name: "Remove this endpoint…" }).click();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("heading", { name: "Endpoints", exact: true }).waitFor();
    await page.getByRole("link", { name: /well/ }).waitFor();
    assert.equal(await page.getByRole("link", { name: /mine/ }).count(), 0);
    assert.deepEqual([receiver.wrong, wrong], [[], []]);
  });

  await whole.test(
    "verifies a signature in the page, and says what is wrong; nothing leaves it",
    async (t) => {
      const { page } = await openPage(t, browser);
      await signInTo(page, portalOf(scene), scene.key);
      const made = await ask("POST", `${service.publicUrl}/rates/v1/webhooks`, key, {
        url: `${receiver.url}/signed`,
      });
      const { id, secret } = made.body.data;
      receiver.trust("signed", secret);
      await ask("POST", `${service.publicUrl}/rates/v1/webhooks/${id}/test`, key, {});
      await page.goto(portalOf(scene, `/endpoints/${id}`));
      await page
        .getByRole("row", { name: /Delivered.*ping/ })
        .getByRole("link")
        .click();
      await page.getByRole("button", { name: "Verify with your secret" }).click();
      const sent: string[] = [];
      page.on("request", (request) => void sent.push(`${request.url()} ${request.postData() ?? ""}`));
      const verdict = page.locator(".verdict");
      await page.getByLabel("Secret").fill(secret);
      await verdict.getByText("The signature fits.").waitFor();
      const body = page.getByLabel("Body");
      const text = await body.inputValue();
      await body.fill(`${text}\n`);
      await verdict.getByText("has a line end or space behind it").waitFor();
      await body.fill(JSON.stringify(JSON.parse(text), null, 2));
      await verdict.getByText("The body was parsed and written again").waitFor();
      await body.fill(text.replace('"message"', '"massage"'));
      await verdict.getByText("The body was changed in transit").waitFor();
      await body.fill(text);
      await page
        .getByLabel("Secret")
        .fill(secret.replace(/.$/, (last: string) => (last === "A" ? "B" : "A")));
      await verdict.getByText("The secret is another endpoint's").first().waitFor();
      assert.ok(!sent.some((request) => /whsec|massage/.test(request)), "nothing is sent");
      await ask("DELETE", `${service.publicUrl}/rates/v1/webhooks/${id}`, key);
    },
  );

  await whole.test("shows an event as it is raised", async (t) => {
    const { page } = await openPage(t, browser);
    await signInTo(page, portalOf(scene, "/events"), scene.key);
    await page.getByText("They appear as they are raised").waitFor();
    const data = { index_id: "north", dated: "2026-10-30", value: "1007.50", name: HOSTILE };
    const event = { product: "rates", account_id: accountId, type: "index_refreshed", data };
    await ask("POST", `${service.opsUrl}/v1/events`, token, { events: [event] });
    const shown = page.getByText(/: 1007.50 on 2026-10-30/).first();
    await shown.click();
    await page.getByLabel("Data of index_refreshed").first().getByText('"value": "1007.50"').waitFor();
    assert.equal(await page.locator("main img, main script").count(), 0);
  });

  await whole.test("can be used by the keyboard alone", async (t) => {
    const { page } = await openPage(t, browser);
    await page.goto(portalOf(scene));
    await page.getByLabel("API key").waitFor();
    await tabTo(page, /API key/);
    await page.keyboard.type(key);
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: /well/ }).waitFor();
    await tabTo(page, /^To the content$/);
    await page.keyboard.press("Enter");
    await tabTo(page, /^Register an endpoint$/);
    await page.keyboard.press("Enter");
    await page.getByLabel("URL").waitFor();
    await tabTo(page, /^URL$/);
    await page.keyboard.type(`${receiver.url}/keys`);
    await tabTo(page, /^All, also/);
    await page.keyboard.press("ArrowDown");
    await tabTo(page, /^lane_rate_updated/);
    await page.keyboard.press("Space");
    await tabTo(page, /^Register$/);
    await page.keyboard.press("Enter");
    await page.locator("pre[aria-label='Signing secret']").waitFor();
    await tabTo(page, /^I have kept it/);
    await page.keyboard.press("Enter");
    await page.getByText("lane_rate_updated").first().waitFor();
    await tabTo(page, /^Remove this endpoint…$/);
    await page.keyboard.press("Enter");
    await page.locator(":focus", { hasText: /^Cancel$/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator(":focus", { hasText: /^Remove this endpoint…$/ }).waitFor();
    await page.keyboard.press("Enter");
    await tabTo(page, /^Remove$/);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Endpoints", exact: true }).waitFor();
  });

  await whole.test("leaves a reader who has gone on where they are, and asks once", async (t) => {
    const answers = Promise.withResolvers<void>();
    // Before the page waits for its routes.
    t.after(() => answers.resolve());
    const { page } = await openPage(t, browser);
    await signInTo(page, portalOf(scene, `/endpoints/${wellId}`), key);
    const asked: string[] = [];
    const holdUntil = async (route: Route): Promise<void> => {
      if (route.request().method() === "GET") return route.fallback();
      asked.push(route.request().method());
      await answers.promise;
      return route.fulfill({ json: { ok: true, data: { id: wellId } } });
    };
    await page.route("**/v1/webhooks**", holdUntil);
    await page.getByRole("button", { name: "Remove this endpoint…" }).click();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    assert.ok(await page.getByRole("button", { name: "Remove this endpoint…" }).isDisabled());
    await page.locator(":focus", { hasText: /^Remove this endpoint…$/ }).waitFor();
    await page.getByRole("link", { name: "Event types" }).click();
    await page.getByRole("link", { name: "index_refreshed" }).click();
    await page.getByRole("button", { name: "Send" }).dblclick();
    await page.getByRole("link", { name: "Endpoints", exact: true }).first().click();
    await page.getByRole("link", { name: "Register an endpoint" }).click();
    await page.getByLabel("URL").fill(`${receiver.url}/held`);
    await page.getByRole("button", { name: "Register" }).click();
    // Who leaves now would never see the secret.
    assert.ok(await page.getByRole("button", { name: "Cancel" }).isDisabled());
    await until(() => asked.length === 3, "all three are sent");
    assert.deepEqual(asked, ["DELETE", "POST", "POST"]);
    await page.getByRole("link", { name: "Verify" }).click();
    await page.getByLabel("Body").fill("pasted");
    answers.resolve();
    await page.unrouteAll({ behavior: "wait" });
    await page.evaluate("new Promise(requestAnimationFrame)");
    assert.match(page.url(), /verify$/);
    assert.equal(await page.getByLabel("Body").inputValue(), "pasted");
  });

  await whole.test(
    "shows what others do to an endpoint while it is read, and leaves it as they made it",
    async (t) => {
      const { page } = await openPage(t, browser);
      const webhooks = `${service.publicUrl}/rates/v1/webhooks`;
      const made = await ask("POST", webhooks, key, { url: `${receiver.url}/shared`, description: "first" });
      const at = `${webhooks}/${made.body.data.id}`;
      await signInTo(page, portalOf(scene, `/endpoints/${made.body.data.id}`), key);
      await page.getByRole("button", { name: "Change" }).click();
      await page.getByRole("button", { name: "Pause…" }).click();
      await ask("PATCH", at, key, { active: false, url: `${receiver.url}/moved` });
      await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
      await page.getByRole("button", { name: "Enable…" }).waitFor();
      assert.equal(
        await page.getByRole("button", { name: "Enable", exact: true }).count(),
        0,
        "nobody asked for it",
      );
      await page.getByLabel("Label").fill("second");
      await page.getByRole("button", { name: "Save" }).click();
      await page.locator("header.head").getByText("second").waitFor();
      assert.equal((await ask("GET", at, key)).body.data.url, `${receiver.url}/moved`);
      await ask("DELETE", at, key);
      await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
      await page.getByRole("heading", { name: "There is no such endpoint" }).waitFor();
      assert.equal(await page.getByRole("button", { name: "Remove this endpoint…" }).count(), 0);
    },
  );

  await whole.test(
    "says that the service is there again, on a page that asks nothing by itself",
    async (t) => {
      const { page } = await openPage(t, browser);
      await signInTo(page, portalOf(scene, "/endpoints/new"), key);
      await page.route("**/v1/{webhooks,event-types}", (route) => route.abort());
      await page.getByLabel("URL").fill(`${receiver.url}/lost`);
      await page.getByRole("button", { name: "Register" }).click();
      await page.getByText("Not connected; trying again").waitFor();
      await page.unrouteAll();
      await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
      await page.getByText("Live", { exact: true }).waitFor();
    },
  );

  const pages = [
    ["", "Your endpoints"],
    ["/endpoints/new", "Register an endpoint"],
    [`/endpoints/${offId}`, "in a row failed"],
    [`/endpoints/${wellId}?status=delivered`, "Failed attempts in a row"],
    [`/endpoints/${offId}/deliveries/${failedId}`, "Attempt 1 failed"],
    [`/endpoints/${wellId}/deliveries/${deliveredId}`, "Delivered at attempt 1"],
    ["/events", "europe: 1042.17 on"],
    ["/event-types", "lane_rate_updated"],
    ["/event-types/index_refreshed", "JSON Schema"],
    ["/verify", "What your receiver got"],
    ["/account", "Requests a minute"],
    ["/rates", "Rates"],
    ["/find?q=broken", "It is not an id"],
    ["/nowhere", "There is no such page"],
    [`/endpoints/${encodeURIComponent(HOSTILE)}`, "There is no such endpoint"],
    [`/endpoints/${wellId}/deliveries/${offId}`, "There is no such delivery"],
    ["/event-types/none", "There is no such event type"],
  ] as const;

  for (const look of LOOKS)
    await whole.test(`has no finding of axe and does not scroll sideways: ${look.colorScheme}`, async (t) => {
      const { page } = await openPage(t, browser, look);
      await page.goto(portalOf(scene));
      await page.getByLabel("API key").waitFor();
      await assertWell(page, "sign-in");
      await signInTo(page, portalOf(scene), scene.key);
      for (const [path, text] of pages) {
        await page.goto(portalOf(scene, path));
        await page.getByText(text).first().waitFor();
        if (path === "/endpoints/new") await page.getByLabel("These").check();
        await assertWell(page, path);
        assert.equal(await page.locator("main img, main script").count(), 0);
      }
    });
});
