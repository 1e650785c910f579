import assert from "node:assert/strict";
import { test } from "node:test";

import { busiestWindow, withSharedNodes } from "./shared-nodes.ts";

for (const [count, perSecond] of [
  [1, 5],
  [2, 5],
  [2, 20],
  [2, 200],
  [5, 20],
] as const) {
  test(`${count} busy nodes together keep within ${perSecond} a second, and use nine tenths of it`, async () => {
    await withSharedNodes(
      { quota: { perSecond }, statementMs: 10 },
      async ({ join, run, log, statements }) => {
        const nodes = Array.from({ length: count }, () => join());
        for (const node of nodes) node.work(16);
        await run(20_000);
        for (const node of nodes) node.stop();
        const atMs = log.map((one) => one.atMs);
        console.log(
          count,
          perSecond,
          log.length,
          busiestWindow(atMs, 1_000),
          statements(),
          nodes.map((_, index) => log.filter(({ node }) => node === index).length).join(" "),
        );
        assert.ok(busiestWindow(atMs, 1_000) <= perSecond);
        const settled = atMs.filter((ms) => ms >= 5_000 && ms < 20_000).length;
        assert.ok(settled >= 0.9 * 15 * perSecond, `${settled}`);
        await run(11_000);
      },
    );
  });
}
