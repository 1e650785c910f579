/** A few kept worlds, so that what lives them stays whole; more of them, and fresh ones, by hand (docs/proof.md). */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

/** One polls carriers and airlines. */
const KEPT = "4-5";

function live(seeds: string, ...more: readonly string[]): readonly string[] {
  const main = join(import.meta.dirname, "main.ts");
  const options = ["--seeds", seeds, "--at-once", "1", ...more];
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...options], { encoding: "utf8" });
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  return stdout.trim().split("\n");
}

test("kept worlds end as they must, whatever fails in them, and are the same alone and after others", () => {
  const all = live(KEPT);
  assert.equal(all.at(-1), "2 worlds, 0 of them wrong");
  assert.equal(live("5")[0], all.at(-3));
});

/** Faults of the service that a world has shown. */
for (const [seed, story] of [
  ["14", "twenty failures disable, also where a clock went back between them"],
  ["17041", "the node that revokes a key refuses it, though what changes is read by a statement that hangs"],
] as const)
  test(`${story}: world ${seed}`, () => {
    assert.equal(live(`${seed}-${seed}`).at(-1), "1 worlds, 0 of them wrong");
  });

test("a broadcast raises nothing more when its message comes again, after its node was killed: world 81", () => {
  const said = live("81-81", "--table");
  assert.equal(said.at(-1), "1 worlds, 0 of them wrong");
  assert.ok(said.some((line) => line.startsWith("| ambush at a message |")));
});
