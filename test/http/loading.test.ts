/** The routes of load plans (docs/load-planning.md). */
import assert from "node:assert/strict";
import { beforeEach, describe, test, before } from "node:test";

import Schema from "typebox/schema";

import { deliverySchema } from "../../src/model/delivery-schema.ts";
import { loading } from "../../src/products/loading/catalogue.ts";
import { buildDeliveryBody } from "../../src/model/delivery-body.ts";
import { assertDocumented, assertRefused } from "../support/answers.ts";
import { type Method, sendWithKey, createCaller, send } from "../support/service.ts";
import { ofSuite } from "../support/suite.ts";
import { errorsOfPlan } from "../loading/plan-errors.ts";
import { updatePlan } from "../../src/products/loading/store/plans.ts";
import { NOBODYS, PALLET, REQUEST, startLoadingService, PLANS } from "./loading-service.ts";
import { column } from "../support/columns.ts";
import { planGet } from "../../src/products/loading/store/plans.sql.ts";

describe("load plans", () => {
  const service = ofSuite(() => startLoadingService());
  let key: string;
  let accountId: string;
  beforeEach(async () => {
    ({ key, accountId } = await service.planner());
  });

  const ask = (method: Method, path = "", payload?: object) => service.ask(key, method, path, payload);
  const make = async (request: object = REQUEST) => (await ask("POST", "", request)).body.data;
  const raised = () => service.raised.filter((event) => event.accountId === accountId);
  const revisions = () => raised().map(({ type, data }) => [type, JSON.parse(data).revision]);

  // spec 6.2: plan_created
  test("a plan says which container takes what and where each piece lies, and raises one event", async () => {
    const { status, body } = await ask("POST", "", REQUEST);
    assert.deepEqual([status, body.ok], [201, true], JSON.stringify(body));
    const { data } = body;
    assert.deepEqual([data.name, data.revision, data.left], ["Order 4711", 1, []]);
    const { containers, pieces_placed: placed, weight_kg: weight } = data.summary;
    assert.deepEqual([containers, placed, weight], [[{ type: "20GP", count: 1 }], 20, 8_000]);
    const [container] = data.containers;
    assert.equal(container.placements.length, 20);
    assert.deepEqual(
      [container.number, container.type, container.max_payload_kg, container.gross_weight_kg],
      [1, "20GP", 28_180, 10_300],
    );
    assert.ok(container.centre_of_gravity_mm.z > 400);

    assert.deepEqual((await ask("GET", `/${data.id}`)).body.data, data);
    const [event, ...more] = raised();
    assert.deepEqual([event?.type, event?.product, more], ["plan_created", "loading", []]);
    const eventData = JSON.parse(event!.data);
    assert.deepEqual(eventData, { plan_id: data.id, name: "Order 4711", revision: 1, ...data.summary });
    const delivered = JSON.parse(
      buildDeliveryBody(NOBODYS, "plan_created", event!.occurredAtMs, event!.data),
    );
    assert.ok(Schema.Check(deliverySchema(loading), delivered));
  });

  // spec 6.2: plan_updated
  test("a replaced plan gets the next revision and raises an event; the same request changes nothing", async () => {
    const data = await make();
    const same = await ask("PUT", `/${data.id}`, REQUEST);
    assert.deepEqual([same.status, same.body.data], [200, data]);
    assert.equal(raised().length, 1);

    const more = { ...REQUEST, name: null, cargo: [{ ...REQUEST.cargo[0]!, count: 40, stackable: false }] };
    const changed = await ask("PUT", `/${data.id}`, more);
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    assert.deepEqual([changed.body.data.revision, changed.body.data.name], [2, null]);
    assert.equal(changed.body.data.summary.pieces_placed, 40);
    assert.deepEqual((await ask("GET", `/${data.id}`)).body.data, changed.body.data);
    assert.deepEqual(revisions(), [
      ["plan_created", 1],
      ["plan_updated", 2],
    ]);
  });

  test("a change that is sent twice at once is made and raised once", async () => {
    const { id } = await make();
    const change = { ...REQUEST, name: "Order 4712" };
    const [one, other] = await Promise.all([1, 2].map(() => ask("PUT", `/${id}`, change)));
    assert.deepEqual([one!.status, other!.status], [200, 200]);
    assert.deepEqual(one!.body.data, other!.body.data);
    assert.equal(one!.body.data.revision, 2);
    assert.deepEqual(column(revisions(), "0"), ["plan_created", "plan_updated"]);
  });

  test("concurrent changes are each made and raised, and the plan is the last of them", async () => {
    const { id } = await make();
    const changes = ["a", "b", "c"].map((name) => ask("PUT", `/${id}`, { ...REQUEST, name }));
    const plans = (await Promise.all(changes)).map(({ body }) => body.data);
    const last = plans.find(({ revision }) => revision === 4);
    assert.deepEqual((await ask("GET", `/${id}`)).body.data, last);
    assert.deepEqual(
      column(revisions(), "1").toSorted((one, other) => one - other),
      [1, 2, 3, 4],
    );
  });

  test("a plan is correct for any names in its request", async () => {
    const cargo = ["__proto__", "a".repeat(100), "包装箱 🎁", '\u202e"\\'].map((id) => ({
      id,
      ...PALLET,
      count: 9,
    }));
    const containers = [{ ...REQUEST.containers[1]!, type: "40HC", count: 1 }];
    const made = await ask("POST", "", { name: "constructor", cargo, containers });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.deepEqual(errorsOfPlan(made.body.data), []);
    assert.deepEqual(column(made.body.data.request.cargo, "id"), column(cargo, "id"));
  });

  test("a plan and its event are stored together, or neither is", async () => {
    service.refusesEvents = true;
    const refused = await ask("POST", "", REQUEST);
    service.refusesEvents = false;
    assert.equal(refused.status, 500);
    assert.deepEqual((await ask("GET")).body.data, []);
    assert.equal(raised().length, 0);
  });

  test("plans are listed newest first, in pages, without their pieces", async () => {
    const ids: string[] = [];
    for (const name of ["one", "two", "three"]) {
      ids.unshift((await make({ ...REQUEST, name })).id);
    }
    const first = await ask("GET", "?limit=2");
    assert.deepEqual(column(first.body.data, "id"), ids.slice(0, 2));
    const shown = ["created_at", "id", "name", "revision", "summary", "updated_at"];
    assert.deepEqual(Object.keys(first.body.data[0]).toSorted(), shown);
    const second = await ask("GET", `?limit=2&cursor=${first.body.next_cursor}`);
    assert.deepEqual([second.body.data.length, second.body.data[0].id], [1, ids[2]]);
    assert.equal(second.body.next_cursor, undefined);
    assert.equal((await ask("GET", "?cursor=nonsense")).status, 400);
  });

  test("a plan that was stored before there were limits is shown without them, and can be sent again", async () => {
    const data = await make({ ...REQUEST, max_off_centre: null });
    const { database } = service.test;
    for (const cell of service.test.cells) {
      const stored = await planGet(database, cell, { accountId, id: data.id });
      if (stored === null) continue;
      const request = JSON.parse(stored.request);
      delete request.max_off_centre;
      const later = ["max_load_kg", "layers_max", "stop", "shape", "diameter_mm", "lying", "palletised"];
      for (const line of request.cargo) for (const name of later) delete line[name];
      delete request.vehicle;
      delete request.pallet;
      for (const choice of request.containers)
        for (const name of ["max_line_load_kg_m", "open", "max_over_height_mm", "max_over_width_mm"])
          delete choice[name];
      const detail = JSON.parse(stored.detail);
      for (const one of detail.containers)
        for (const name of ["load_per_metre_kg", "limits", "pallets"]) delete one[name];
      delete detail.pallet_builds;
      const [old, at] = [{ ...stored, request: JSON.stringify(request), detail: JSON.stringify(detail) }, 0];
      await database.transaction((tx) => updatePlan(tx, cell, accountId, data.id, old, at));
    }
    const shown = await ask("GET", `/${data.id}`);
    const [container] = shown.body.data.containers;
    assert.deepEqual(container.load_per_metre_kg, data.containers[0].load_per_metre_kg);
    assert.deepEqual([container.limits, shown.body.data.request.max_off_centre], [[], null]);
    const [line] = shown.body.data.request.cargo;
    assert.deepEqual([line.max_load_kg, line.layers_max, line.stop], [null, null, 1]);
    assert.deepEqual([line.shape, line.diameter_mm, line.lying], ["box", null, false]);
    assert.deepEqual(errorsOfPlan(shown.body.data), []);
    const again = await ask("PUT", `/${data.id}`, shown.body.data.request);
    assert.deepEqual([again.status, again.body.data], [200, shown.body.data], "the request is the same");
    assert.equal(raised().length, 1);
  });

  test("a deleted plan is gone, and its deletion raises no event", async () => {
    const { id } = await make();
    const deleted = await ask("DELETE", `/${id}`);
    assert.deepEqual([deleted.status, deleted.body.data], [200, { id, deleted: true }]);
    for (const method of ["GET", "DELETE", "PUT"] as const)
      assert.equal((await ask(method, `/${id}`, REQUEST)).status, 404, method);
    assert.equal(raised().length, 1);
  });

  test("another account's plan is as unknown as none at all", async () => {
    const { id } = await make();
    const theirs = await service.planner();
    for (const path of [`/${id}`, `/${NOBODYS}`, "/1"]) {
      for (const method of ["GET", "PUT", "DELETE"] as const) {
        const body = method === "PUT" ? REQUEST : undefined;
        assertRefused(await service.ask(theirs.key, method, path, body), 404, "NOT_FOUND");
      }
    }
    assert.deepEqual((await service.ask(theirs.key, "GET")).body.data, []);
  });

  test("answers are what the document says, and its example is one that is taken", async () => {
    const document = (await sendWithKey(service, key, "GET", "/loading/openapi.json")).body;
    assert.ok(document.components.schemas.LoadPlanData.properties.left_by_reason);
    const made = await ask(
      "POST",
      "",
      document.paths["/v1/plans"].post.requestBody.content["application/json"].example,
    );
    await assertDocumented(service, "loading", "POST /v1/plans", made);
    await assertDocumented(
      service,
      "loading",
      "GET /v1/plans/{id}",
      await ask("GET", `/${made.body.data.id}`),
    );
    const body = structuredClone(made.body);
    delete body.data.request.cargo[0].turnable;
    await assert.rejects(
      assertDocumented(service, "loading", "POST /v1/plans", { ...made, body }),
      /turnable/,
    );
  });

  test("a plan that nobody can make now is put off, and an account's own as its own", async () => {
    for (const [reason, status, code] of [
      ["account_limit", 429, "RATE_LIMITED"],
      ["queue_full", 503, "UNAVAILABLE"],
      ["timeout", 503, "UNAVAILABLE"],
      ["stopping", 503, "UNAVAILABLE"],
    ] as const) {
      service.busy = reason;
      const refused = await ask("POST", "", REQUEST);
      service.busy = null;
      assertRefused(refused, status, code);
      assert.ok(Number(refused.headers["retry-after"]) > 0, reason);
    }
  });
});

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
