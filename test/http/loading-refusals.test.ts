/** What the routes of load plans refuse, and what they say of it (docs/load-planning.md). */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";

import { assertRefused } from "../support/answers.ts";
import { createCaller, send } from "../support/service.ts";
import { ofSuite } from "../support/suite.ts";
import { NOBODYS, PALLET, PLANS, REQUEST, startLoadingService } from "./loading-service.ts";

const [PLAIN] = REQUEST.cargo;
const DRUM = { shape: "cylinder", diameter_mm: 590, height_mm: 880, weight_kg: 190, count: 4 };
const box = (part: object) => ({ cargo: [{ ...PLAIN, ...part }] });
const drum = (part: object) => ({ cargo: [{ ...DRUM, ...part }] });
const two = (first: object, second: object) => ({ cargo: [{ ...PLAIN, ...first }, second] });
const units = (...containers: readonly object[]) => ({ containers });
const ONE = { ...PALLET, count: 1 };
const TRAILER = { type: "trailer", length_mm: 13_600, width_mm: 2_480, height_mm: 2_700 };

const WRONG: readonly (readonly [what: string, part: object, message: RegExp])[] = [
  ["no cargo", { cargo: undefined }, /body lacks cargo/],
  ["empty cargo", { cargo: [] }, /body\.cargo .*1 to 1000 lines/],
  ["no height", two({}, { ...ONE, height_mm: undefined }), /body\.cargo\[1\] lacks height_mm/],
  ["a height of nothing", box({ height_mm: 0 }), /body\.cargo\[0\]\.height_mm/],
  ["a height that is not whole", box({ height_mm: 10.5 }), /height_mm must be a whole number/],
  ["an endless height", box({ height_mm: 1e300 }), /body\.cargo\[0\]\.height_mm/],
  ["no pieces", box({ count: 0 }), /body\.cargo\[0\]\.count/],
  ["a weight below nothing", box({ weight_kg: -0.1 }), /body\.cargo\[0\]\.weight_kg/],
  ["no edge upright", box({ upright: [] }), /body\.cargo\[0\]\.upright .*at least one/],
  ["an edge that is none", box({ upright: ["depth"] }), /upright\[0\] must be one of length/],
  ["a field that is none", box({ heigth: 1 }), /body\.cargo\[0\] has no heigth/],
  ["no length", box({ length_mm: undefined }), /cargo\[0\] lacks length_mm; a cylinder needs/],
  ["a drum without a diameter", drum({ diameter_mm: null }), /cargo\[0\] lacks diameter_mm/],
  ["a drum without a height", drum({ height_mm: undefined }), /cargo\[0\] lacks height_mm/],
  ["a drum with a length", drum({ length_mm: 600 }), /cargo\[0\]\.length_mm must be left out/],
  ["a drum with a width", drum({ width_mm: 1 }), /cargo\[0\]\.width_mm must be left out/],
  ["a drum with edges", drum({ upright: ["width"] }), /\.upright must be left out; with lying/],
  ["a box with a diameter", box({ diameter_mm: 5 }), /diameter_mm .*add shape "cylinder"/],
  ["a box that lies", box({ lying: true }), /lying is for cylinders; name the edges/],
  ["a shape that is none", drum({ shape: "drum" }), /shape must be one of box, cylinder/],
  ["an id twice", two({}, PLAIN!), /body\.cargo\[1\]\.id must differ/],
  ["too many pieces", two({ count: 20_000 }, ONE), /20001 pieces/],
  [
    "an id that is another line's number",
    two({ id: "2" }, ONE),
    /\[1\]\.id must differ .*, so its number "2" is its id/,
  ],
  ["a container unknown", units({ type: "40XX" }), /containers\[0\]\.type must be one of 20GP/],
  [
    "an own container without a payload",
    units(TRAILER),
    /\[0\] lacks max_payload_kg: trailer is none of 20GP/,
  ],
  [
    "too wide a door",
    units({ type: "20GP", door_width_mm: 2_353 }),
    /\[0\]\.door_width_mm must be at most its width_mm, 2352/,
  ],
  ["one type in two spellings", units({ type: "40HC" }, { type: "40hq" }), /containers\[1\]\.type repeats/],
  ["no containers", { containers: [] }, /body\.containers .*1 to 20 types/],
  ["a cost for some", units({ type: "20GP", cost: 1 }, { type: "40GP" }), /all have a cost, or none/],
];

describe("load plans that are refused", () => {
  const service = ofSuite(() => startLoadingService());
  let key: string;
  before(async () => {
    ({ key } = await service.planner());
  });

  test("a method that a path does not support is refused, with the supported ones listed", async () => {
    for (const [method, path, allowed] of [
      ["DELETE", "", ["GET", "HEAD", "POST"]],
      ["PATCH", `/${NOBODYS}`, ["DELETE", "GET", "HEAD", "PUT"]],
    ] as const) {
      const answer = await service.ask(key, method, path);
      assertRefused(answer, 405, "METHOD_NOT_ALLOWED");
      assert.deepEqual(String(answer.headers["allow"]).split(", ").toSorted(), allowed);
    }
  });

  test("without the entitlement plans are read and deleted, and none is made", async () => {
    const { key: poor } = await createCaller(service, "loading");
    assertRefused(await service.ask(poor, "POST", "", REQUEST), 403, "ENTITLEMENT_REQUIRED");
    assertRefused(await service.ask(poor, "PUT", `/${NOBODYS}`, REQUEST), 403, "ENTITLEMENT_REQUIRED");
    assert.equal((await service.ask(poor, "GET")).status, 200);
    assert.equal((await service.ask(poor, "DELETE", `/${NOBODYS}`)).status, 404);
  });

  for (const [what, part, message] of WRONG)
    test(`a request with ${what} is refused, and the message says what to change`, async () => {
      assertRefused(
        await service.ask(key, "POST", "", { ...REQUEST, ...part }),
        400,
        "INVALID_REQUEST",
        message,
      );
      assert.deepEqual(service.raised, []);
    });

  test("a body too large for any plan, and one that is not sent as JSON, are refused as such", async () => {
    const large = await service.ask(key, "POST", "", { ...REQUEST, name: "x".repeat(600_000) });
    assertRefused(large, 413, "PAYLOAD_TOO_LARGE", /more than 512 KiB/);
    const { body: document } = await send(service.api, { method: "GET", url: "/loading/openapi.json" });
    for (const [method, url, path] of [
      ["POST", PLANS, "/v1/plans"],
      ["PUT", `${PLANS}/${NOBODYS}`, "/v1/plans/{id}"],
    ] as const) {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/xml" };
      const xml = await send(service.api, { method, url, headers, payload: "<plan/>" });
      assertRefused(xml, 415, "UNSUPPORTED_MEDIA_TYPE");
      const { responses } = document.paths[path][method.toLowerCase()];
      assert.equal(responses["415"].description, "UNSUPPORTED_MEDIA_TYPE");
    }
  });
});
