/** Rates of contracts, of the spot market and of commodities, side by side on one trade lane (docs/rates.md). */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { rateRoutes } from "../../src/products/rates/routes/routes.ts";
import { createCaller, OPERATOR_TOKEN, send, sendWithKey, startService } from "../support/service.ts";
import type { TestService } from "../support/service.ts";

const HEADING =
  "origin,destination,equipment,carrier,currency,kind,contract,commodity,valid_from,base,transit_days";

/** The clock of the tests stands at noon of 2026-11-02. */
const FILE = `${HEADING},destination_demurrage_free_days,destination_detention_free_days,origin_combined_free_days
CNSHA,NLRTM,40HC,HRNL,USD,,,,2026-11-01,2000,,,,
CNSHA,NLRTM,40HC,HRNL,USD,contract,sc-118,,2026-11-01,1900,32,7,5,10
CNSHA,NLRTM,40HC,HRNL,USD,,SC-119 Acme,freight all kinds,2026-11-01,1850,32,,,
CNSHA,NLRTM,40HC,HRNL,USD,Contract,SC-118,garden  furniture,2026-11-01,1800,32,,,
CNSHA,NLRTM,40HC,HRNL,USD,spot,,FAK,2026-11-01,1700,28,3,,
`;

describe("rates of contracts, of the spot market and of commodities", () => {
  let service: TestService;
  let key: string;
  before(async () => {
    service = await startService({ productRoutes: new Map([["rates", rateRoutes()]]) });
    ({ key } = await createCaller(service, "rates", ["freightrates"]));
  });
  after(() => service.close());

  const push = (payload: string, type = "text/csv") =>
    send(service.ops, {
      method: "POST",
      url: "/v1/rates",
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, "content-type": type },
      payload,
    });
  const get = (path: string) => sendWithKey(service, key, "GET", `/rates/v1${path}`);
  const lanes = async (filter: string) => {
    const { status, body } = await get(`/lanes${filter}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data.map((lane: Record<string, string>) => [
      ...[lane["kind"], lane["contract"], lane["commodity"]],
      (lane["rate"] as unknown as { total: string }).total,
    ]);
  };

  test("stand side by side, are filtered apart, and replace only their own", async () => {
    assert.deepEqual((await push(FILE)).body, {
      ...{ lines: 5, loaded: 5, replaced: 0, unchanged: 0, changes: 0, refused: 0, problems: [] },
    });
    const [plain, contract, acme, furniture, spot] = [
      [null, null, "FAK", "2000.00"],
      ["contract", "SC-118", "FAK", "1900.00"],
      ["contract", "SC-119 ACME", "FAK", "1850.00"],
      ["contract", "SC-118", "GARDEN FURNITURE", "1800.00"],
      ["spot", null, "FAK", "1700.00"],
    ];
    const all = [plain, contract, furniture, acme, spot];
    for (const [filter, expected] of [
      ["", all],
      ["?destination=NLRTM", all],
      ["?kind=contract", [contract, furniture, acme]],
      ["?kind=SPOT&destination=NLRTM", [spot]],
      ["?kind=none", [plain]],
      ["?contract=sc-118", [contract, furniture]],
      ["?contract=SC-119%20Acme&destination=NLRTM", [acme]],
      ["?commodity=fak", [plain, contract, acme, spot]],
      ["?commodity=Garden%20furniture&destination=NLRTM", [furniture]],
      ["?commodity=tea", []],
    ] as const)
      assert.deepEqual(await lanes(filter), expected, filter);
    assert.equal((await push(FILE)).body.unchanged, 5, "the same again, as it is spelt");
    const changed = await push(`${HEADING}\nCNSHA,NLRTM,40HC,HRNL,USD,spot,,,2026-11-01,1650,28`);
    assert.deepEqual([changed.body.replaced, changed.body.changes], [1, 1]);
    assert.deepEqual(await lanes(""), [...all.slice(0, 4), ["spot", null, "FAK", "1650.00"]]);
  });

  test("have a transit time and free days, in lanes, history and what was loaded; their change alone raises nothing", async () => {
    const days = async (path: string) => {
      const { body } = await get(path);
      const [first] = body.data as Record<string, unknown>[];
      const rate = (first!["rate"] ?? first) as Record<string, unknown>;
      return Object.entries(rate).filter(([name, value]) => name.endsWith("_days") && value !== null);
    };
    const found = await get("/lanes?contract=SC-118&commodity=FAK");
    const [{ id }] = found.body.data;
    const stated = [
      ["transit_days", 32],
      ["origin_combined_free_days", 10],
      ["destination_demurrage_free_days", 7],
      ["destination_detention_free_days", 5],
    ];
    assert.deepEqual(await days("/lanes?contract=SC-118&commodity=FAK"), stated);
    assert.deepEqual(await days(`/lanes/${id}/history`), stated);
    const better = `${HEADING},destination_combined_free_days\nCNSHA,NLRTM,40HC,HRNL,USD,,SC-118,,2026-11-01,1900,30,14`;
    const { body } = await push(better);
    assert.deepEqual([body.replaced, body.changes], [1, 0]);
    assert.deepEqual(await days("/rates"), [
      ["transit_days", 30],
      ["destination_combined_free_days", 14],
    ]);
  });

  test("are refused by line, with what to change", async () => {
    const fields = { origin: "CNSHA", destination: "NLRTM", equipment: "40HC", currency: "USD", base: "1" };
    const message = async (more: object) => {
      const { status, body } = await push(
        JSON.stringify([{ ...fields, valid_from: "2026-11-01", ...more }]),
        "application/json",
      );
      assert.deepEqual([status, body.problems.length, body.problems[0]?.line], [400, 1, 1]);
      return body.problems[0].message;
    };
    for (const [more, expected] of [
      [{ kind: "tariff" }, /^kind must be contract or spot, or left out, not "tariff"/],
      [{ kind: "spot", contract: "7" }, /^contract is of contract rates: leave it out of a spot rate/],
      [{ contract: "x".repeat(61) }, /^contract must be a number or name of at most 60 characters/],
      [{ commodity: "a\u0000b" }, /^commodity must be at most 60 characters, or left out for FAK/],
      [{ commodity: ["FAK"] }, /^commodity must be a plain value/],
      [{ transit_days: "4 weeks" }, /^transit_days must be a whole number of days, at most 365/],
      [{ transit_days: 366 }, /^transit_days must be/],
      [{ origin_detention_free_days: -1 }, /^origin_detention_free_days must be/],
      [
        { destination_combined_free_days: 9, destination_detention_free_days: 0 },
        /^destination_combined_free_days is of demurrage and detention together: leave it or those out/,
      ],
      [{ layer: "special" }, /^layer must be standard or promotion, or left out for standard/],
      [{ layer: "bullet" }, /^valid_to is missing: a promotion ends, and gives the standard rate back/],
    ] as const)
      assert.match(await message(more), expected);
    for (const [filter, expected] of [
      ["?kind=tariff", /^query\.kind must be contract, spot or none/],
      [`?contract=${"x".repeat(61)}`, /^query\.contract must be/],
      ["?commodity=%00", /^query\.commodity must be/],
    ] as const) {
      const { status, body } = await get(`/lanes${filter}`);
      assert.equal(status, 400);
      assert.match(body.error.message, expected);
    }
  });
});
