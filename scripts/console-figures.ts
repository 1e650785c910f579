/**
 * `node scripts/console-figures.ts --ops http://127.0.0.1:8081 --token-file data/operator.token`: when the pages of a
 * running console are ready in Chromium, and what they load, as a table. Options: `--runs 5`, `--chromium <path>`.
 *
 * A page is interactive when its content is there and no task of its scripts runs for longer than 50 ms after that.
 * Each run opens a browser's session of its own, so that no cache is warm; the median counts.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";

const { values: options } = parseArgs({
  options: {
    ops: { type: "string", default: "http://127.0.0.1:8081" },
    "token-file": { type: "string", default: "data/operator.token" },
    runs: { type: "string", default: "5" },
    chromium: { type: "string", default: "/usr/bin/chromium" },
  },
});
const { ops } = options;
const token = readFileSync(options["token-file"], "utf8").trim();

const PRODUCTS = ["tracking", "air", "schedules", "rates", "loading"] as const;
/** After its content is there, a page must be quiet for as long. */
const QUIET_MS = 400;
const SHOWN_MS_MAX = 20_000;
const LOOK_MS = 5;

/** Counts tasks longer than 50 ms from the first script on. */
const WATCH = `
  globalThis.lastLongTask = 0;
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) globalThis.lastLongTask = startTime + duration;
  }).observe({ type: "longtask", buffered: true });
`;

/** The page shows what it is about, and waits for nothing. */
const IS_SHOWN = `
  document.querySelector("main h1") !== null && document.querySelector("main .loading") === null &&
  (document.querySelector("main canvas") === null || document.querySelector(".labels .door")?.style.translate !== "")
    ? performance.now() : 0
`;

type Measured = { readonly interactiveMs: number; readonly kilobytes: number };

async function ask(path: string): Promise<unknown> {
  const response = await fetch(`${ops}${path}`, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.json();
}

async function addresses(): Promise<readonly (readonly [name: string, address: string])[]> {
  const plain = ["", "/accounts", "/endpoints", "/deliveries", "/system"].map(
    (address) => [address === "" ? "overview" : address.slice(1), `/console${address}`] as const,
  );
  const { accounts } = (await ask("/v1/accounts?limit=1")) as { accounts: readonly { id: string }[] };
  const account = accounts[0];
  if (account === undefined) return plain;
  const base = `/console/accounts/${account.id}`;
  const products = PRODUCTS.map((tag) => [tag, `${base}/${tag}`] as const);
  const { data } = (await ask(`/v1/accounts/${account.id}/loading/v1/plans?limit=1`)) as {
    data: readonly { id: string }[];
  };
  const plans = data.map(({ id }) => ["load plan in three dimensions", `${base}/loading/${id}`] as const);
  return [...plain, ["account", base], ...products, ...plans];
}

async function signedIn(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const answer = await context.request.post(`${ops}/v1/session`, {
    data: { token },
    headers: { "sec-fetch-site": "same-origin" },
  });
  if (!answer.ok()) throw new Error(`the sign-in answered ${answer.status()}`);
  return context;
}

/** The pages' policy evaluates no text by itself, so that it is evaluated from outside until it is true. */
async function untilShown(page: Page): Promise<number> {
  const untilMs = performance.now() + SHOWN_MS_MAX;
  while (performance.now() < untilMs) {
    const shownMs = Number(await page.evaluate(IS_SHOWN));
    if (shownMs > 0) return shownMs;
    await page.waitForTimeout(LOOK_MS);
  }
  throw new Error(`${page.url()} shows nothing`);
}

async function measure(browser: Browser, address: string): Promise<Measured> {
  const context = await signedIn(browser);
  await context.addInitScript(WATCH);
  const page = await context.newPage();
  await page.goto(`${ops}${address}`);
  const shownMs = await untilShown(page);
  await page.waitForTimeout(QUIET_MS);
  const lastTaskMs = Number(await page.evaluate("globalThis.lastLongTask"));
  const bytes = Number(
    await page.evaluate(`
      performance.getEntriesByType("navigation").concat(performance.getEntriesByType("resource"))
        .filter(({ name }) => !name.includes("/v1/"))
        .reduce((sum, { transferSize }) => sum + transferSize, 0)
    `),
  );
  await context.close();
  return { interactiveMs: Math.max(shownMs, lastTaskMs), kilobytes: bytes / 1_000 };
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1]!;
}

const browser = await chromium.launch({
  executablePath: options.chromium,
  args: ["--no-sandbox", "--enable-unsafe-swiftshader"],
});
try {
  console.log("| Page | Interactive, ms | Most, ms | Loaded, kB |\n| --- | ---: | ---: | ---: |");
  for (const [name, address] of await addresses()) {
    const runs: Measured[] = [];
    for (let run = 0; run < Number(options.runs); run += 1) runs.push(await measure(browser, address));
    const times = runs.map(({ interactiveMs }) => interactiveMs);
    const kilobytes = median(runs.map((one) => one.kilobytes));
    console.log(
      `| ${name} | ${median(times).toFixed(0)} | ${Math.max(...times).toFixed(0)} | ${kilobytes.toFixed(0)} |`,
    );
  }
} finally {
  await browser.close();
}
