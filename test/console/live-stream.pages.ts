/** The stream of what changes, in several pages of one browser. */
import assert from "node:assert/strict";
import { before, test } from "node:test";

import type { Browser, BrowserContext, Page } from "playwright-core";

import { makeDataFolder, until } from "../service/boathook.ts";
import { openBrowser, openPage, signIn, skip } from "./browser.ts";
import { buildPages } from "./built.ts";
import { openScene, type Scene } from "./scene.ts";

const folder = makeDataFolder({ withDatabase: true });

before(buildPages);

const PAGES = 4;
const HANDOVER_MS_MAX = 10_000;

/** The pages whose stream is open. */
function watchStreams(context: BrowserContext): ReadonlySet<Page> {
  const open = new Set<Page>();
  context.on("request", (request) => {
    if (!request.url().endsWith("/v1/live")) return;
    const page = request.frame().page();
    open.add(page);
    page.once("close", () => open.delete(page));
  });
  context.on("requestfailed", (request) => {
    if (request.url().endsWith("/v1/live")) open.delete(request.frame().page());
  });
  return open;
}

async function isLive(page: Page): Promise<void> {
  await page.getByRole("status").getByText("Live", { exact: true }).waitFor();
}

test("pages of one browser share one stream, and the next reads it when one closes", { skip }, async (t) => {
  const [browser, scene] = await Promise.all([openBrowser(t), openScene(t, folder)]);
  const { page: first, context, wrong } = await openPage(browser);
  const open = watchStreams(context);
  await signIn(first, scene);
  await isLive(first);
  const others: Page[] = [];
  for (let nth = 1; nth < PAGES; nth++) {
    const page = await context.newPage();
    others.push(page);
    await page.goto(first.url());
    await isLive(page);
  }
  assert.deepEqual([...open], [first], "only the first page reads the stream");
  const closedAt = performance.now();
  await first.close();
  await until(async () => open.size === 1 && !open.has(first), "another page reads the stream");
  assert.ok(performance.now() - closedAt < HANDOVER_MS_MAX);
  // What the service says now comes to all.
  const account = "Tidewater Logistics";
  const made = others.map(async (page) => {
    await page.goto(new URL("/console/accounts", page.url()).href);
    await isLive(page);
    await page.getByText(account).waitFor();
  });
  await context.request.post(`${scene.service.opsUrl}/v1/accounts`, {
    headers: { authorization: `Bearer ${scene.token}` },
    data: { name: account },
  });
  await Promise.all(made);
  assert.equal(open.size, 1);
  assert.deepEqual(wrong, []);
  await context.close();

  await t.test("each reads its own where the browser has no locks", async () => {
    await readOwn(browser, scene);
  });
});

async function readOwn(browser: Browser, scene: Scene): Promise<void> {
  const { page: first, context } = await openPage(browser);
  await context.addInitScript("delete Navigator.prototype.locks");
  const open = watchStreams(context);
  await signIn(first, scene);
  await isLive(first);
  const second = await context.newPage();
  await second.goto(first.url());
  await isLive(second);
  assert.deepEqual([...open], [first, second]);
  await context.close();
}
