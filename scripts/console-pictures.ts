/**
 * `node scripts/console-pictures.ts --env boathook-try.env`: pictures of every page of the console and the portal, of
 * the world that `boathook try` runs beside it, and the section of docs/appendix.md that shows them. Check them before
 * you commit them.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs, parseEnv } from "node:util";

import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";

const { values: options } = parseArgs({
  options: {
    env: { type: "string", default: "boathook-try.env" },
    chromium: { type: "string", default: "/usr/bin/chromium" },
  },
});
const root = join(import.meta.dirname, "..");
const folder = join(root, "docs", "pictures");
const world = parseEnv(readFileSync(options.env, "utf8")) as Readonly<Record<string, string>>;
const { API = "", OPS = "", TOKEN = "", ACCOUNT = "", KEY = "", LOADING_KEY = "" } = world;

const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 390, height: 844 };
const LOOKS = [
  { name: "light-wide", colorScheme: "light", viewport: WIDE },
  { name: "dark-wide", colorScheme: "dark", viewport: WIDE },
  { name: "light-narrow", colorScheme: "light", viewport: NARROW },
  { name: "dark-narrow", colorScheme: "dark", viewport: NARROW },
] as const;
const QUALITY = 50;
/** For charts, maps and answers that come later. */
const SETTLE_MS = 1_500;

// oxlint-disable-next-line typescript/no-explicit-any -- the pages fail where it is not as thought
async function ask(url: string, key: string): Promise<any> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

const WAY = "origin=CNSHA&destination=NLRTM";

type Shown = readonly [name: string, address: string];

async function consolePages(): Promise<readonly Shown[]> {
  const base = `/console/accounts/${ACCOUNT}`;
  const newest = async (query: string) =>
    (await ask(`${OPS}/v1/deliveries?${query}limit=1`, TOKEN)).deliveries[0];
  // What a reader looks for: why one failed.
  const delivery = (await newest("status=pending&")) ?? (await newest("status=dead&")) ?? (await newest(""));
  const { events } = await ask(`${OPS}/v1/events?limit=1`, TOKEN);
  const { sources } = await ask(`${OPS}/v1/sources`, TOKEN);
  // Of one whose arrival has moved.
  const { data: moves } = await ask(`${API}/tracking/v1/events?type=eta_changed&limit=1`, KEY);
  const { container_id: container, identifier } = moves[0].data;
  const { data: sailings } = await ask(`${API}/schedules/public/sailings?${WAY}&limit=1`, KEY);
  const { data: waybills } = await ask(`${API}/air/v1/waybills?limit=1`, KEY);
  const { data: plans } = await ask(`${API}/loading/v1/plans?limit=1`, LOADING_KEY);
  return [
    ["overview", "/console"],
    ["accounts", "/console/accounts"],
    ["account", base],
    ["endpoints", "/console/endpoints"],
    ["endpoint", `/console/endpoints/${delivery.endpoint_id}`],
    ["deliveries", "/console/deliveries"],
    ["delivery", `/console/deliveries/${delivery.id}`],
    ["events", "/console/events"],
    ["event", `/console/events/${events[0].id}`],
    ["sources", "/console/sources"],
    ["source", `/console/sources/${encodeURIComponent(sources[0].id)}`],
    ["system", "/console/system"],
    ["containers", `${base}/tracking`],
    ["map", `${base}/tracking/map`],
    ["container", `${base}/tracking/${container}`],
    ["find", `/console/find?q=${identifier}`],
    ["waybills", `${base}/air`],
    ["waybill", `${base}/air/${waybills[0].awb}`],
    ["sailings", `${base}/schedules?${WAY}`],
    ["sailing", `${base}/schedules/sailings/${sailings[0].departure.id}`],
    ["rates", `${base}/rates`],
    ["rates-of-a-pair", `${base}/rates/lanes/CNSHA-NLRTM`],
    ["plans", `${base}/loading`],
    ["plan", `${base}/loading/${plans[0].id}`],
  ];
}

/** By product, with the key that opens its portal. */
const PORTALS: readonly (readonly [product: string, key: string, pages: readonly Shown[]])[] = [
  [
    "tracking",
    KEY,
    [
      ["portal-endpoints", "/tracking/portal"],
      ["portal-events", "/tracking/portal/events"],
      ["portal-event-types", "/tracking/portal/event-types"],
      ["portal-containers", "/tracking/portal/containers"],
      ["portal-verify", "/tracking/portal/verify"],
    ],
  ],
  ["operations", KEY, [["portal-operations", "/operations/portal/event-types"]]],
  ["loading", LOADING_KEY, [["portal-new-plan", "/loading/portal/load-plans/new"]]],
];

async function take(page: Page, look: string, name: string, url: string): Promise<void> {
  await page.goto(url);
  await page.locator("main h1").first().waitFor();
  await page.locator("main .loading").first().waitFor({ state: "detached" });
  await page.waitForTimeout(SETTLE_MS);
  await page.screenshot({ path: join(folder, `${name}-${look}.jpg`), type: "jpeg", quality: QUALITY });
}

async function signedIn(browser: Browser, look: (typeof LOOKS)[number]): Promise<BrowserContext> {
  const { name: _, ...others } = look;
  const context = await browser.newContext({
    ...others,
    reducedMotion: "reduce",
    timezoneId: "Europe/Berlin",
  });
  const answer = await context.request.post(`${OPS}/v1/session`, { data: { token: TOKEN } });
  const session = JSON.stringify(JSON.stringify(await answer.json()));
  await context.addInitScript(`sessionStorage.setItem("boathook session 2", ${session})`);
  return context;
}

const browser = await chromium.launch({
  executablePath: options.chromium,
  args: ["--no-sandbox", "--enable-unsafe-swiftshader"],
});
try {
  const pages = await consolePages();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const look of LOOKS) {
    const context = await signedIn(browser, look);
    const page = await context.newPage();
    for (const [name, address] of pages) await take(page, look.name, name, `${OPS}${address}`);
    for (const [product, key, own] of PORTALS) {
      await page.goto(`${API}/${product}/portal`);
      await page.getByLabel("API key").fill(key);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("navigation", { name: "Pages" }).waitFor();
      for (const [name, address] of own) await take(page, look.name, name, `${API}${address}`);
    }
    await context.close();
  }
  const rows = [...pages, ...PORTALS.flatMap(([, , own]) => own)].map(([name]) => {
    const pictures = LOOKS.map((look) => `![${name}](pictures/${name}-${look.name}.jpg)`);
    return `|${name}|${pictures.join("|")}|`;
  });
  const page = join(root, "docs", "appendix.md");
  const [before] = readFileSync(page, "utf8").split("\n## Pictures\n");
  writeFileSync(
    page,
    `${before}
## Pictures

The console and the portal on the world of \`npx boathook try\`, made by \`scripts/console-pictures.ts\`.

| Page | Light, 1280 px | Dark, 1280 px | Light, 390 px | Dark, 390 px |
|---|---|---|---|---|
${rows.join("\n")}
`,
  );
} finally {
  await browser.close();
}
