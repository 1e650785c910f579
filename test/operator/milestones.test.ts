/** `POST /v1/tracking/milestones` (docs/importing-milestones.md): what is imported is durable before 202. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { createReferenceIndex } from "../../src/freight/reference-index/reference-index.ts";
import { createImportedReader } from "../../src/products/ocean/sources/imported/read-imported.ts";
import type { Cells } from "../../src/store/cell.ts";
import { ofSuite } from "../support/suite.ts";
import { unwatchedLoops } from "../support/loops.ts";
import { OPERATOR_TOKEN, send, sendAsOperator, startService } from "../support/service.ts";
import { createRetention } from "../../src/freight/work/retention.ts";
import { importedMilestonePrune } from "../../src/products/ocean/store/imported-milestones.sql.ts";
import { IMPORTS_KEPT_MS } from "../../src/products/ocean/sources/imported/import-milestones.ts";

const DAY_MS = 86_400_000;
const row = (container: string, more: object = {}) => ({
  ...{ container, milestone: "gate_in", time: "2026-10-01 08:00", location: "NLRTM", ...more },
});

describe("milestones that operators import", () => {
  const service = ofSuite(() => startService());

  const push = (payload: string | Buffer, type: string | null, source = "sheet") =>
    send(service.ops, {
      method: "POST",
      url: `/v1/tracking/milestones?source=${source}`,
      headers: {
        authorization: `Bearer ${OPERATOR_TOKEN}`,
        ...(type === null ? {} : { "content-type": type }),
      },
      payload,
    });
  const pushRows = (...milestones: readonly object[]) =>
    push(JSON.stringify({ milestones }), "application/json");
  const storedOf = async (reference: string) => {
    const { test: stored, clock } = service;
    const index = createReferenceIndex({ ...stored, clock });
    await index.refresh();
    const read = createImportedReader(
      { database: stored.database, index, clock },
      { batchMax: 10, gatherMs: 0 },
    );
    return (await read([reference])).statements;
  };

  test("each format is stored before 202, under the container, the bill and the booking, as of its source", async () => {
    const csv =
      "container,milestone,time,location,bill,booking,carrier\nHRNU4000017,gate_in,2026-10-01 08:00,NLRTM,HRNL4000017,HRN0040001,HRNL\n";
    assert.deepEqual((await push(csv, "text/csv; charset=utf-8", "sheet")).body, {
      ...{ accepted: 1, refused: 0, duplicates: 0, problems: [] },
    });
    const message =
      "UNH+1+IFTSTA:D:00B:UN'BGM+23+1+9'STS+1+AE'DTM+334:202610020800:203'LOC+9+NLRTM'EQD+CN+HRNU4000017'UNT+6+1'";
    assert.equal((await push(message, "application/edifact", "edi-provider")).status, 202);
    assert.equal((await pushRows(row("HRNU4000017", { milestone: "departed" }))).status, 202);
    const stored = await storedOf("HRNU4000017");
    assert.deepEqual(stored.map(({ event }) => `${event.code} ${event.source}`).toSorted(), [
      "DEPA sheet",
      "GTIN sheet",
      "LOAD edi-provider",
    ]);
    for (const reference of ["HRNL4000017", "4000017", "HRN0040001"])
      assert.deepEqual(
        (await storedOf(reference)).map(({ event }) => event.code),
        ["GTIN"],
        reference,
      );
  });

  test("what comes again is kept once and counted, also within one import", async () => {
    const one = row("HRNU4000022");
    assert.deepEqual((await pushRows(one, one)).body.duplicates, 1);
    const { accepted, duplicates } = (await pushRows(one, row("HRNU4000022", { milestone: "gate_out" })))
      .body;
    assert.deepEqual([accepted, duplicates], [2, 1]);
    assert.equal((await storedOf("HRNU4000022")).length, 2);
  });

  test("good rows are stored beside refused ones", async () => {
    const { status, body } = await pushRows(row("HRNU4000018"), row("HRNU4000038"), {});
    assert.deepEqual([status, body.accepted, body.refused], [202, 1, 2]);
    assert.equal((await storedOf("HRNU4000038")).length, 1);
  });

  test("nothing is stored of what cannot be read at all, and the message says why", async () => {
    for (const [payload, type, status, message] of [
      ["", "text/csv", 400, /nothing was imported: line 1: it must name the columns/],
      ["container\nHRNU4000017\n", "text/csv", 400, /there is no column milestone, time/],
      ["{}", "application/json", 400, /it must be a list of milestones/],
      ["[", "application/json", 400, /it is no JSON/],
      ["hello", "application/edifact", 400, /it must begin with UNA, UNB or UNH/],
      [
        "x",
        "text/html",
        415,
        /send milestones with content-type: text\/csv, application\/json or application\/edifact/,
      ],
      ["x", null, 415, /content-type/],
      ["x".repeat(4 * 1024 * 1024 + 1), "text/csv", 413, /4096 KiB/],
    ] as const) {
      const answer = await push(payload, type);
      assert.equal(answer.status, status, `${type} ${payload.slice(0, 20)}`);
      assert.match(answer.body.error.message, message);
    }
  });

  test("the source is named, and the token asked for", async () => {
    for (const source of ["", "A B", "-x", "x".repeat(64)])
      assert.equal((await push("[]", "application/json", encodeURIComponent(source))).status, 400, source);
    assert.equal((await sendAsOperator(service, "POST", "/v1/tracking/milestones", {})).status, 400);
    const nobody = await send(service.ops, {
      method: "POST",
      url: "/v1/tracking/milestones?source=x",
      payload: "x",
    });
    assert.equal(nobody.status, 401);
  });

  test("statements are deleted ninety days after they came last", async () => {
    await pushRows(row("HRNU4000043"));
    const retention = createRetention(
      {
        ...service.test,
        cells: service.test.cells as Cells,
        clock: service.clock,
        log: service.log,
        loops: unwatchedLoops,
      },
      "imported milestones",
      IMPORTS_KEPT_MS,
      importedMilestonePrune,
    );
    retention.start();
    await service.clock.advance(89 * DAY_MS);
    await pushRows(row("HRNU4000059"));
    assert.equal((await storedOf("HRNU4000043")).length, 1);
    const isDeleted = async () => (await storedOf("HRNU4000043")).length === 0;
    await service.clock.until(isDeleted, "the deletion", 3 * DAY_MS);
    assert.equal((await storedOf("HRNU4000059")).length, 1);
    await retention.stop();
  });
});
