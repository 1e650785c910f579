/** The stream of what changes, in several pages of one browser. */
import assert from "node:assert/strict";
import { before, test, type TestContext } from "node:test";

import type { Browser, BrowserContext, Page, Request } from "playwright-core";

import { makeDataFolder, until } from "../service/boathook.ts";
import { ASK_AGAIN, openBrowser, openPage, signIn, skip } from "./browser.ts";
import { buildPages } from "./built.ts";
import { openScene, type Scene } from "./scene.ts";

const folder = makeDataFolder({ withDatabase: true });

before(buildPages);

const PAGES = 4;
/** Without it a page never finds that one hangs (live.ts): who takes over was given the lock. */
const WITHOUT_WATCH = "globalThis.setInterval = () => 0";

/** The pages whose stream is open. */
function watchStreams(context: BrowserContext): () => readonly Page[] {
  // By request: a page's last stream may end after its next has begun.
  const open = new Map<Request, Page>();
  context.on("request", (request) => {
    if (!request.url().endsWith("/v1/live")) return;
    const page = request.frame().page();
    open.set(request, page);
    page.once("close", () => open.delete(request));
  });
  context.on("requestfailed", (request) => void open.delete(request));
  context.on("requestfinished", (request) => void open.delete(request));
  return () => [...open.values()];
}

async function isLive(page: Page): Promise<void> {
  await page.getByRole("status").getByText("Live", { exact: true }).waitFor();
}

test("pages of one browser share one stream, and the next reads it when one closes", { skip }, async (t) => {
  const [browser, scene] = await Promise.all([openBrowser(t), openScene(t, folder)]);
  const { page: first, context } = await openPage(t, browser);
  await context.addInitScript(WITHOUT_WATCH);
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
  assert.deepEqual(open(), [first], "only the first page reads the stream");
  await first.close();
  await until(async () => open().length === 1 && open()[0] !== first, "another page reads the stream");
  // What the service says now comes to all.
  const account = "Tidewater Logistics";
  const made = others.map(async (page) => {
    await page.goto(new URL("/console/accounts", page.url()).href);
    await isLive(page);
    await page.getByText(account).waitFor();
  });
  await context.request.post(`${scene.service.opsUrl}/v1/accounts`, {
    ...ASK_AGAIN,
    headers: { authorization: `Bearer ${scene.token}` },
    data: { name: account },
  });
  await Promise.all(made);
  // A page that went on to another address has handed the stream over.
  await until(async () => open().length === 1, "one page reads the stream");

  await t.test("each reads its own where the browser has no locks", (on) => readOwn(on, browser, scene));
});

async function readOwn(t: TestContext, browser: Browser, scene: Scene): Promise<void> {
  const { page: first, context } = await openPage(t, browser);
  await context.addInitScript("delete Navigator.prototype.locks");
  const open = watchStreams(context);
  await signIn(first, scene);
  await isLive(first);
  const second = await context.newPage();
  await second.goto(first.url());
  await isLive(second);
  assert.deepEqual(open(), [first, second]);
}
