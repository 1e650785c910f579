/** The page of a load plan in a browser: what it draws, how it is turned, and what it says of stops and limits. */
import assert from "node:assert/strict";

import type { Page } from "playwright-core";

import type { Plan } from "../../src/products/loading/plan/plan-schema.ts";
import { until } from "../service/boathook.ts";
import { assertWell } from "./axe.ts";
import { pictureOf } from "./browser.ts";

export const canvasOf = (page: Page) => page.getByRole("application", { name: /in three dimensions/ });

/** What is drawn, once it is. */
export async function drawnOf(page: Page): Promise<string> {
  await page.getByText("Loading the view…").waitFor({ state: "detached" });
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  return (await pictureOf(canvasOf(page))).toString("base64");
}

/** Of a plan of two stops whose limits are all kept. */
export async function seeLimits(page: Page, plan: Plan): Promise<void> {
  const { request, containers } = plan;
  const [pallet] = request.cargo;
  assert.deepEqual([pallet!.max_load_kg, pallet!.layers_max, pallet!.stop], [900, 2, 2]);
  assert.deepEqual(request.max_off_centre, { length: 0.1, width: 0.05 });
  assert.deepEqual(
    request.containers.map((one) => [one.type, one.max_line_load_kg_m]),
    [["20GP", 4_000]],
  );
  const [{ load_per_metre_kg: loads, limits }] = containers as [Plan["containers"][number]];
  const kept = limits.filter((one) => one.kept).length;
  assert.equal(await page.getByText("Kept", { exact: true }).count(), kept + (kept === 3 ? 1 : 0));
  assert.equal(await page.getByText("Not kept", { exact: true }).count(), 3 - kept);
  const metres = await page
    .getByRole("heading", { name: /^On each metre/ })
    .locator("+ ol > li")
    .allInnerTexts();
  assert.deepEqual(
    metres.map((said) => said.replaceAll(/\s+/g, " ").trim()),
    loads.map((load, at) => `Metre ${at + 1} ${Math.round(load).toLocaleString("en")} kg`),
  );
  const legend = page.getByRole("list", { name: "Cargo" });
  for (const stop of ["Stop 1", "Stop 2"]) await legend.getByText(stop, { exact: true }).waitFor();
  const byCargo = await drawnOf(page);
  await page.getByRole("radio", { name: "By stop" }).focus();
  await page.keyboard.press("Space");
  await until(async () => (await drawnOf(page)) !== byCargo, "stops have colours");
  await page.getByRole("radio", { name: "By cargo" }).check();
  await until(async () => (await drawnOf(page)) === byCargo, "cargo has its colours again");
  await assertWell(page, "the page");
}

export async function pinch(page: Page, x: number, y: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", apart: number | null) =>
    devtools.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: apart === null ? [] : [-apart, apart].map((by, id) => ({ x: x + by, y, id })),
    });
  await touch("touchStart", 20);
  for (const apart of [30, 50, 80]) await touch("touchMove", apart);
  await touch("touchEnd", null);
}

export async function isFocused(page: Page, tag: string): Promise<boolean> {
  return (await page.evaluate("document.activeElement.tagName")) === tag;
}

/** On a narrow screen the names of an account's products scroll: that of the page is in sight. */
export async function seeProductsName(page: Page, name: string): Promise<void> {
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  const current = page.getByRole("navigation", { name: "Account" }).getByRole("link", { name });
  await until(async () => {
    const box = await current.boundingBox();
    return box !== null && box.x >= 0 && box.x + box.width <= 390;
  }, "the product's name is in sight");
  await page.setViewportSize(size);
}
