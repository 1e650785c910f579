/**
 * What pages look like, against references: light and dark, wide and narrow. A screenshot is compared as some hundred
 * fields of grey, which other fonts hardly change and a missing, moved or unreadable part does.
 * `BOATHOOK_APPEARANCE=write node test/run/main.ts pages test/console/appearance.pages.ts` writes the references.
 */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";

import type { Page } from "playwright-core";

import { makeDataFolder, operatorToken, serve } from "../service/boathook.ts";
import { newClient, startReceiver } from "../service/client.ts";
import { buildPages } from "./built.ts";
import { openBrowser, openPage, openSession, pictureOf, skip } from "./browser.ts";
import { signInTo } from "./portal-scene.ts";

const REFERENCES = join(import.meta.dirname, "appearance.json");
const COLUMNS = 24;
const ROWS = 16;
/** Of 255: a field of another font's text is rarely so far off, and a page of it has some eight of these. */
const FIELD_MAX = 6;
/** A page without its content has twice as many that are further off. */
const FIELDS_MAX = 24;

const FORMS = [
  { name: "light, wide", colorScheme: "light", viewport: { width: 1280, height: 800 } },
  { name: "light, narrow", colorScheme: "light", viewport: { width: 390, height: 844 } },
  { name: "dark, wide", colorScheme: "dark", viewport: { width: 1280, height: 800 } },
  { name: "dark, narrow", colorScheme: "dark", viewport: { width: 390, height: 844 } },
] as const;

const CONSOLE = ["/console/accounts", "/console/endpoints", "/console/events", "/console/sources"];
const PORTAL = ["", "/events", "/event-types", "/verify"].map((page) => `/rates/portal${page}`);

const folder = makeDataFolder({ withDatabase: true });

before(buildPages);

const STILL_MS = 250;

/** In a blank page of the browser, which has what it takes to read pictures. */
async function fieldsOf(page: Page, blank: Page): Promise<Buffer> {
  const picture = (await pictureOf(page, { animations: "disabled", caret: "hide" })).toString("base64");
  const fields = await blank.evaluate(
    `(async () => {
      const bytes = Uint8Array.from(atob(${JSON.stringify(picture)}), (one) => one.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes]));
      const canvas = new OffscreenCanvas(${COLUMNS}, ${ROWS});
      const context = canvas.getContext("2d");
      context.imageSmoothingQuality = "high";
      context.drawImage(bitmap, 0, 0, ${COLUMNS}, ${ROWS});
      const { data } = context.getImageData(0, 0, ${COLUMNS}, ${ROWS});
      return Array.from({ length: data.length / 4 }, (_, at) =>
        Math.round(0.3 * data[4 * at] + 0.59 * data[4 * at + 1] + 0.11 * data[4 * at + 2]));
    })()`,
  );
  return Buffer.from(fields as number[]);
}

/** Once two in a row are the same: what comes later has come. */
async function stillFieldsOf(page: Page, blank: Page): Promise<Buffer> {
  let fields = await fieldsOf(page, blank);
  for (let last: Buffer = Buffer.alloc(0); !fields.equals(last); fields = await fieldsOf(page, blank)) {
    last = fields;
    await page.waitForTimeout(STILL_MS);
  }
  return fields;
}

/** Null: as the reference. */
function differenceOf(shown: Buffer, reference: Buffer): string | null {
  const far = [...shown].filter((grey, at) => Math.abs(grey - reference[at]!) > FIELD_MAX).length;
  return far <= FIELDS_MAX ? null : `${far} of ${shown.length} fields differ`;
}

test("pages look as they did", { skip }, async (t) => {
  const receiver = await startReceiver(t);
  const [browser, service] = await Promise.all([
    openBrowser(t),
    serve(t, { BOATHOOK_DATA_DIR: folder, BOATHOOK_RATE_LIMIT_PER_ADDRESS: "100000", ...receiver.settings }),
  ]);
  const token = operatorToken(folder);
  const { key } = await newClient(service, token, receiver, "tracking");
  const isWriting = process.env["BOATHOOK_APPEARANCE"] === "write";
  const references = isWriting
    ? {}
    : (JSON.parse(readFileSync(REFERENCES, "utf8")) as Readonly<Record<string, string>>);
  const found: Record<string, string> = {};
  const wrong: string[] = [];
  const { page: blank } = await openPage(t, browser);

  const compare = async (name: string, page: Page): Promise<void> => {
    await page.locator("h1").first().waitFor();
    await page.locator("main .loading").first().waitFor({ state: "detached" });
    await page.evaluate("document.fonts.ready.then(() => document.activeElement?.blur())");
    const fields = await stillFieldsOf(page, blank);
    found[name] = fields.toString("base64");
    if (isWriting) return;
    const reference = Buffer.from(references[name] ?? "", "base64");
    if (reference.length !== fields.length) return void wrong.push(`${name}: no reference`);
    const difference = differenceOf(fields, reference);
    if (difference !== null) wrong.push(`${name}: ${difference}`);
  };

  for (const { name, ...form } of FORMS) {
    const { page, context } = await openPage(t, browser, form);
    await page.goto(`${service.opsUrl}/console`);
    await page.getByLabel("Operator's token").waitFor();
    await compare(`console's sign-in, ${name}`, page);
    await openSession(context, { service, token });
    for (const address of CONSOLE) {
      await page.goto(`${service.opsUrl}${address}`);
      await page.getByRole("navigation").waitFor();
      await compare(`${address}, ${name}`, page);
    }
    await page.goto(`${service.publicUrl}/rates/portal`);
    await page.getByLabel("API key").waitFor();
    await compare(`portal's sign-in, ${name}`, page);
    await signInTo(page, `${service.publicUrl}/rates/portal`, key);
    for (const address of PORTAL) {
      await page.goto(`${service.publicUrl}${address}`);
      await page.getByRole("navigation", { name: "Pages" }).waitFor();
      await compare(`${address}, ${name}`, page);
    }
    await context.close();
  }
  if (isWriting) {
    writeFileSync(REFERENCES, `${JSON.stringify(found, null, 2)}\n`);
    return;
  }
  assert.deepEqual(wrong, []);
  assert.deepEqual(Object.keys(references).toSorted(), Object.keys(found).toSorted());

  await t.test("and what is lost, moved or unreadable is seen", async (on) => {
    const { page, context } = await openPage(on, browser, FORMS[0]);
    await signInTo(page, `${service.publicUrl}/rates/portal`, key);
    for (const fault of [
      "main { display: none }",
      "main { translate: 0 160px }",
      "body, main, main * { background: #555 !important; color: #555 !important }",
    ]) {
      await page.goto(`${service.publicUrl}/rates/portal/event-types`);
      await page.getByRole("navigation", { name: "Pages" }).waitFor();
      await page.locator("main .loading").first().waitFor({ state: "detached" });
      await page.evaluate(
        `{ const sheet = new CSSStyleSheet(); sheet.replaceSync(${JSON.stringify(fault)}); document.adoptedStyleSheets.push(sheet); }`,
      );
      const reference = Buffer.from(references["/rates/portal/event-types, light, wide"]!, "base64");
      assert.notEqual(differenceOf(await fieldsOf(page, blank), reference), null, fault);
    }
    await context.close();
  });
});
