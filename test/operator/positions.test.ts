/** `POST /v1/vessels/positions`: what the operator's own AIS stream says. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { StoreUnavailable } from "../../src/model/errors.ts";
import { readReports } from "../../src/products/ocean/store/vessels.ts";
import { assertRefused } from "../support/answers.ts";
import { ofSuite } from "../support/suite.ts";
import { sendAsOperator, startService } from "../support/service.ts";

describe("positions of vessels", () => {
  const service = ofSuite(() => startService());

  const tell = (body: object | string) => sendAsOperator(service, "POST", "/v1/vessels/positions", body);
  const at = (minutes: number) => new Date(service.clock.nowMs() + minutes * 60_000).toISOString();
  const known = async () => {
    const rows = await readReports(
      service.test.database,
      service.test.cells[0]!,
      { writtenMs: 0, seenMs: 0 },
      10_000,
    );
    return rows
      .toSorted((a, b) => (a.imo < b.imo ? -1 : 1))
      .map(({ imo, status, seenAtMs }) => [imo, status, new Date(seenAtMs).toISOString()]);
  };

  test("the latest report on each vessel is kept, whatever comes after it", async () => {
    const first = await tell({
      positions: [
        { imo: "9321483", status: 0, at: at(-9) },
        { imo: 9321483, status: "Moored", at: at(-5), speed: 0 },
        { imo: "IMO 9074729", status: "AT_ANCHOR", at: at(-7) },
      ],
    });
    assert.deepEqual([first.status, first.body], [202, { accepted: 2, outdated: 1 }]);
    const second = await tell({
      positions: [
        { imo: "9321483", status: 1, at: at(-6) },
        { imo: "9074729", status: 5, at: at(-1) },
      ],
    });
    assert.deepEqual([second.status, second.body], [202, { accepted: 1, outdated: 1 }]);
    assert.deepEqual(await known(), [
      ["9074729", 5, at(-1)],
      ["9321483", 5, at(-5)],
    ]);
  });

  test("what is wrong is refused with its place and what to change, and nothing is kept of the request", async () => {
    const kept = await known();
    const good = { imo: "9321484", status: 1, at: at(0) };
    for (const [body, message] of [
      [[], /^send \{"positions"/],
      [{ positions: {} }, /^send \{"positions"/],
      [{ positions: [] }, /^positions must hold 1 to 1000 positions, not 0/],
      [{ positions: Array.from({ length: 1_001 }, () => good) }, /not 1001; send more in further requests/],
      [{ positions: [good, null] }, /^positions\[1\] must be an object/],
      [{ positions: [good, { ...good, imo: "123" }] }, /^positions\[1\]\.imo must be .* seven digits/],
      [{ positions: [{ ...good, status: 16 }] }, /^positions\[0\]\.status must be .* M\.1371/],
      [{ positions: [{ ...good, status: "parked" }] }, /^positions\[0\]\.status /],
      [{ positions: [{ ...good, at: "now" }] }, /^positions\[0\]\.at must be an RFC 3339 date-time/],
      [{ positions: [{ ...good, at: at(6) }] }, /^positions\[0\]\.at .* not in the future/],
      [{ positions: [{ ...good, at: 1_770_000_000 }] }, /^positions\[0\]\.at /],
    ] as const) {
      const answer = await tell(body);
      assertRefused(answer, 400, "INVALID_REQUEST", message);
    }
    assert.deepEqual(await known(), kept);
  });

  test("a thousand are taken at once", async () => {
    const positions = Array.from({ length: 1_000 }, (_, index) => ({
      imo: String(8_000_000 + index),
      status: index % 16,
      at: at(0),
    }));
    assert.deepEqual((await tell({ positions })).body, { accepted: 1_000, outdated: 0 });
  });

  test("nothing is taken without the operator's token, or while the database is away", async () => {
    const body = { positions: [{ imo: "9321483", status: 1, at: at(0) }] };
    const nobody = await service.ops.inject({ method: "POST", url: "/v1/vessels/positions", payload: body });
    assert.equal(nobody.statusCode, 401);
    service.fault = new StoreUnavailable("it is away");
    const answer = await tell(body);
    service.fault = null;
    assertRefused(answer, 503, "UNAVAILABLE");
  });
});
