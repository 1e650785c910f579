/** `boathook carriers`, as it is typed. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { JOURNEYS_FOLDER, serveReplay } from "../../packages/simulator/src/replay/server.ts";
import type { EntryCheck } from "../../src/freight/source-check/check.ts";
import { shippedCatalogue } from "../../src/freight/source-catalogue/carriers.ts";
import { HERON } from "../ocean/shipping-lines.ts";
import { run } from "./run.ts";

test("the catalogue lists each carrier with what it needs and where to apply", async () => {
  const { status, out } = await run(["carriers", "catalogue"]);
  assert.equal(status, 0);
  for (const { scac, name, apply } of shippedCatalogue()) {
    const line = out.split("\n").find((one) => one.startsWith(scac));
    assert.ok(line?.includes(name) && line.includes(apply.url), scac);
  }
  assert.match(out, /^MAEU +Maersk +clientId, clientSecret +https:\/\/developer\.maersk\.com$/m);
  assert.match(out, /^OOLU +OOCL +not polled: it has no public API /m);
});

test("one carrier is shown with its sources, quirks and what nobody found, also by another SCAC of its line", async () => {
  const { status, out } = await run(["carriers", "catalogue", "aplu"]);
  assert.equal(status, 0);
  assert.match(out, /^Carrier +CMDU CMA CGM$/m);
  assert.match(out, /^Bills begin +CMDU APLU ANNU CHNL$/m);
  assert.match(out, /^ {2}\{"carrier":"CMDU","apiKey":"…"\}$/m);
  assert.match(out, /^Not known:\n {2}How many requests/m);
  assert.match(out, /^ {2}https:\/\/\S+ \(\d{4}-\d\d-\d\d\): /m);
  const json = await run(["carriers", "catalogue", "CMDU", "--json"]);
  assert.deepEqual(
    JSON.parse(json.out),
    shippedCatalogue().find(({ scac }) => scac === "CMDU"),
  );
  const unknown = await run(["carriers", "catalogue", "HRNL"]);
  assert.deepEqual(
    [unknown.status, unknown.err],
    [1, "The catalogue has no carrier of that SCAC; `boathook carriers catalogue` lists all.\n"],
  );
});

const folder = mkdtempSync(join(tmpdir(), "boathook-carriers-"));
after(() => rmSync(folder, { recursive: true }));

const NOBODY = "01a1fc98-3684-702d-8add-9c7eb13bfa2f";

function fileOf(...entries: readonly object[]): Readonly<Record<string, string>> {
  const file = join(folder, "carriers.json");
  writeFileSync(file, JSON.stringify(entries));
  return { BOATHOOK_CARRIERS_FILE: file };
}

test("a check prints each step, what the answer becomes, and where it is kept", async (t) => {
  const speed = 1e9;
  const carrier = await serveReplay({ folder: JOURNEYS_FOLDER, speed, clock: { nowMs: () => Date.now() } });
  t.after(() => carrier.close());
  const environment = fileOf({ ...HERON, baseUrl: carrier.url, headers: { "x-key": "a-secret-key" } });
  const words = [
    "carriers",
    "check",
    "hrnl",
    "--reference",
    "HRNU 400001-7",
    "--record",
    join(folder, "kept"),
  ];
  const { status, out, err } = await run(words, { environment });
  assert.deepEqual([status, err], [0, ""]);
  assert.match(
    out,
    /^HRNL Heron Lines\nSTEP +OF +MS +CAME BACK\nname +127\.0\.0\.1 +passed +\d+ +127\.0\.0\.1\n/,
  );
  assert.match(out, /^tls +127\.0\.0\.1:\d+ +skipped +\d+ +the address begins with http:\/\//m);
  assert.match(
    out,
    /^question +HRNU4000017 +passed +\d+ +HTTP 200, \d+ bytes, \d+ events on one page by container_id$/m,
  );
  assert.match(
    out,
    /^Asked:\n {2}GET http:\/\/127\.0\.0\.1:\d+\/\S*events\?\S*equipmentReference=HRNU4000017/m,
  );
  assert.match(out, /^Reference +HRNU4000017 \(container_id\)\nStatus +returned_empty$/m);
  assert.match(out, /^\S+Z +actual +- +Vessel departure +JPYOK +HERON /m);
  assert.match(out, /^Would have been raised:\n(?: {2}.*\n)* {2}\S+Z {2}vessel_departed$/m);
  assert.match(out, /^ {2}\S+Z {2}shipment_updated \([a-z, ]+\)$/m);
  const kept = join(folder, "kept", "HRNL-HRNU4000017.json");
  assert.ok(out.endsWith(`\nKept in ${kept}\n`));
  assert.ok(!(out + readFileSync(kept, "utf8")).includes("a-secret-key"));
  const again = await serveReplay({
    folder: join(folder, "kept"),
    speed,
    clock: { nowMs: () => Date.now() },
  });
  await again.close();
  assert.ok(again.references.some(({ value }) => value === "HRNU4000017"));
});

test("a step that fails says what to do, and ends the check with status 1", async (t) => {
  const carrier = await serveReplay({
    folder: JOURNEYS_FOLDER,
    speed: 1,
    clock: { nowMs: () => Date.now() },
  });
  t.after(() => carrier.close());
  const environment = fileOf({ ...HERON, baseUrl: carrier.url });
  const unknown = await run(["carriers", "check", "--reference", "MSKU1234565"], { environment });
  assert.equal(unknown.status, 1);
  assert.match(unknown.out, /^question +MSKU1234565 +failed .*not found$/m);
  assert.match(unknown.out, /^To do:\n {2}question MSKU1234565: The carrier does not know this reference/m);
  const json = await run(["carriers", "check", "--json"], { environment });
  const { checks, summary } = JSON.parse(json.out) as {
    checks: readonly EntryCheck<unknown>[];
    summary: object;
  };
  const [checked] = checks;
  assert.deepEqual(summary, { right: 1, wrong: 0, notAsked: 0, failures: [] });
  assert.deepEqual([json.status, checked?.passed, checked?.outcome], [0, true, null]);
});

test("a check without a carrier, of another one or of no reference is refused", async () => {
  const environment = fileOf(HERON);
  for (const [words, settings, message] of [
    [[], {}, "There is no carrier to check: BOATHOOK_CARRIERS_FILE names none (docs/carriers.md).\n"],
    [["MAEU"], environment, "The carriers file has no carrier of that SCAC; it has HRNL.\n"],
    [["--reference", "MSKU1234566"], environment, /^--reference: MSKU1234566 .*MSKU1234565/],
    [["--account", NOBODY], environment, /^--account: no entry has this id in `accounts`/],
    [
      ["--record", join(folder, "carriers.json")],
      environment,
      /^--record: \S+ cannot be written to: ENOTDIR/,
    ],
  ] as const) {
    const { status, err } = await run(["carriers", "check", ...words], { environment: settings });
    assert.equal(status, 2);
    if (typeof message === "string") assert.equal(err, message);
    else assert.match(err, message);
  }
});
