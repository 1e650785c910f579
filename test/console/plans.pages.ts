/** Load plans in the console and in the portal, as a reader uses them, in a real browser. */
import assert from "node:assert/strict";
import { before, test } from "node:test";

import type { Page, Route } from "playwright-core";

import type { Plan } from "../../src/products/loading/plan/plan-schema.ts";
import { ask, makeDataFolder, until } from "../service/boathook.ts";
import { buildPages } from "./built.ts";
import { assertWell } from "./axe.ts";
import { LOOKS, openBrowser, openPage, skip } from "./browser.ts";
import { makeBuilt, seeBuilt } from "./plan-form.ts";
import { canvasOf, drawnOf, isFocused, pinch, seeLimits, seeProductsName } from "./plan-page.ts";
import { openPlanScene } from "./plan-scene.ts";
import { signInTo } from "./portal-scene.ts";
import { HOSTILE } from "./scene.ts";
import { seeLine } from "./timeline.ts";

const folder = makeDataFolder({ withDatabase: true });

before(buildPages);

const stepOf = (page: Page) => page.getByRole("slider", { name: "Step" });

test("load plans", { skip }, async (whole) => {
  const [browser, scene] = await Promise.all([openBrowser(whole), openPlanScene(whole, folder)]);
  const { pages, ids } = scene;

  await whole.test("are listed and found, and the address says what is shown", async (t) => {
    const { page } = await openPage(t, browser);
    await scene.signIn(page);
    await page.goto(pages);
    const rows = page.getByRole("table", { name: "Plans" }).getByRole("row");
    await page.getByRole("link", { name: "Small 26" }).waitFor();
    assert.equal(await rows.count(), 1 + 25);
    await page.getByRole("button", { name: "Older" }).click();
    await page.waitForURL(/page=2/);
    await page.getByRole("link", { name: "Parcels" }).waitFor();
    assert.equal(await rows.count(), 1 + 4);
    await page.getByLabel("Left behind").selectOption("some");
    await page.getByRole("link", { name: "Parcels" }).waitFor({ state: "detached" });
    assert.equal(await rows.count(), 1 + 2);
    await page.getByLabel("Name").fill("4711");
    await page.getByLabel("Name").press("Tab");
    await page.waitForURL(/[?&]name=4711(?:&|$)/);
    assert.match(page.url(), /[?&]left=some(?:&|$)/);
    await page.reload();
    await page.getByRole("link", { name: "Order 4711" }).waitFor();
    assert.equal(await rows.count(), 2);
    await page.getByRole("link", { name: "Order 4711" }).click();
    await page.getByRole("heading", { name: "Order 4711" }).waitFor();
    assert.equal(await page.getByRole("button", { name: /Remove/ }).count(), 0, "the operator only reads");
  });

  await whole.test(
    "say what each container takes, how it is balanced, and why pieces stay behind",
    async (t) => {
      const { page } = await openPage(t, browser);
      await scene.signIn(page);
      await page.goto(`${pages}/${ids.mixed}`);
      await seeProductsName(page, "Load plans");
      const containers = page.getByRole("table", { name: "Containers" });
      const at = `${scene.service.publicUrl}/loading/v1/plans/${ids.mixed}`;
      const plan = (await ask("GET", at, scene.key)).body.data;
      const [, second] = plan.containers;
      const said = await containers.innerText();
      for (const { number, type, pieces, weight_kg: weight } of plan.containers) {
        assert.match(
          said,
          new RegExp(
            `${number}: ${type}\\s+${pieces}\\s+[\\d.]+%\\s+[\\d.]+%\\s+${weight.toLocaleString("en")} kg\\s+(Balanced|Off the middle)`,
          ),
        );
      }
      assert.match(said, /2: 20GP.*Off the middle/s);
      assert.match(
        await page.getByRole("table", { name: "Left behind" }).innerText(),
        /mast\s+1\s+Fits into none of the containers/,
      );
      await containers.getByRole("button", { name: "2: 20GP" }).click();
      await page.getByRole("heading", { name: "Container 2: 20GP" }).waitFor();
      await page.waitForURL(/container=2/);
      const offMm = Math.round(second.length_mm / 2 - second.centre_of_gravity_mm.x);
      await page
        .getByText(new RegExp(`${offMm.toLocaleString("en")} mm towards the front wall \\(`))
        .waitFor();
      await page.getByText(/kg of 4,780 kg/).waitFor();
    },
  );

  await whole.test("say in one line of time what was raised for them, in both roles", async (t) => {
    const { page } = await openPage(t, browser);
    await scene.signIn(page);
    const raised = /^Order 4711, Rotterdam, revision 1: \d+ pieces in/;
    await page.goto(`${pages}/${ids.mixed}`);
    await (await seeLine(page, "Planned", "plan_created")).getByText(raised).waitFor();
    await signInTo(page, `${scene.service.publicUrl}/loading/portal/find?q=4711`, scene.key);
    await page.getByRole("link", { name: "Order 4711" }).first().click();
    await (await seeLine(page, "Planned", "plan_created")).getByText(raised).waitFor();
  });

  await whole.test("are stepped through, turned and zoomed with the keyboard alone", async (t) => {
    const { page } = await openPage(t, browser);
    await scene.signIn(page);
    await page.goto(`${pages}/${ids.mixed}?step=4`);
    const placed = page.getByText(/^Place \d+ of [A-Z] \(\u2068/);
    await placed.waitFor();
    const said = await placed.innerText();
    const four = await drawnOf(page);
    await stepOf(page).focus();
    await page.keyboard.press("ArrowLeft");
    await page.waitForURL(/step=3/);
    assert.notEqual(await placed.innerText(), said);
    assert.notEqual(await drawnOf(page), four, "the view shows the step");
    await page.keyboard.press("ArrowRight");
    await page.waitForURL(/step=4/);
    assert.equal(await placed.innerText(), said);
    for (let tabs = 0; tabs < 4 && !(await isFocused(page, "CANVAS")); tabs += 1)
      await page.keyboard.press("Tab");
    assert.ok(await isFocused(page, "CANVAS"));
    const start = await drawnOf(page);
    for (const key of ["ArrowLeft", "ArrowUp", "+"]) {
      const last = await drawnOf(page);
      await page.keyboard.press(key);
      assert.notEqual(await drawnOf(page), last, key);
    }
    await page.keyboard.press("Home");
    assert.equal(await drawnOf(page), start);
    await page.keyboard.press("Tab");
    const corner = await drawnOf(page);
    for (const view of ["Corner", "Door", "Side", "Top"]) {
      assert.equal(await page.evaluate("document.activeElement.textContent"), view);
      await page.keyboard.press("Enter");
      assert.equal((await drawnOf(page)) === corner, view === "Corner", view);
      await page.keyboard.press("Tab");
    }
    await page.getByText("Where each piece lies").focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Select piece 3", exact: true }).press("Enter");
    await page.getByRole("status").getByText("Piece 3:").waitFor();
  });

  await whole.test("show a piece that is pointed at, and free the graphics card with the page", async (t) => {
    const { page } = await openPage(t, browser);
    await scene.signIn(page);
    await page.goto(`${pages}/${ids.many}`);
    await drawnOf(page);
    const elements = Number(await page.evaluate("document.querySelectorAll('*').length"));
    assert.ok(elements < 1_000, `${elements} elements for 2,333 pieces`);
    const still = await drawnOf(page);
    const box = (await canvasOf(page).boundingBox())!;
    await page.mouse.move(box.x + 300, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(box.x + 420, box.y + 230, { steps: 4 });
    await page.mouse.up();
    const dragged = await drawnOf(page);
    assert.notEqual(dragged, still, "the mouse turns it");
    assert.equal(await page.getByText(/^Piece [\d,]+:/).count(), 0, "a drag selects nothing");
    await pinch(page, box.x + 300, box.y + 200);
    assert.notEqual(await drawnOf(page), dragged, "two fingers zoom it");
    await canvasOf(page).click();
    await page.getByText(/^Piece [\d,]+:/).waitFor();
    const chosen = await page.getByRole("status").filter({ hasText: "Piece" }).innerText();
    assert.match(chosen, /× \d+ mm, \d+ kg/);
    assert.match(chosen, /mm from the front wall, [\d,]+ mm from the left, [\d,]+ mm above the floor/);
    const graphics = await canvasOf(page).evaluateHandle((canvas: never) =>
      (canvas as { getContext(name: string): { isContextLost(): boolean } }).getContext("webgl2"),
    );
    assert.equal(await graphics.evaluate((held) => held.isContextLost()), false);
    await page.getByRole("navigation", { name: "Account" }).getByRole("link", { name: "Load plans" }).click();
    await page.getByRole("table", { name: "Plans" }).waitFor();
    assert.equal(await graphics.evaluate((held) => held.isContextLost()), true);
  });

  await whole.test("are drawn flat where the browser has no three dimensions", async (t) => {
    const { page } = await openPage(t, browser);
    await page.addInitScript(() => {
      const { prototype } = (globalThis as never)["HTMLCanvasElement"] as {
        prototype: { getContext: (name: string, ...others: unknown[]) => unknown };
      };
      const real = prototype.getContext;
      prototype.getContext = function getContext(name, ...others) {
        return name.startsWith("webgl") ? null : real.call(this, name, ...others);
      };
    });
    await scene.signIn(page);
    await page.goto(`${pages}/${ids.mixed}?step=2`);
    await page.getByText("This browser cannot draw in three dimensions").waitFor();
    for (const side of ["from the left side", "from above", "from the door"])
      await page.getByRole("img", { name: `Container 1, ${side}` }).waitFor();
    await page.getByRole("table", { name: "Loading order" }).waitFor();
    await page
      .getByRole("img", { name: "Container 1, from the left side" })
      .click({ position: { x: 40, y: 60 } });
    await page.getByText(/^Piece [\d,]+:/).waitFor();
  });

  await whole.test("come by themselves when the service did not answer at first, or refused", async (t) => {
    const { page } = await openPage(t, browser);
    await scene.signIn(page);
    await page.clock.install();
    const code = "UNAVAILABLE";
    const refusal = { error: { code, message: "the database cannot be reached at the moment; try again" } };
    for (const [fail, words] of [
      [(route: Route) => route.abort(), "The service does not answer"],
      [(route: Route) => route.fulfill({ status: 503, json: refusal }), "The database cannot be reached"],
    ] as const)
      for (const [address, role, name] of [
        [`${pages}/${ids.mixed}`, "heading", "Order 4711"],
        [pages, "table", "Plans"],
      ] as const) {
        await page.route(/\/v1\/plans/, fail);
        await page.goto(address);
        await page.getByText(words).first().waitFor();
        await page.unrouteAll({ behavior: "wait" });
        await page.clock.fastForward(5_000);
        await page.getByRole(role, { name }).waitFor();
      }
  });

  await whole.test("are printed on a page for each container", async (t) => {
    const { page } = await openPage(t, browser, { colorScheme: "dark" });
    await scene.signIn(page);
    for (const id of [ids.mixed, ids.many]) {
      await page.goto(`${pages}/${id}`);
      await page.getByRole("link", { name: "Print" }).click();
      // The plan's page, which goes away, names its containers alike.
      const sheets = page.locator(".print").getByRole("region", { name: /^Container \d/ });
      await sheets.first().waitFor();
      const printed = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
      assert.equal([...printed.matchAll(/\/Type \/Page\b(?!s)/g)].length, await sheets.count(), id);
    }
    const steps = await page
      .getByRole("region", { name: "Container 1" })
      .getByRole("listitem")
      .allInnerTexts();
    assert.equal(steps.length, 51);
    assert.match(steps[0]!, /parcel 14 × 207 23 × 1 × 9, each 521 × 317 × 293 mm; against the front wall/);
  });

  await whole.test("are left for good, though a timer of the page comes late", async (t) => {
    const { page } = await openPage(t, browser);
    await page.addInitScript(`
      globalThis.late = [];
      const set = setTimeout;
      globalThis.setTimeout = (run, ms) => {
        if (ms === 250) late.push(run);
        return set(run, ms);
      };`);
    await scene.signIn(page);
    await page.goto(`${pages}/${ids.mixed}`);
    await until(async () => Number(await page.evaluate("late.length")) > 0, "the page says what it shows");
    await page.getByRole("link", { name: "Print" }).click();
    const sheet = page.locator(".print").getByRole("region", { name: "Container 1" });
    await sheet.waitFor();
    await page.evaluate("late.forEach((run) => run())");
    await page.evaluate("new Promise(requestAnimationFrame)");
    assert.match(page.url(), /\/print$/);
    assert.ok(await sheet.isVisible());
  });

  for (const look of LOOKS)
    await whole.test(
      `have no finding of axe and show names that mean harm as they are: ${look.colorScheme}`,
      async (t) => {
        const { page } = await openPage(t, browser, look);
        await scene.signIn(page);
        for (const [address, text] of [
          ["?left=some", HOSTILE],
          [`/${ids.hostile}`, HOSTILE],
          [`/${ids.hostile}?view=drawings&step=1`, HOSTILE],
          [`/${ids.hostile}/print`, HOSTILE],
          [`/${encodeURIComponent(HOSTILE)}`, "You have no plan of that id."],
        ] as const) {
          await page.goto(`${pages}${address}`);
          await page.getByText(text).first().waitFor();
          await page.getByText("Loading the view…").waitFor({ state: "detached" });
          await assertWell(page, address);
          assert.equal(await page.locator("main img, main script").count(), 0);
        }
      },
    );

  await whole.test("are made and removed by the client in the portal", async (t) => {
    const { page } = await openPage(t, browser, { viewport: { width: 390, height: 844 } });
    const portal = `${scene.service.publicUrl}/loading/portal/load-plans`;
    const shownPlan = async (): Promise<Plan> => {
      const id = /load-plans\/([\w-]+)/.exec(page.url())![1]!;
      return (await ask("GET", `${scene.service.publicUrl}/loading/v1/plans/${id}`, scene.key)).body.data;
    };
    await signInTo(page, `${portal}/new`, scene.key);
    await page.getByLabel("Name (optional)").fill("Made here");
    await page.getByRole("link", { name: "To the plans" }).click();
    await page.goBack();
    assert.equal(await page.getByLabel("Name (optional)").inputValue(), "Made here");
    // Who signs in next finds nothing of it.
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("API key").fill(scene.key);
    await page.getByRole("button", { name: "Sign in" }).click();
    assert.equal(await page.getByLabel("Name (optional)").inputValue(), "");
    await page.getByLabel("Name (optional)").fill("Made here");
    const line = page.getByRole("group", { name: "Line 1" });
    for (const [name, value] of [
      ["Name", HOSTILE],
      ["Length, mm", "1200"],
      ["Width, mm", "800"],
      ["Height, mm", "1000"],
      ["Weight, kg", "400.5"],
      ["Pieces", "12"],
      ["Bears, kg", "900"],
      ["Layers", "2"],
      ["Stop", "2"],
    ] as const)
      await line.getByLabel(name, { exact: true }).fill(value);
    await page.getByRole("button", { name: "Add a line" }).click();
    const second = page.getByRole("group", { name: "Line 2" });
    for (const [name, value] of [
      ["Name", HOSTILE],
      ["Length, mm", "500"],
      ["Width, mm", "500"],
      ["Height, mm", "500"],
      ["Weight, kg", "20"],
    ] as const)
      await second.getByLabel(name, { exact: true }).fill(value);
    for (const type of ["40GP", "40HC"]) await page.getByRole("checkbox", { name: type }).uncheck();
    await page.getByLabel("Off the middle along, %").fill("10");
    await page
      .getByRole("group", { name: /most on any metre/ })
      .getByLabel("20GP")
      .fill("4000");
    await assertWell(page, "the page");
    await page.getByRole("button", { name: "Make the plan" }).click();
    const alert = page.getByRole("alert");
    await alert.getByText(/^Must differ from the ids above/).waitFor();
    const refused = second.getByLabel("Name", { exact: true });
    assert.equal(await refused.getAttribute("aria-invalid"), "true");
    assert.ok(await refused.evaluate((field) => field === field.ownerDocument.activeElement));
    await assertWell(page, "the page");
    await page.keyboard.type(" too");
    assert.equal(await alert.count(), 0);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Made here" }).waitFor();
    await seeLimits(page, await shownPlan());
    await page.getByRole("button", { name: "Remove…" }).click();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("link", { name: "Small 26" }).waitFor();
    assert.equal(await page.getByRole("link", { name: "Made here" }).count(), 0);
    await page.goto(`${portal}/new`);
    await makeBuilt(page);
    await seeBuilt(page, await shownPlan());
  });
});
