/** The machine's own Chromium, which npm does not bring. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { chromium, type Browser, type BrowserContext, type Locator, type Page } from "playwright-core";

import type { Scene } from "./scene.ts";

const PLACES = [
  ...["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"],
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

const program = PLACES.find((path) => existsSync(path));

/** Why a test in a browser does not run here. */
export const skip: string | false =
  program === undefined ? "there is no Chromium (apt-get install chromium)" : false;

/** The processors have other tests at the same time. */
const WAIT_MS_MAX = 60_000;

/** Three dimensions on a machine without a graphics card. */
const SOFTWARE_WEBGL = "--enable-unsafe-swiftshader";

export async function openBrowser(t: TestContext): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: program!, args: ["--no-sandbox", SOFTWARE_WEBGL] });
  t.after(() => browser.close());
  return browser;
}

/**
 * For requests that Playwright sends itself: the service may close an idle connection as one leaves on it. A browser asks
 * again by itself.
 */
export const ASK_AGAIN = { maxRetries: 3 };

/**
 * A page of its own session, closed at the end of the test, which fails when a script fails, something comes from
 * elsewhere, or the policy is broken.
 */
export async function openPage(
  t: TestContext,
  browser: Browser,
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<{ readonly page: Page; readonly context: BrowserContext; readonly wrong: string[] }> {
  const context = await browser.newContext({
    reducedMotion: "reduce",
    timezoneId: "Europe/Berlin",
    ...options,
  });
  context.setDefaultTimeout(WAIT_MS_MAX);
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("dialog", (dialog) => {
    wrong.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("console", (message) => {
    if (/Content Security Policy|Trusted Type/i.test(message.text())) wrong.push(message.text());
  });
  t.after(async () => {
    // An answer that is still being changed would be gone with the page.
    if (!page.isClosed()) await page.unrouteAll({ behavior: "wait" });
    if (t.error?.cause instanceof Error && !page.isClosed())
      Object.assign(t.error.cause, { shown: await shownBy(page) });
    await context.close();
    assert.deepEqual(wrong, []);
  });
  return { page, context, wrong };
}

const SHOWN_MS_MAX = 5_000;

/** What a reader would see: the reporter prints it with the error. */
async function shownBy(page: Page): Promise<string> {
  const text = await page.locator("body").innerText({ timeout: SHOWN_MS_MAX }).catch(String);
  return `${page.url()}: ${text.replaceAll(/\s+/g, " ").slice(0, 1000)}`;
}

/** Signs in without the form: pages that open from then on have the session. */
export async function openSession(
  pages: Pick<BrowserContext, "request" | "addInitScript">,
  { service, token }: Pick<Scene, "service" | "token">,
): Promise<void> {
  const answer = await pages.request.post(`${service.opsUrl}/v1/session`, { ...ASK_AGAIN, data: { token } });
  assert.equal(answer.status(), 200);
  const session = JSON.stringify(JSON.stringify(await answer.json()));
  await pages.addInitScript(`sessionStorage.setItem("boathook session 2", ${session})`);
}

export const LOOKS = [
  { colorScheme: "light", viewport: { width: 1280, height: 800 } },
  { colorScheme: "dark", viewport: { width: 390, height: 844 } },
] as const;

/** Presses Tab until what has the focus is called so. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  const TABS_MAX = 80;
  const called = `(() => {
    const at = document.activeElement;
    if (at === document.body) return "";
    const label = at?.labels?.[0]?.textContent ?? "";
    return (at?.getAttribute("aria-label") ?? label + " " + (at?.textContent ?? "")).trim();
  })()`;
  for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
    if (name.test(String(await page.evaluate(called)))) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`no tab leads to ${String(name)}`);
}

export async function signIn(
  page: Page,
  { service, token }: Pick<Scene, "service" | "token">,
  address = "/console",
): Promise<void> {
  await page.goto(`${service.opsUrl}${address}`);
  await page.getByLabel("Operator's token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation").waitFor();
}

const PICTURES_MAX = 5;
const SURFACE_MS = 250;

/** Chromium refuses a picture while it replaces the surface that it draws on. */
export async function pictureOf(
  of: Page | Locator,
  options: Parameters<Locator["screenshot"]>[0] = {},
): Promise<Buffer> {
  for (let nth = 1; ; nth += 1) {
    try {
      return await of.screenshot(options);
    } catch (error) {
      if (nth === PICTURES_MAX || !String(error).includes("Unable to capture screenshot")) throw error;
      await sleep(SURFACE_MS);
    }
  }
}
