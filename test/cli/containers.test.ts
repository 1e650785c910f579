/** `boathook containers`, on a database of each test's own. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { createReferenceIndex } from "../../src/freight/reference-index/reference-index.ts";
import { startTracking } from "../../src/products/ocean/tracking/track.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { accountRead } from "../../src/store/accounts/accounts.sql.ts";
import type { Cell } from "../../src/store/cell.ts";
import { event, march } from "../ocean/event.ts";
import { box, record } from "../ocean/records.ts";
import { manualClock } from "../support/clock.ts";
import { query } from "../support/database.ts";
import { openShell, type Shell } from "./shell.ts";

const UNKNOWN_ID = "01890000-0000-7000-8000-000000000001";

type Account = { readonly id: string; readonly cell: Cell };

async function newAccount(boathook: Shell): Promise<Account> {
  const { id } = await boathook.json("accounts", "create", "Acme");
  const { database, cells } = boathook.test;
  const account = await accountRead(database, cells[0]!, id);
  return { id, cell: cells[account!.cell]! };
}

async function track(
  { test: { database, cells } }: Shell,
  account: Account,
  reference: string,
): Promise<string> {
  const random = systemRandom();
  const clock = manualClock();
  const index = createReferenceIndex({ database, cells, clock });
  const ports = { database, index, carriers: [], clock, random, unresolvedMax: 1_000, wake: () => undefined };
  const started = await startTracking(ports, account.cell, { accountId: account.id, reference });
  assert.ok(started.kind === "tracked");
  return started.shipment.id;
}

async function learn({ test: { address } }: Shell, { cell: { schema } }: Account, id: string): Promise<void> {
  const early = event("ARRI", "USOAK", march(20), { classifier: "estimated", early: true });
  const boxes = [box({ early: [early] }), box({ equipment: "MSCU1234566", status: "arriving" })];
  const known = { ...record(boxes), incomplete: true };
  await query(
    address,
    `update ${schema}.shipments set carrier = $2, status = $3, eta = $4, record = $5 where id = $1`,
    [id, known.carrier, known.status, new Date(known.eta!.at.ms), JSON.stringify(known)],
  );
  await query(
    address,
    `update ${schema}.polls set source = 'HRNL', refreshed_at = '2026-03-07T12:00:00Z', failures = 1,
     failure = 'unavailable_http_503' where shipment_id = $1`,
    [id],
  );
}

test("what an account tracks is listed, by any filters, with what exactly went wrong", async (t) => {
  const boathook = await openShell(t);
  const [account, other] = [await newAccount(boathook), await newAccount(boathook)];
  const bill = await track(boathook, account, "HRNL123456");
  const pending = await track(boathook, account, "CSQU3054383");
  await track(boathook, other, "CSQU3054383");
  await learn(boathook, account, bill);
  const list = (...words: string[]) => boathook.json("containers", "list", "--account", account.id, ...words);
  const ids = async (...words: string[]) => (await list(...words)).map(({ id }: { id: string }) => id);
  assert.deepEqual((await ids()).toSorted(), [bill, pending].toSorted());
  assert.deepEqual(await ids("--status", "in_transit"), [bill]);
  assert.deepEqual(await ids("--carrier", "hrnl"), [bill]);
  assert.deepEqual(await ids("--reference", "csqu 305438-3"), [pending]);
  assert.equal((await ids("--limit", "1")).length, 1);
  const [shown] = await list("--status", "in_transit");
  assert.deepEqual([shown.failure, shown.last_failure.code], ["unavailable_http_503", "unavailable"]);
  const { out } = await boathook("containers", "list", "--account", account.id, "--status", "in_transit");
  assert.match(
    out,
    new RegExp(
      `^ID .*\n${bill} +HRNL123456 +HRNL +in_transit +2026-03-20T12:00:00Z +2026-03-07T12:00:00Z +It failed on its own side\\.\n$`,
    ),
  );
  assert.match((await boathook("status")).out, /^HRNL +1 +It failed on its own side\.$/m);
});

test("a container is shown with its way, its boxes and what happened to them", async (t) => {
  const boathook = await openShell(t);
  const account = await newAccount(boathook);
  const id = await track(boathook, account, "HRNL123456");
  const before = await boathook("containers", "show", id);
  assert.match(before.out, /Status +pending\n/);
  await learn(boathook, account, id);
  const { out } = await boathook("containers", "show", id);
  assert.match(out, /Route +JPYOK > KRPUS > USOAK\n/);
  assert.match(out, /Vessel +HERON ONE 012E\n/);
  assert.match(out, /Called actual +\S.* USOAK 2026-03-20T12:00:00Z, in the future\n/);
  assert.match(out, /Incomplete +the carrier cut its last answer\n/);
  assert.match(out, /\nMSCU1234566 +arriving +2026-03-20T12:00:00Z\n/);
  const [first, last] = [
    "2026-03-18T12:00:00Z +2026-03-01T12:00:00Z",
    "2026-03-20T12:00:00Z +2026-03-05T12:00:00Z",
  ];
  assert.match(out, new RegExp(`\nESTIMATED ARRIVAL +SEEN\n${first}\n${last}\n`.replaceAll("\n", "\\n")));
  assert.match(out, /\n2026-03-05T12:00:00Z +actual +CSQU3054383 +Loading on vessel +JPYOK +HERON ONE\n/);
  const json = await boathook.json("containers", "show", id.toUpperCase());
  assert.deepEqual([json.id, json.account_id, json.boxes.length, json.early.length], [id, account.id, 2, 1]);
  assert.equal(json.incomplete, true);
});

test("a container is made due, and is gone when it is stopped", async (t) => {
  const boathook = await openShell(t);
  const account = await newAccount(boathook);
  const id = await track(boathook, account, "CSQU3054383");
  assert.deepEqual(await boathook.json("containers", "recheck", id), { id, queued: true });
  const due = await query(
    boathook.test.address,
    `select next_poll_at from ${account.cell.schema}.polls where shipment_id = $1`,
    [id],
  );
  assert.deepEqual(due.rows, [{ next_poll_at: new Date(0) }]);
  assert.equal((await boathook("containers", "stop", id)).out, `Tracking of ${id} has stopped.\n`);
  for (const verb of ["show", "recheck", "stop"]) {
    const { status, err } = await boathook("containers", verb, id);
    assert.deepEqual([status, err], [1, `There is no container ${id}.\n`]);
  }
  assert.deepEqual(await boathook.json("containers", "list", "--account", account.id), []);
});

test("a container is found by its reference, and by its account where several track it", async (t) => {
  const boathook = await openShell(t);
  const [account, other] = [await newAccount(boathook), await newAccount(boathook)];
  const id = await track(boathook, account, "CSQU3054383");
  assert.equal((await boathook.json("containers", "show", "csqu 305438-3")).id, id);
  const theirs = await track(boathook, other, "CSQU3054383");
  const both = await boathook("containers", "stop", "CSQU3054383");
  assert.equal(both.status, 2);
  assert.match(both.err, /^--account must name one: several accounts track CSQU3054383 /);
  for (const one of [account, other]) assert.ok(both.err.includes(one.id));
  const stopped = await boathook.json("containers", "stop", "CSQU3054383", "--account", other.id);
  assert.deepEqual(stopped, { id: theirs, deleted: true });
  assert.deepEqual(await boathook.json("containers", "recheck", "CSQU3054383"), { id, queued: true });
  const none = await boathook("containers", "show", "CSQU3054383", "--account", other.id);
  assert.deepEqual([none.status, none.err], [1, "There is no container CSQU3054383.\n"]);
});

test("the container commands report each refusal in one sentence", async (t) => {
  const boathook = await openShell(t);
  const { id } = await newAccount(boathook);
  const refusals: readonly (readonly [words: string[], message: RegExp, status: number])[] = [
    [["list", "--account", id, "--status", "lost"], /^Option '--status .* one of pending, /, 2],
    [["list", "--account", id, "--carrier", "%"], /^--carrier must be a SCAC/, 2],
    [["list", "--account", id, "--reference", "CSQU3054384"], /^--reference .* should be 3/, 2],
    [["show", "../x"], /is not the id of a container/, 1],
    [["stop", UNKNOWN_ID], /^There is no container/, 1],
  ];
  for (const [words, message, status] of refusals) {
    const ran = await boathook("containers", ...words);
    assert.match(ran.err, message, words.join(" "));
    assert.deepEqual([ran.status, ran.out], [status, ""]);
  }
});

test("milestones are imported from a file, and what is refused is reported by line and column", async (t) => {
  const boathook = await openShell(t);
  const account = await newAccount(boathook);
  const id = await track(boathook, account, "HRNU4000017");
  const rows = "HRNU4000017,gate_in,2026-03-01 08:00,NLRTM\nHRNU4000018,gate_in,2026-03-01 08:00,NLRTM\n";
  const csv = await boathook.file("milestones.csv", `container,milestone,time,location\n${rows}`);
  const first = await boathook("containers", "import", csv, "--source", "sheet");
  assert.equal(first.status, 1);
  assert.match(first.out, /^Imported 1 milestones; 0 were known, 1 refused\.\n$/);
  assert.match(
    first.err,
    /^Problems:\n {2}line 3, column 1: container is wrong: HRNU4000018 is no container number/,
  );
  const { schema } = account.cell;
  const { rows: due } = await query(
    boathook.test.address,
    `select extract(epoch from next_poll_at) as at from ${schema}.polls where shipment_id = $1`,
    [id],
  );
  assert.ok(Number(due[0].at) < 1, "the shipment is due before all others");
  const edi =
    "UNH+1+IFTSTA:D:00B:UN'BGM+23+1+9'STS+1+I'DTM+334:202603010800:203'LOC+9+NLRTM'EQD+CN+HRNU4000017'UNT+6+1'";
  const edifact = await boathook.file("status.edi", edi);
  const again = await boathook.json("containers", "import", edifact, "--source", "sheet");
  assert.deepEqual(again, { accepted: 1, refused: 0, duplicates: 1, problems: [] });
  for (const [path, source, message] of [
    [csv, "A sheet", /--source must be 1 to 63 small letters/],
    [await boathook.file("milestones.xlsx", "PK"), "sheet", /must be a file named \.csv, \.json, \.edi/],
    [await boathook.file("empty.edi", "PK"), "sheet", /^Nothing was imported from .*: it is no EDIFACT/],
  ] as const) {
    const refused = await boathook("containers", "import", path, "--source", source);
    assert.match(refused.err, message);
    assert.notEqual(refused.status, 0);
  }
});

test("a file of more milestones than a request may have is imported in parts, and again without any change", async (t) => {
  const boathook = await openShell(t);
  const lines = 12_000;
  const rows = Array.from(
    { length: lines },
    (_, at) =>
      `HRNU4000017,gate_in,${new Date(Date.UTC(2026, 0, 1) + at * 1_000).toISOString()},B${10_000 + at}`,
  );
  const csv = await boathook.file("many.csv", `container,milestone,time,booking\n${rows.join("\n")}\n`);
  const words = ["containers", "import", csv, "--source", "sheet"] as const;
  assert.deepEqual(await boathook.json(...words), {
    ...{ accepted: lines, refused: 0, duplicates: 0, problems: [] },
  });
  assert.equal(((await boathook.json(...words)) as { duplicates: number }).duplicates, lines);
});
