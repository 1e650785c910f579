/** The parts of the form of a load plan that few need: pallets, open units and the axles of a vehicle. */
import assert from "node:assert/strict";

import type { Page } from "playwright-core";

import type { Plan } from "../../src/products/loading/plan/plan-schema.ts";
import { assertWell } from "./axe.ts";

const CARTON = {
  ...{ "Length, mm": "400", "Width, mm": "300", "Height, mm": "250", "Weight, kg": "12", Pieces: "40" },
};
/** Too wide and too high for a flat rack of 2,126 by 2,043 mm. */
const MACHINE = {
  ...{ "Length, mm": "3000", "Width, mm": "2600", "Height, mm": "2600", "Weight, kg": "5000", Pieces: "1" },
};

const fold = (page: Page, title: string) => page.locator("summary", { hasText: title });
const send = (page: Page) => page.getByRole("button", { name: "Make the plan" }).click();

async function fillLine(page: Page, number: number, measures: Readonly<Record<string, string>>) {
  const line = page.getByRole("group", { name: `Line ${number}`, exact: true });
  for (const [name, value] of Object.entries(measures))
    await line.getByLabel(name, { exact: true }).fill(value);
  return line;
}

/** Of cartons on pallets and a machine that stands out of a flat rack. */
async function fillForm(page: Page): Promise<void> {
  await page.getByLabel("Name (optional)").fill("Built first");
  const cartons = await fillLine(page, 1, CARTON);
  assert.equal(await page.getByRole("region", { name: "Pallet" }).count(), 0, "not asked without need");
  await cartons.getByLabel("Palletised").check();
  const pallet = page.getByRole("region", { name: "Pallet" });
  await pallet.getByRole("combobox", { name: "Type" }).selectOption("own");
  await pallet.getByLabel("Deck length, mm").waitFor();
  await pallet.getByRole("combobox", { name: "Type" }).selectOption("EUR");
  await pallet.getByLabel("Most on one, kg").fill("500");
  await page.getByRole("button", { name: "Add a line" }).click();
  await fillLine(page, 2, MACHINE);
  for (const type of ["20GP", "40GP", "40HC"]) await page.getByRole("checkbox", { name: type }).uncheck();
  await page.getByRole("status").getByText("Choose a type of container.").waitFor();
  await fold(page, "Open tops").focus();
  await page.keyboard.press("Enter");
  for (const key of ["Tab", "Tab", "Tab", "Tab", "Space"]) await page.keyboard.press(key);
  assert.ok(await page.getByRole("checkbox", { name: "40FR" }).isChecked(), "by the keyboard alone");
  await page.getByLabel("40FR above, mm").fill("600");
  await fold(page, "Axles of the vehicle").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("combobox", { name: "Vehicle" }).selectOption("trailer");
  await page.getByRole("combobox", { name: "Most by law" }).selectOption("EU, 2 + 3 axles");
  for (const [group, position, tare] of [
    ["steering", "-2300", "5300"],
    ["driving", "1300", "3400"],
    ["trailer", "8700", "3800"],
  ] as const) {
    const axles = page.getByRole("group", { name: `Axles: ${group}` });
    await axles.getByLabel("Position, mm").fill(position);
    await axles.getByLabel("Empty, kg").fill(tare);
  }
  await assertWell(page, "the page");
}

/** What is wrong in a folded part opens it; the form is right in the end, and sent. */
async function correctForm(page: Page): Promise<void> {
  const kingpin = page.getByLabel("Kingpin, mm");
  const isFocused = (): Promise<boolean> =>
    kingpin.evaluate((field) => field === field.ownerDocument.activeElement);
  await fold(page, "Axles of the vehicle: tractor and trailer").click();
  await kingpin.waitFor({ state: "hidden" });
  await send(page);
  await kingpin.waitFor();
  assert.ok(await isFocused(), "the browser points at what is empty");
  await kingpin.fill("9000");
  await fold(page, "Axles of the vehicle").click();
  await kingpin.waitFor({ state: "hidden" });
  await page.getByLabel("Built height, mm").fill("144");
  await send(page);
  const refused = page.getByRole("alert");
  await refused.getByText("Must be before the trailer's axle group, the last.").waitFor();
  assert.ok(await isFocused(), "so does the service");
  await assertWell(page, "the page");
  await kingpin.fill("700");
  assert.equal(await refused.count(), 0);
  assert.ok(await kingpin.isVisible(), "and the part stays open");
  await send(page);
  await refused.getByText(/^Must be more than the 144 mm of the empty pallet/).waitFor();
  await page.getByLabel("Built height, mm").fill("1200");
  await send(page);
  await page.getByRole("heading", { name: "Built first" }).waitFor();
}

export async function makeBuilt(page: Page): Promise<void> {
  await fillForm(page);
  await correctForm(page);
}

/** Of the plan of that form. */
export async function seeBuilt(page: Page, { request, containers, left }: Plan): Promise<void> {
  assert.deepEqual(left, []);
  const [rack] = containers as [Plan["containers"][number]];
  assert.deepEqual([request.cargo[0]!.palletised, request.pallet!.type], [true, "EUR"]);
  assert.deepEqual(
    request.vehicle!.axle_groups.map(({ max_kg: most }) => most),
    [10_000, 11_500, 24_000],
  );
  assert.equal(request.containers[0]!.max_over_height_mm, 600);
  const built = page.getByRole("region", { name: "Build the pallets first" });
  const said = "1,200 × 800 mm: at most 500 kg on each, and at most 1,200 mm high with the deck.";
  await built.getByText(said).waitFor();
  assert.ok(rack.pallets.length > 0);
  await built.getByText(`${rack.pallets.length} pallets`).waitFor();
  await page.getByText(`One piece stands out: ${2_600 - 2_043} mm above the top, 237 mm beyond`).waitFor();
  for (const { axle_group: group } of rack.limits.filter(({ limit }) => limit === "axle_load_kg"))
    await page.getByText(`Axles: ${group}`).waitFor();
  await seeWholeDrawing(page);
  await assertWell(page, "the page");
}

/** What stands out is not cut off. */
async function seeWholeDrawing(page: Page): Promise<void> {
  await page.getByRole("radio", { name: "Drawings" }).check();
  const drawing = page.getByRole("img", { name: "Container 1, from the door" });
  const frame = (await drawing.boundingBox())!;
  const shapes = await drawing.locator("g rect").all();
  assert.ok(shapes.length > 0);
  for (const shape of shapes) {
    const { x, y, width } = (await shape.boundingBox())!;
    assert.ok(x >= frame.x && y >= frame.y && x + width <= frame.x + frame.width);
  }
}
