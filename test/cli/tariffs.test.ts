/** `boathook tariffs`, on a database of each test's own. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { createTariffCache } from "../../src/products/ocean/demurrage/tariff-cache.ts";
import type { Connection } from "../../src/store/database.ts";
import { manualClock } from "../support/clock.ts";
import { recordingLog } from "../support/log.ts";
import { openShell } from "./shell.ts";
import { unwatchedLoops } from "../support/loops.ts";

const HEADING = "carrier,port,free_days,rates,valid_from";

test("tariffs are loaded, listed, loaded again as they were listed, and removed", async (t) => {
  const boathook = await openShell(t, "tariffs");
  const { file, json } = boathook;
  const csv = await file("t.csv", `${HEADING}\nHRNL,,7,,2026-01-01\nHRNL,NLRTM,5,1=75.50;6=150,2026-01-01\n`);
  assert.deepEqual(await json("load", csv), { loaded: 2 });
  const listed = await json("list");
  const common = {
    carrier: "HRNL",
    equipment: null,
    discharge_day_counts: false,
    days: "calendar",
    holidays: [],
  };
  const valid = { valid_from: "2026-01-01", valid_to: null };
  const rates = [
    { from_day: 1, usd: 75.5 },
    { from_day: 6, usd: 150 },
  ];
  assert.deepEqual(listed, [
    { id: listed[0]!.id, ...common, port: null, free_days: 7, rates: [], ...valid },
    { id: listed[1]!.id, ...common, port: "NLRTM", free_days: 5, rates, ...valid },
  ]);
  const again = await file("again.json", JSON.stringify([{ ...listed[0], free_days: 9 }]));
  assert.match((await boathook("load", again)).out, /^Loaded 1 tariff\.\n$/);
  const changed = await json("list", "--carrier", "hrnl");
  assert.deepEqual(changed, [{ ...listed[0], free_days: 9 }, listed[1]], "one for the same case gives way");
  assert.match((await boathook("list")).out, /HRNL +NLRTM +any +5 calendar +day after +1=75\.50;6=150\.00/);
  assert.deepEqual(await json("remove", listed[0]!.id), { id: listed[0]!.id, deleted: true });
  assert.deepEqual(await json("list"), [listed[1]]);
  assert.deepEqual(await json("list", "--carrier", "OTHR"), []);
});

test("a long list is read page by page, in the order of carrier, port, equipment and day", async (t) => {
  const { file, json } = await openShell(t, "tariffs");
  const days = Array.from({ length: 60 }, (_, at) => `20${at + 10}-01-01`);
  const lines = ["HRNL,,", "HRNL,NLRTM,", "HRNL,NLRTM,20ft", "TRNC,,40ft"].flatMap((one) =>
    days.map((day) => `${one},7,${day}`),
  );
  const shuffled = lines.toSorted((one, other) => (one.slice(-7) + one < other.slice(-7) + other ? 1 : -1));
  const heading = "carrier,port,equipment,free_days,valid_from";
  await json("load", await file("t.csv", [heading, ...shuffled].join("\n")));
  type Row = Readonly<Record<"carrier" | "port" | "equipment" | "valid_from", string | null>>;
  const listed = ((await json("list")) as readonly Row[]).map(
    ({ carrier, port, equipment, valid_from: from }) =>
      `${carrier},${port ?? ""},${equipment ?? ""},7,${from}`,
  );
  assert.deepEqual(listed, lines);
});

test("a carrier missing from the carriers file is reported, and its tariffs are still loaded", async (t) => {
  const boathook = await openShell(t, "tariffs");
  const { environment, file } = boathook;
  const api = { api: "dcsa-tnt-2.2", baseUrl: "https://api.example/v2" };
  const carriers = [
    { scac: "HRNL", name: "Heron", ...api },
    { scac: "MSCU", name: "Tern", ...api },
  ];
  environment["BOATHOOK_CARRIERS_FILE"] = await file("carriers.json", JSON.stringify(carriers));
  const lines = ["HRNL", "HRLN", "MEDU", "MEDU"].map((scac, at) => `${scac},,7,,2026-01-0${at + 1}`);
  const csv = await file("t.csv", [HEADING, ...lines].join("\n"));
  const { status, out, err } = await boathook("load", csv);
  assert.deepEqual([status, out], [0, "Loaded 4 tariffs.\n"]);
  assert.match(
    err,
    /match no box yet, .* BOATHOOK_CARRIERS_FILE .*: HRLN, MEDU \(the file has this line as MSCU\)\.\n$/,
  );
  delete environment["BOATHOOK_CARRIERS_FILE"];
  assert.equal((await boathook("load", csv)).err, "", "without the file nothing can be said");
});

test("a file with a wrong line loads nothing, and every wrong line is reported", async (t) => {
  const boathook = await openShell(t, "tariffs");
  const { file, json } = boathook;
  const csv = await file(
    "t.csv",
    `${HEADING}\nHRNL,,7,,2026-01-01\nHRNL,X,5,,2026-01-01\nHRNL,,,,2026-02-01\n`,
  );
  const { status, err } = await boathook("load", csv);
  assert.equal(status, 1);
  assert.match(
    err,
    /^Nothing was loaded from .*t\.csv:\n {2}line 3: port must be .*\n {2}line 4: free_days is missing/,
  );
  assert.deepEqual(await json("list"), []);
});

test("a node reads the tariffs again every minute, and keeps them while the store is down", async (t) => {
  const boathook = await openShell(t, "tariffs");
  const { test: database, file, json } = boathook;
  const clock = manualClock();
  const log = recordingLog();
  let fault: Error | null = null;
  const reads: Promise<unknown>[] = [];
  const connection: Connection = {
    rows(statement, parameters) {
      const read = fault === null ? database.database.rows(statement, parameters) : Promise.reject(fault);
      reads.push(read.catch(() => undefined));
      return read;
    },
  };
  const book = await createTariffCache(
    { database: connection, clock, log, loops: unwatchedLoops },
    database.cells[0]!,
  );
  const freeDaysAfter = async (waitMs: number) => {
    await clock.advance(waitMs);
    await Promise.all(reads);
    return book.tariffs().map(({ freeDays }) => freeDays);
  };
  await json("load", await file("t.csv", `${HEADING}\nHRNL,,7,,2026-01-01\n`));
  assert.deepEqual([await freeDaysAfter(59_999), reads.length], [[], 1]);
  assert.deepEqual([await freeDaysAfter(1), reads.length], [[7], 2]);
  fault = new Error("down");
  assert.deepEqual([await freeDaysAfter(60_000), reads.length], [[7], 3]);
  assert.deepEqual(
    log.lines.map(({ message }) => message),
    ["the tariffs could not be read again"],
  );
  fault = null;
  await json("load", await file("t.csv", `${HEADING}\nHRNL,,9,,2026-01-01\n`));
  assert.deepEqual([await freeDaysAfter(60_000), reads.length], [[9], 4]);
  await book.stop();
  assert.deepEqual([await freeDaysAfter(600_000), reads.length], [[9], 4]);
});
