/** The promotion of docs/rates.md, loaded as it is written and carried through its days. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { FILE_BOUNDS, readRates } from "../../src/products/rates/lanes/read-rates.ts";
import { loadRates } from "../../src/products/rates/lanes/load.ts";
import { runToEnd } from "../../src/runtime/time-slices.ts";
import { openScene } from "./scene.ts";

const guide = readFileSync(join(import.meta.dirname, "../../docs/rates.md"), "utf8");
const section = /^### Promotions\n([\s\S]*?)^##/m.exec(guide)![1]!;

test("the guide's promotion goes before the contract on the days, and raises the events, that it says", async (t) => {
  const [, file = ""] = /^cat > \S+ <<'CSV'\n([\s\S]*?)^CSV$/m.exec(section)!;
  const read = runToEnd(readRates(Buffer.from(file), "csv", FILE_BOUNDS));
  assert.ok(read.kind === "rates");
  assert.deepEqual(read.problems, []);
  const days = [...section.matchAll(/^\| (\d{4}-\d{2}-\d{2}) \| (\w+) \| ([\d.]+) \| (.*) \|$/gm)];
  assert.equal(days.length, 4, "the guide has its table");

  const scene = await openScene();
  t.after(() => scene.drop());
  await loadRates(scene, read.rates);
  for (const [, day = "", layer, total, told] of days) {
    scene.clock.jump(Date.parse(`${day}T00:00:10Z`) - scene.clock.nowMs());
    await scene.tick();
    const [lane] = await scene.lanesOn(day);
    assert.deepEqual([lane?.rate?.layer, lane?.rate?.total], [layer, total], day);
    const events = (await scene.raised()).map(({ data }) => {
      assert.deepEqual([data.effective_on, data.new_layer, data.new_total], [day, layer, total]);
      return `\`${data.reason}\`, ${data.change_percent.replace("-", "−")} %`;
    });
    assert.deepEqual(events, told === "none" ? [] : [told], day);
  }
});
