/** `boathook rates`, on a database of each test's own. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { openShell } from "./shell.ts";

const HEADING = "origin,destination,equipment,carrier,currency,valid_from,base,surcharges";
const LINE = "CNSHA,NLRTM,40HC,HRNL,USD,2020-01-01,2000,BAF=350.50";

test("rates are loaded, listed, loaded again as they were listed, removed, and kept in history", async (t) => {
  const boathook = await openShell(t, "rates");
  const { file, json } = boathook;
  const csv = await file("r.csv", `${HEADING}\n${LINE}\nCNSHA,DEHAM,20GP,,EUR,2999-01-01,1,\n`);
  const loaded = { lines: 2, loaded: 2, replaced: 0, unchanged: 0, changes: 0, refused: 0, problems: [] };
  assert.deepEqual(await json("load", csv), loaded);
  assert.match((await boathook("load", csv)).out, /^Loaded 0 of 2 rates; 0 .*\. 2 were there already/);
  const [ahead, lane] = await json("list");
  assert.equal(ahead.rate, null, "it does not hold yet");
  assert.deepEqual([lane.total, lane.base, lane.carrier], ["2350.50", "2000.00", "HRNL"]);
  assert.match(
    (await boathook("list", "--carrier", "hrnl")).out,
    /CARRIER +CURRENCY +TOTAL .*\n.* CNSHA +NLRTM +40HC +HRNL +USD +2350\.50 +2020-01-01/,
  );
  assert.equal((await json("list", "--on", "2999-06-01")).length, 2);

  const again = await file("again.json", JSON.stringify([lane]));
  assert.equal((await json("load", again)).unchanged, 1, "what is listed can be loaded");
  const changed = await file("changed.json", JSON.stringify([{ ...lane, base: "1900", total: undefined }]));
  assert.deepEqual(await json("load", changed), { ...loaded, lines: 1, loaded: 1, replaced: 1, changes: 1 });
  const [now] = await json("list", "--carrier", "HRNL");
  assert.deepEqual(await json("remove", now.id), { id: now.id, deleted: true, changes: 1 });
  const history = await json("history", lane.lane_id);
  assert.deepEqual(
    history.map((rate: Record<string, unknown>) => [rate["total"], rate["ended_by"]]),
    [
      ["2250.50", "removed"],
      ["2350.50", "replaced"],
    ],
  );
  assert.match((await boathook("history", lane.lane_id)).out, /2020-01-01 .* 2350\.50 .* replaced /);
});

test("a wrong line is reported by its number, and the others are loaded unless --strict is given", async (t) => {
  const boathook = await openShell(t, "rates");
  const { file, json } = boathook;
  const csv = await file("2026:12 r.csv", `${HEADING}\n${LINE}\nCNSHA,NLRTM,BIG,HRNL,USD,2020-01-01,1,\n`);
  const strict = await boathook("load", csv, "--strict");
  assert.equal(strict.status, 1);
  assert.match(strict.err, /^Nothing was loaded from .*2026:12 r\.csv:\n {2}line 3: equipment must be/);
  const again = await boathook("load", csv, "--strict", "--json");
  const { loaded, refused, problems } = JSON.parse(again.out);
  assert.deepEqual([again.status, again.err, loaded, refused, problems[0].line], [1, "", 0, 1, 3]);
  assert.deepEqual(await json("list"), []);
  const { status, out, err } = await boathook("load", csv);
  assert.match(out, /^Loaded 1 of 2 rates/);
  assert.match(err, /^Not loaded, 1:\n {2}line 3: equipment must be/);
  assert.equal(status, 1, "a script should notice");
  assert.equal((await json("list")).length, 1);
});

test("an index is defined from a file, computed, listed and removed", async (t) => {
  const boathook = await openShell(t, "rates");
  const { file, json } = boathook;
  await boathook("load", await file("r.csv", `${HEADING}\n${LINE}\n`));
  const definition = {
    id: "europe",
    name: "Shanghai to Europe",
    currency: "USD",
    base_date: "2026-01-02",
    lanes: [{ origin: "CNSHA", destination: "NLRTM", equipment: "40HC", carrier: "HRNL", weight: 1 }],
  };
  const path = await file("europe.json", JSON.stringify(definition));
  const defined = await json("index", "add", path);
  assert.deepEqual([defined.day, defined.hour_utc, defined.lanes[0].base_price], ["friday", 12, "2350.50"]);
  const computed = await json("index", "compute", "europe", "--on", "2026-02-06");
  assert.deepEqual(
    [computed.dated, computed.value, computed.previous.change],
    ["2026-02-06", "1000.00", "0.00"],
  );
  assert.match(
    (await boathook("index", "list")).out,
    /^ID +CURRENCY +DAY .*\neurope +USD +friday +2026-02-06 +1000\.00 +0\.00 +-/,
  );
  assert.match((await boathook("index", "add", path)).err, /there is an index europe already/);
  assert.deepEqual(await json("index", "remove", "europe"), { id: "europe", deleted: true });
  assert.deepEqual(await json("index", "list"), []);
});

test("a wrong file and an unknown rate, lane or index are reported", async (t) => {
  const boathook = await openShell(t, "rates");
  const unknown = "01890000-0000-7000-8000-000000000001";
  for (const [words, message, status] of [
    [["load", "rates.xls"], /must be a file named \.csv or \.json/, 2],
    [["load", "/nowhere/r.csv"], /cannot be read: ENOENT/, 1],
    [["remove", "7"], /^There is no rate of that id in force/, 1],
    [["remove", unknown], /^There is no rate of that id in force/, 1],
    [["history", unknown], /^There is no lane of that id/, 1],
    [["index", "ad"], /^Unknown command 'ad'\n\(Did you mean add\?\)\nSee boathook rates index --help/, 2],
  ] as const) {
    const ran = await boathook(...words);
    assert.match(ran.err, message);
    assert.equal(ran.status, status, words.join(" "));
  }
});
