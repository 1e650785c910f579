/** Who gets into the portal, from where, and what ends it: in a real browser, on the real service. */
import assert from "node:assert/strict";
import { createServer, request as requestOf, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { before, test, type TestContext } from "node:test";

import type { BrowserContext, Page } from "playwright-core";

import { ask, makeDataFolder, serve, until } from "../service/boathook.ts";
import { openBrowser, openPage, skip } from "./browser.ts";
import { buildPages } from "./built.ts";
import { openPortalScene, portalOf, signInTo } from "./portal-scene.ts";

const folder = makeDataFolder({ withDatabase: true });

before(buildPages);

/** Of each place where a page keeps something. */
async function keptBy(page: Page, context: BrowserContext): Promise<string> {
  const kept = await page.evaluate("JSON.stringify({ ...localStorage, ...sessionStorage })");
  return `${String(kept)} ${JSON.stringify(await context.cookies())} ${page.url()}`;
}

/** A site that shows `address` in a frame. */
async function openSite(
  t: TestContext,
): Promise<{ readonly origin: string; frame: (address: string) => void }> {
  let framed = "";
  const server: Server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(`<!doctype html><iframe src="${framed}" width="900" height="700"></iframe>`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => void server.close());
  // Not the portal's host: another site.
  const { port } = server.address() as AddressInfo;
  return { origin: `http://localhost:${port}`, frame: (address) => void (framed = address) };
}

/** A proxy that serves the public listener under `/prefix`. */
async function openProxy(t: TestContext, target: string): Promise<string> {
  const server = createServer((asked, response) => {
    const path = asked.url!.replace(/^\/prefix/, "");
    const { method, headers } = asked;
    const inner = requestOf(`${target}${path}`, { method: method!, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    inner.once("error", () => response.destroy());
    asked.pipe(inner);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/prefix`;
}

test("access to the portal", { skip }, async (whole) => {
  const [site, stranger] = [await openSite(whole), await openSite(whole)];
  const settings = { BOATHOOK_PORTAL_FRAMES: site.origin, BOATHOOK_HOSTS: "schedules=localhost" };
  const [browser, scene] = await Promise.all([openBrowser(whole), openPortalScene(whole, folder, settings)]);
  const { service, token, key, wellId } = scene;

  await whole.test("opens with a key, keeps a session of it in its tab alone, and forgets it", async (t) => {
    const { page, context } = await openPage(t, browser);
    await page.goto(portalOf(scene, `/endpoints/${wellId}`));
    await page.getByLabel("API key").fill("tracking_guess");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText("The key is not good here").waitFor();
    await page.getByLabel("API key").fill(key);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: /well/ }).waitFor();
    assert.deepEqual(await context.cookies(), []);
    assert.ok(!(await keptBy(page, context)).includes(key));
    await page.reload();
    await page.getByRole("heading", { name: /well/ }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("API key").waitFor();
    assert.doesNotMatch(await keptBy(page, context), /session\./);
    await page.reload();
    await page.getByLabel("API key").waitFor();
  });

  await whole.test(
    "opens by a link, and says what to do when a link is over, forged or another product's",
    async (t) => {
      const { page, context } = await openPage(t, browser);
      const asked: string[] = [];
      page.on(
        "request",
        (request) => void asked.push(`${request.url()} ${JSON.stringify(request.headers())}`),
      );
      const link = await scene.link("rates");
      await page.goto(link);
      await page.getByRole("table", { name: "Your endpoints" }).waitFor();
      assert.equal(page.url(), portalOf(scene));
      assert.ok(!(await keptBy(page, context)).includes("link."));
      assert.ok(
        !asked.some((request) => request.includes("link.")),
        "the link is in no address and no header",
      );
      await page.getByRole("link", { name: "Account" }).click();
      await page.getByText("a link", { exact: true }).waitFor();
      const short = await scene.link("rates", 10);
      const other = `${portalOf(scene)}#${new URL(await scene.link("air")).hash.slice(1)}`;
      const ended = Date.now() + 10_000;
      for (const [address, said] of [
        [`${link.slice(0, -1)}x`, "The link is not good here: cut short"],
        [other, "The link is not good here"],
        [short, "The link is over; ask for a new one where you got it"],
      ] as const) {
        const fresh = await openPage(t, browser);
        if (address === short) await page.waitForTimeout(Math.max(0, ended - Date.now()) + 100);
        await fresh.page.goto(address);
        await fresh.page.getByRole("alert").getByText(said).waitFor();
        await fresh.page.getByLabel("API key").waitFor();
      }
    },
  );

  await whole.test(
    "asks before a link replaces the session of another account, in an open page, too",
    async (t) => {
      const { page } = await openPage(t, browser);
      const other = await ask("POST", `${service.opsUrl}/v1/accounts`, token, { name: "Tidewater Lines" });
      const links = `${service.opsUrl}/v1/accounts/${other.body.id}/portal-links`;
      const minted = async () => String((await ask("POST", links, token, { product: "rates" })).body.url);
      await signInTo(page, portalOf(scene), key);
      for (const address of [undefined, "about:blank"]) {
        if (address !== undefined) await page.goto(address);
        await page.goto(await minted());
        await page.getByRole("heading", { name: "Another account" }).waitFor();
        await page.getByRole("button", { name: /^Stay/ }).click();
        await page.getByRole("link", { name: /well/ }).first().waitFor();
      }
      await page.goto(await minted());
      await page.getByRole("button", { name: "Go to Tidewater Lines" }).click();
      await page.getByRole("link", { name: "Account" }).click();
      await page.getByText("Tidewater Lines").first().waitFor();
      const namesake = await ask("POST", `${service.opsUrl}/v1/accounts`, token, { name: "Tidewater Lines" });
      const its = `${service.opsUrl}/v1/accounts/${namesake.body.id}/portal-links`;
      await page.goto((await ask("POST", its, token, { product: "rates" })).body.url);
      await page.getByRole("button", { name: `Go to Tidewater Lines (${namesake.body.id})` }).waitFor();
    },
  );

  await whole.test("works in the frame of a site that the setting names, and in no other's", async (t) => {
    const { page, context } = await openPage(t, browser);
    site.frame(await scene.link("rates"));
    await page.goto(site.origin);
    const frame = page.frameLocator("iframe");
    await frame.getByRole("link", { name: /well/ }).click();
    await frame.getByRole("heading", { name: /well/ }).waitFor();
    await frame.getByRole("button", { name: "Send", exact: true }).click();
    await frame.getByText("Your receiver answered HTTP 204.").waitFor();
    assert.deepEqual(await context.cookies(), []);
    // Some browsers keep nothing for a page in another site's frame.
    const strict = await openPage(t, browser);
    await strict.context.addInitScript(`for (const name of ["sessionStorage", "localStorage"])
      Object.defineProperty(globalThis, name, { get() { throw new Error("denied"); } });`);
    site.frame(await scene.link("rates"));
    await strict.page.goto(site.origin);
    const framed = strict.page.frameLocator("iframe");
    await framed.getByRole("button", { name: "Dark" }).click();
    await framed.getByRole("link", { name: /well/ }).click();
    await framed.getByRole("heading", { name: /well/ }).waitFor();
    stranger.frame(await scene.link("rates"));
    const other = await openPage(t, browser);
    await other.page.goto(stranger.origin);
    await until(() => /frame-ancestors/.test(other.wrong.join()), "the browser refuses the frame");
    assert.equal(await other.page.frameLocator("iframe").getByRole("navigation").count(), 0);
    other.wrong.length = 0;
  });

  await whole.test("works behind a proxy under a prefix, and on a host name of a product", async (t) => {
    const proxy = await openProxy(t, service.publicUrl);
    const { port } = new URL(service.publicUrl);
    const { key: schedulesKey } = await scene.mint("schedules");
    for (const [address, packages] of [
      [`${proxy}/schedules/portal`, `${proxy}/schedules/packages/`],
      [`http://localhost:${port}/portal/`, `http://localhost:${port}/packages/`],
    ] as const) {
      const { page } = await openPage(t, browser);
      await page.goto(address);
      await page.getByLabel("API key").fill(schedulesKey);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByText(`npm install ${packages}boathook-receiver-`).waitFor();
      await page.getByRole("link", { name: "Event types" }).click();
      await page.getByRole("row").nth(1).getByRole("link").click();
      await page.getByText("JSON Schema").waitFor();
      assert.ok(page.url().startsWith(`${address.replace(/\/$/, "")}/event-types/`), page.url());
      await page.reload();
      await page.getByText("JSON Schema").waitFor();
    }
  });

  await whole.test("ends with its key, and says so", async (t) => {
    const { page, context } = await openPage(t, browser);
    const second = await scene.mint("tracking");
    await signInTo(page, portalOf(scene), second.key);
    await page.getByRole("link", { name: /well/ }).waitFor();
    await ask("DELETE", `${service.opsUrl}/v1/keys/${second.id}`, token);
    await page.getByText("Your session is over. Sign in again").waitFor();
    // A tab that was left open, and is loaded again later.
    const later = await openPage(t, browser);
    const third = await scene.mint("tracking");
    await signInTo(later.page, portalOf(scene), third.key);
    await later.page.goto("about:blank");
    await ask("DELETE", `${service.opsUrl}/v1/keys/${third.id}`, token);
    await later.page.goto(portalOf(scene));
    await later.page.getByText("Your session is over. Sign in again").waitFor();
    assert.doesNotMatch(await keptBy(page, context), /session\./);
  });

  await whole.test("goes on when the service restarts under it, on other processes", async (t) => {
    const { page } = await openPage(t, browser);
    await signInTo(page, portalOf(scene, `/endpoints/${wellId}`), scene.key);
    await page.getByText("Live", { exact: true }).waitFor();
    service.signal("SIGTERM");
    await page.getByText("Not connected; trying again").waitFor();
    assert.ok(await page.getByRole("heading", { name: /well/ }).isVisible(), "what it showed stays");
    assert.equal(await service.ended, 0);
    const again = { BOATHOOK_LISTEN: new URL(service.publicUrl).host, BOATHOOK_WORKERS: "2" };
    await serve(t, { ...scene.settings, ...again });
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByText("Your receiver answered HTTP 204.").waitFor();
    await page.getByRole("link", { name: "Event types" }).click();
    await page.getByText("lane_rate_updated").waitFor();
  });
});
