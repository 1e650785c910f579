/** What the routes of load plans refuse, and what they say of it (docs/load-planning.md). */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import { createCaller, send } from "../support/service.ts";
import {
  NOBODYS,
  PALLET,
  PLANS,
  REQUEST,
  startLoadingService,
  type LoadingService,
} from "./loading-service.ts";

describe("load plans that are refused", () => {
  let service: LoadingService;
  before(async () => {
    service = await startLoadingService();
  });
  after(() => service.close());

  test("plans take a key of load planning alone, in either header", async () => {
    const { key } = await service.planner();
    const other = await createCaller(service, "tracking", ["loading"]);
    assert.equal((await service.ask(other.key, "POST", "", REQUEST)).status, 401);
    const get = (headers: Readonly<Record<string, string>>) =>
      send(service.api, { method: "GET", url: PLANS, headers });
    assert.equal((await get({ "x-api-key": key })).status, 200);
    assert.equal((await get({})).status, 401);
  });

  test("a method that a path does not support is refused, with the supported ones listed", async () => {
    const { key } = await service.planner();
    for (const [method, path, allowed] of [
      ["DELETE", "", ["GET", "HEAD", "POST"]],
      ["PATCH", `/${NOBODYS}`, ["DELETE", "GET", "HEAD", "PUT"]],
    ] as const) {
      const { status, body, headers } = await service.ask(key, method, path);
      assert.deepEqual([status, body.error.code], [405, "METHOD_NOT_ALLOWED"]);
      assert.deepEqual(String(headers["allow"]).split(", ").toSorted(), allowed);
    }
  });

  test("without the entitlement plans are read and deleted, and none is made", async () => {
    const { key } = await createCaller(service, "loading");
    for (const [method, path] of [
      ["POST", ""],
      ["PUT", `/${NOBODYS}`],
    ] as const) {
      const answered = await service.ask(key, method, path, REQUEST);
      assert.deepEqual([answered.status, answered.body.error.code], [403, "ENTITLEMENT_REQUIRED"]);
    }
    assert.equal((await service.ask(key, "GET")).status, 200);
    assert.equal((await service.ask(key, "DELETE", `/${NOBODYS}`)).status, 404);
  });

  const cargo = REQUEST.cargo[0]!;
  const DRUM = { shape: "cylinder", diameter_mm: 590, height_mm: 880, weight_kg: 190, count: 4 };
  for (const [what, wrong, message] of [
    ["no cargo", { cargo: undefined }, /body lacks cargo/],
    ["empty cargo", { cargo: [] }, /body\.cargo .*1 to 1000 lines/],
    ["no height", { cargo: [cargo, { ...cargo, height_mm: undefined }] }, /body\.cargo\[1\] lacks height_mm/],
    ["a height of nothing", { cargo: [{ ...cargo, height_mm: 0 }] }, /body\.cargo\[0\]\.height_mm/],
    ["a negative height", { cargo: [{ ...cargo, height_mm: -1 }] }, /body\.cargo\[0\]\.height_mm/],
    [
      "a height that is not whole",
      { cargo: [{ ...cargo, height_mm: 10.5 }] },
      /height_mm must be a whole number/,
    ],
    ["an endless height", { cargo: [{ ...cargo, height_mm: 1e300 }] }, /body\.cargo\[0\]\.height_mm/],
    ["a height in words", { cargo: [{ ...cargo, height_mm: "100" }] }, /height_mm must be a whole number/],
    ["no pieces", { cargo: [{ ...cargo, count: 0 }] }, /body\.cargo\[0\]\.count/],
    ["a weight below nothing", { cargo: [{ ...cargo, weight_kg: -0.1 }] }, /body\.cargo\[0\]\.weight_kg/],
    ["no edge upright", { cargo: [{ ...cargo, upright: [] }] }, /body\.cargo\[0\]\.upright .*at least one/],
    [
      "an edge that is none",
      { cargo: [{ ...cargo, upright: ["depth"] }] },
      /upright\[0\] must be one of length/,
    ],
    ["a field that is none", { cargo: [{ ...cargo, heigth: 1 }] }, /body\.cargo\[0\] has no heigth/],
    [
      "no length",
      { cargo: [{ ...cargo, length_mm: undefined }] },
      /cargo\[0\] lacks length_mm; a cylinder needs/,
    ],
    [
      "a drum without a diameter",
      { cargo: [{ ...DRUM, diameter_mm: null }] },
      /cargo\[0\] lacks diameter_mm/,
    ],
    ["a drum without a height", { cargo: [{ ...DRUM, height_mm: undefined }] }, /cargo\[0\] lacks height_mm/],
    [
      "a drum with a length",
      { cargo: [{ ...DRUM, length_mm: 600 }] },
      /cargo\[0\]\.length_mm must be left out/,
    ],
    ["a drum with a width", { cargo: [{ ...DRUM, width_mm: 1 }] }, /cargo\[0\]\.width_mm must be left out/],
    [
      "a drum with edges",
      { cargo: [{ ...DRUM, upright: ["width"] }] },
      /\.upright must be left out; with lying/,
    ],
    [
      "a box with a diameter",
      { cargo: [{ ...cargo, diameter_mm: 5 }] },
      /diameter_mm .*add shape "cylinder"/,
    ],
    ["a box that lies", { cargo: [{ ...cargo, lying: true }] }, /lying is for cylinders; name the edges/],
    ["a shape that is none", { cargo: [{ ...DRUM, shape: "drum" }] }, /shape must be one of box, cylinder/],
    ["an id twice", { cargo: [cargo, cargo] }, /body\.cargo\[1\]\.id must differ/],
    [
      "too many pieces",
      {
        cargo: [
          { ...cargo, count: 20_000 },
          { ...PALLET, count: 1 },
        ],
      },
      /20001 pieces/,
    ],
    [
      "an id that is the number of a line without one",
      {
        cargo: [
          { ...cargo, id: "2" },
          { ...PALLET, count: 1 },
        ],
      },
      /body\.cargo\[1\]\.id must differ .*; cargo\[1\] has no id, so its number "2" is its id/,
    ],
    ["a container unknown", { containers: [{ type: "40XX" }] }, /containers\[0\]\.type must be one of 20GP/],
    [
      "a container of its own without a payload",
      { containers: [{ type: "trailer", length_mm: 13_600, width_mm: 2_480, height_mm: 2_700 }] },
      /body\.containers\[0\] lacks max_payload_kg: trailer is none of 20GP/,
    ],
    [
      "a door wider than its container",
      { containers: [{ type: "20GP", door_width_mm: 2_353 }] },
      /containers\[0\]\.door_width_mm must be at most its width_mm, 2352/,
    ],
    [
      "a door higher than its container",
      { containers: [{ type: "40HC", height_mm: 2_698, door_height_mm: 2_699 }] },
      /containers\[0\]\.door_height_mm must be at most its height_mm, 2698/,
    ],
    [
      "one type in two spellings",
      { containers: [{ type: "40HC" }, { type: "40hq" }] },
      /containers\[1\]\.type repeats/,
    ],
    ["a container twice", { containers: [{ type: "20GP" }, { type: "20GP" }] }, /containers\[1\]\.type/],
    ["no containers", { containers: [] }, /body\.containers .*1 to 20 types/],
    [
      "a cost for some",
      { containers: [{ type: "20GP", cost: 1 }, { type: "40GP" }] },
      /all have a cost, or none/,
    ],
  ] as const) {
    test(`a request with ${what} is refused, and the message says what to change`, async () => {
      const { key, accountId } = await service.planner();
      const answered = await service.ask(key, "POST", "", { ...REQUEST, ...wrong });
      assert.deepEqual([answered.status, answered.body.error?.code], [400, "INVALID_REQUEST"]);
      assert.match(answered.body.error.message, message);
      assert.ok(!service.raised.some((event) => event.accountId === accountId));
    });
  }

  test("a body too large for any plan is refused as such", async () => {
    const { key } = await service.planner();
    const answered = await service.ask(key, "POST", "", { ...REQUEST, name: "x".repeat(600_000) });
    assert.deepEqual([answered.status, answered.body.error.code], [413, "PAYLOAD_TOO_LARGE"]);
    assert.match(answered.body.error.message, /more than 512 KiB/);
  });

  test("a body that is not sent as JSON is refused as such, which the document of the API lists", async () => {
    const { key } = await service.planner();
    const { body: document } = await send(service.api, { method: "GET", url: "/loading/openapi.json" });
    for (const [method, url, path] of [
      ["POST", PLANS, "/v1/plans"],
      ["PUT", `${PLANS}/${NOBODYS}`, "/v1/plans/{id}"],
    ] as const) {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/xml" };
      const answered = await send(service.api, { method, url, headers, payload: "<plan/>" });
      assert.deepEqual([answered.status, answered.body.error.code], [415, "UNSUPPORTED_MEDIA_TYPE"]);
      const { responses } = document.paths[path][method.toLowerCase()];
      assert.equal(responses["415"].description, "UNSUPPORTED_MEDIA_TYPE");
    }
  });
});
