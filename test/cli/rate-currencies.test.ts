/** `boathook rates currencies`, on a database of each test's own. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { openShell } from "./shell.ts";

const ECB = "Date, USD, CNY, HRK, \n20 November 2026, 1.1302, 8.2136, N/A, \n";

test("exchange rates are loaded, listed, loaded again as they were listed, and removed", async (t) => {
  const boathook = await openShell(t, "rates", "currencies");
  const { file, json } = boathook;
  const csv = await file("eurofxref.csv", ECB);
  const loaded = {
    lines: 1,
    loaded: 2,
    replaced: 0,
    unchanged: 0,
    refused: 0,
    problems: [],
    left_out: ["HRK"],
  };
  assert.deepEqual(await json("load", csv, "--source", "ECB"), loaded);
  assert.match(
    (await boathook("load", csv, "--source", "ECB")).out,
    /^Loaded 0 exchange rates; 0 of .*\. 2 were there already\. Left out, as withdrawn: HRK\.\n$/,
  );
  const listed = await json("list", "--on", "2026-11-22");
  assert.deepEqual(listed.rates, [
    { source: "ECB", base: "EUR", currency: "CNY", date: "2026-11-20", rate: "8.2136" },
    { source: "ECB", base: "EUR", currency: "USD", date: "2026-11-20", rate: "1.1302" },
  ]);
  assert.match(
    (await boathook("list", "--on", "2026-11-27")).out,
    /^SOURCE +BASE +FROM .*\nECB +EUR +2026-11-20 +2026-11-20 +2 .*\n\nSOURCE +DATE .*\nECB +2026-11-20 +EUR +CNY +8\.2136\n/,
  );
  assert.deepEqual((await json("list", "--on", "2026-11-28")).rates, []);
  const again = await file("again.json", JSON.stringify(listed.rates));
  assert.equal((await json("load", again)).unchanged, 2, "what is listed can be loaded");
  assert.deepEqual(await json("remove", "ECB", "--on", "2026-11-20"), { source: "ECB", removed: 2 });
  assert.deepEqual((await json("list")).sources, []);
});

test("a wrong line is reported, and an index over two currencies says what converted it", async (t) => {
  const boathook = await openShell(t, "rates");
  const { file, json } = boathook;
  const csv = await file(
    "fx.csv",
    "date,base,currency,rate,source\n2026-01-02,EUR,USD,1.1,own\n2026-01-02,EUR,USD,x,own\n",
  );
  const strict = await boathook("currencies", "load", csv, "--strict");
  assert.deepEqual([strict.status, strict.out], [1, ""]);
  assert.match(strict.err, /^Nothing was loaded from .*fx\.csv:\n {2}line 3: rate must be a number above 0/);
  const partly = await boathook("currencies", "load", csv);
  assert.equal(partly.status, 1, "a script should notice");
  assert.match(partly.out, /^Loaded 1 exchange rates/);
  assert.match(partly.err, /^Not loaded, 1 lines:\n {2}line 3: rate must/);

  const heading = "origin,destination,equipment,currency,valid_from,base";
  const rates = "CNSHA,NLRTM,40HC,USD,2020-01-01,2000\nCNSHA,DEHAM,40HC,EUR,2020-01-01,1000\n";
  await json("load", await file("r.csv", `${heading}\n${rates}`));
  const lane = { origin: "CNSHA", destination: "NLRTM", equipment: "40HC", weight: 2 };
  const definition = { id: "mixed", name: "Mixed", currency: "USD", base_date: "2026-01-02", day: "none" };
  const lanes = [lane, { ...lane, destination: "DEHAM", currency: "EUR" }];
  const path = await file("mixed.json", JSON.stringify({ ...definition, lanes }));
  const defined = await json("index", "add", path);
  assert.equal(defined.exchange_source, "own");
  assert.equal(
    (await boathook("index", "compute", "mixed", "--on", "2026-01-05")).out,
    "mixed on 2026-01-05: 1000.00, 0.00 % since 2026-01-02. Converted by own, 2026-01-02.\n",
  );
  assert.match(
    (await boathook("index", "compute", "mixed", "--on", "2026-02-05")).out,
    /\. Left out, without an exchange rate: EUR\.\n$/,
  );
  assert.match((await boathook("index", "list")).out, /CONVERTED BY\nmixed .* own\n/);
});
