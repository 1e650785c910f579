/**
 * `npm run drill:faults`: causes faults of a running service, and says within how many seconds readiness, alerts,
 * metrics, log and commands show each. `--only <pattern>` takes some, `--out <folder>` keeps the results, from which
 * `npm run drill:table` writes docs/faults.md. Needs root on Linux, and `prometheus` on the PATH.
 */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { parseArgs } from "node:util";

import { globalSetup, globalTeardown } from "../support/global-setup.ts";
import { ALL } from "./all.ts";
import type { Fault } from "./fault.ts";
import { draw, report } from "./hidden.ts";
import { hasOwnNames, startNames } from "./names.ts";
import { startPrometheus } from "./prometheus.ts";
import { openStage, sleep } from "./stage.ts";
import { PLACES, watch } from "./watch.ts";

/** What rates begin at is scraped before the fault. */
const BEFORE_MS = 6_000;

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    out: { type: "string", default: "drills" },
    hidden: { type: "string" },
  },
});

const { hidden: seed } = values;
const named = Object.entries(ALL).flatMap(([group, faults]) =>
  faults.filter(({ name }) => new RegExp(values.only).test(name)).map((fault) => ({ group, fault })),
);
const chosen =
  seed === undefined
    ? named
    : draw(
        named.map(({ fault }) => fault),
        Number(seed),
      ).map((fault) => ({ group: "", fault }));
mkdirSync(values.out, { recursive: true });

if (hasOwnNames()) await drillAll();

async function drillAll(): Promise<void> {
  await globalSetup();
  const served = startNames();
  let left = chosen.length;
  for (const [index, { group, fault }] of chosen.entries()) {
    test(seed === undefined ? fault.name : `hidden ${index + 1}`, async (t) => {
      t.after(async () => {
        left -= 1;
        if (left > 0) return;
        served.close();
        await globalTeardown();
      });
      if (seed === undefined) await drill(t, group, fault);
      else await hide(t, fault, join(values.out, `hidden-${index + 1}`));
    });
  }
}

async function hide(t: TestContext, fault: Fault, folder: string): Promise<void> {
  const stage = await openStage(t, fault);
  if (stage === null) return;
  const logFrom = fault.atStart === true ? 0 : stage.service.err().length;
  await fault.cause(stage);
  await report(stage, fault, folder, logFrom);
}

async function drill(t: TestContext, group: string, fault: Fault): Promise<void> {
  const stage = await openStage(t, fault);
  if (stage === null) return;
  const targets = stage.opsPorts.slice(0, fault.name.includes("of two") ? 2 : 1);
  const prometheus = await startPrometheus(
    t,
    targets.map((port) => `127.0.0.1:${port}`),
    fault.atStart !== true,
  );
  await sleep(BEFORE_MS);
  const logFrom = fault.atStart === true ? 0 : stage.service.err().length;
  await fault.cause(stage);
  const seen = await watch(stage, fault.shows, prometheus, logFrom);
  const result = { group, name: fault.name, ...seen };
  writeFileSync(
    join(values.out, `${fault.name.replaceAll(/\W+/g, "-")}.json`),
    JSON.stringify(result, null, 2),
  );
  const { last: _last, ...brief } = seen;
  t.diagnostic(JSON.stringify(brief, null, 1));
  for (const place of PLACES) {
    if (fault.shows[place] === undefined) continue;
    assert.ok(seen.shown[place] !== undefined, `${place} does not show it: ${seen.last[place]}`);
  }
  const lines = Object.values(seen.lines).reduce((sum, count) => sum + count, 0);
  assert.ok(lines <= (fault.shows.linesMax ?? 1), `${lines} lines: ${JSON.stringify(seen.lines, null, 1)}`);
}
