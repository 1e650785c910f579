/** The demo is the whole product at work: this is its test from one end to the other. */
import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { JOURNEYS_FOLDER } from "../../packages/simulator/src/replay/server.ts";
import { sharedPath } from "../support/shared.ts";
import { ownFolder } from "./own-folder.ts";
import { start, until } from "./boathook.ts";

const SPEED = ["--speed", "6"];

const recordings = sharedPath("samples/ocean/recorded");

test("the demo shows five products' events arriving, signed, and ends with status 0", async (t) => {
  const { settings, leftovers } = ownFolder(t);
  const demo = start(t, ["demo", ...SPEED], settings);
  assert.equal(await demo.ended, 0, demo.out() + demo.err());
  const shown = demo.out();
  for (const product of ["tracking", "air", "schedules", "rates", "loading"]) {
    assert.match(shown, new RegExp(`s  ${product} .*signature verified .* answered 204`));
  }
  for (const type of ["vessel_departed", "container_available", "container_delivered", "shipment_updated"]) {
    assert.match(shown, new RegExp(`tracking +${type} `), type);
  }
  assert.match(shown, /rates-unwell .* attempt 1 .* answered 503\n/);
  assert.match(shown, /rates-unwell .* attempt 3 .* answered 204\n/);
  assert.match(shown, /Retry waits are cut/);
  assert.match(shown, /Everything that should have arrived has\.\n$/);
  assert.doesNotMatch(shown, /SIGNATURE WRONG|\u001b/);
  assert.deepEqual(leftovers(), [], "nothing is left in the folder for temporary files");
});

/** For checkouts without the recorded answers of real carriers beside them. */
function oneJourney(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "boathook-one-journey-"));
  t.after(() => rmSync(folder, { recursive: true }));
  copyFileSync(join(JOURNEYS_FOLDER, "direct-jpyok-usoak.json"), join(folder, "direct.json"));
  return folder;
}

test("the demo of recordings shows what they raise", async (t) => {
  const demo = start(t, ["demo", "--recordings", recordings ?? oneJourney(t), "--speed", "20"]);
  assert.equal(await demo.ended, 0, demo.out() + demo.err());
  assert.match(demo.out(), /tracking +vessel_departed .*signature verified/);
  assert.match(demo.out(), /Everything that should have arrived has\.\n/);
});

test("the demo that stays is the simulated world, which takes no recordings", async (t) => {
  const demo = start(t, ["demo", "--keep", "--recordings", "recorded/"]);
  assert.equal(await demo.ended, 2);
  assert.match(demo.err(), /boathook try/);
});

test("the demo is ended by Ctrl-C while it starts, and leaves nothing", async (t) => {
  const { settings, leftovers } = ownFolder(t);
  const demo = start(t, ["demo"], settings);
  await until(() => demo.out().includes("starting"), "it has begun");
  demo.signal("SIGINT");
  assert.equal(await demo.ended, 1);
  assert.deepEqual(leftovers(), []);
});
