/** The routes of load plans (docs/load-planning.md). */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import Schema from "typebox/schema";

import { deliverySchema } from "../../src/model/delivery-schema.ts";
import { loading } from "../../src/products/loading/catalogue.ts";
import { buildDeliveryBody } from "../../src/model/delivery-body.ts";
import { sendWithKey } from "../support/service.ts";
import { errorsOfPlan } from "../loading/plan-errors.ts";
import { getPlan, updatePlan } from "../../src/products/loading/store/plans.ts";
import { NOBODYS, PALLET, REQUEST, startLoadingService, type LoadingService } from "./loading-service.ts";

/** Takes a good deal of the work that is allowed. */
const LARGE = {
  cargo: Array.from({ length: 30 }, (_, at) => ({
    ...PALLET,
    length_mm: 300 + 17 * at,
    width_mm: 200 + 13 * at,
    count: 60,
  })),
};

describe("load plans", () => {
  let service: LoadingService;
  before(async () => {
    service = await startLoadingService();
  });
  after(() => service.close());

  const eventsOf = (accountId: string) => service.raised.filter((event) => event.accountId === accountId);

  // spec 6.2: plan_created
  test("a plan says which container takes what and where each piece lies, and raises one event", async () => {
    const { key, accountId } = await service.planner();
    const made = await service.ask(key, "POST", "", REQUEST);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const { data } = made.body;
    assert.equal(made.body.ok, true);
    assert.deepEqual([data.name, data.revision, data.left], ["Order 4711", 1, []]);
    assert.deepEqual(data.summary.containers, [{ type: "20GP", count: 1 }]);
    assert.equal(data.summary.pieces_placed, 20);
    assert.equal(data.summary.weight_kg, 8_000);
    const [container] = data.containers;
    assert.equal(container.placements.length, 20);
    assert.deepEqual(
      [container.number, container.type, container.max_payload_kg, container.gross_weight_kg],
      [1, "20GP", 28_180, 10_300],
    );
    assert.ok(container.centre_of_gravity_mm.z > 400);

    assert.deepEqual((await service.ask(key, "GET", `/${data.id}`)).body.data, data);
    const [event, ...more] = eventsOf(accountId);
    assert.deepEqual([event?.type, event?.product, more], ["plan_created", "loading", []]);
    const eventData = JSON.parse(event!.data);
    assert.deepEqual(eventData, { plan_id: data.id, name: "Order 4711", revision: 1, ...data.summary });
    const body = JSON.parse(buildDeliveryBody(NOBODYS, "plan_created", event!.occurredAtMs, event!.data));
    assert.ok(Schema.Check(deliverySchema(loading), body));
  });

  // spec 6.2: plan_updated
  test("a replaced plan gets the next revision and raises an event; the same request changes nothing", async () => {
    const { key, accountId } = await service.planner();
    const { data } = (await service.ask(key, "POST", "", REQUEST)).body;
    const same = await service.ask(key, "PUT", `/${data.id}`, REQUEST);
    assert.deepEqual([same.status, same.body.data], [200, data]);
    assert.equal(eventsOf(accountId).length, 1);

    const more = { ...REQUEST, name: null, cargo: [{ ...REQUEST.cargo[0]!, count: 40, stackable: false }] };
    const changed = await service.ask(key, "PUT", `/${data.id}`, more);
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    assert.deepEqual([changed.body.data.revision, changed.body.data.name], [2, null]);
    assert.equal(changed.body.data.summary.pieces_placed, 40);
    assert.deepEqual((await service.ask(key, "GET", `/${data.id}`)).body.data, changed.body.data);
    assert.deepEqual(
      eventsOf(accountId).map(({ type, data: text }) => [type, JSON.parse(text).revision]),
      [
        ["plan_created", 1],
        ["plan_updated", 2],
      ],
    );
  });

  test("a change that is sent twice at once is made and raised once", async () => {
    const { key, accountId } = await service.planner();
    const { id } = (await service.ask(key, "POST", "", REQUEST)).body.data;
    const change = { ...REQUEST, name: "Order 4712" };
    const [one, other] = await Promise.all([1, 2].map(() => service.ask(key, "PUT", `/${id}`, change)));
    assert.deepEqual([one!.status, other!.status], [200, 200]);
    assert.deepEqual(one!.body.data, other!.body.data);
    assert.equal(one!.body.data.revision, 2);
    assert.deepEqual(
      eventsOf(accountId).map(({ type }) => type),
      ["plan_created", "plan_updated"],
    );
  });

  test("concurrent changes are each made and raised, and the plan is the last of them", async () => {
    const { key, accountId } = await service.planner();
    const { id } = (await service.ask(key, "POST", "", REQUEST)).body.data;
    const changes = ["a", "b", "c"].map((name) => service.ask(key, "PUT", `/${id}`, { ...REQUEST, name }));
    const plans = (await Promise.all(changes)).map(({ body }) => body.data);
    const last = plans.find(({ revision }) => revision === 4);
    assert.deepEqual((await service.ask(key, "GET", `/${id}`)).body.data, last);
    assert.deepEqual(
      eventsOf(accountId)
        .map(({ data }) => Number(JSON.parse(data).revision))
        .toSorted((one, other) => one - other),
      [1, 2, 3, 4],
    );
  });

  test("a plan is correct for any names in its request", async () => {
    const { key } = await service.planner();
    const cargo = ["__proto__", "a".repeat(100), "包装箱 🎁", '\u202e"\\'].map((id) => ({
      id,
      ...PALLET,
      count: 9,
    }));
    const containers = [{ ...REQUEST.containers[1]!, type: "40HC", count: 1 }];
    const made = await service.ask(key, "POST", "", { name: "constructor", cargo, containers });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    assert.deepEqual(errorsOfPlan(made.body.data), []);
    assert.deepEqual(
      made.body.data.request.cargo.map(({ id }: { id: string }) => id),
      cargo.map(({ id }) => id),
    );
  });

  test("a plan and its event are stored together, or neither is", async () => {
    const { key, accountId } = await service.planner();
    service.refusesEvents = true;
    const refused = await service.ask(key, "POST", "", REQUEST);
    service.refusesEvents = false;
    assert.equal(refused.status, 500);
    assert.deepEqual((await service.ask(key, "GET")).body.data, []);
    assert.equal(eventsOf(accountId).length, 0);
  });

  test("plans are listed newest first, in pages, without their pieces", async () => {
    const { key } = await service.planner();
    const ids: string[] = [];
    for (const name of ["one", "two", "three"]) {
      ids.unshift((await service.ask(key, "POST", "", { ...REQUEST, name })).body.data.id);
    }
    const first = await service.ask(key, "GET", "?limit=2");
    assert.deepEqual(
      first.body.data.map(({ id }: { id: string }) => id),
      ids.slice(0, 2),
    );
    assert.deepEqual(Object.keys(first.body.data[0]).toSorted(), [
      "created_at",
      "id",
      "name",
      "revision",
      "summary",
      "updated_at",
    ]);
    const second = await service.ask(key, "GET", `?limit=2&cursor=${first.body.next_cursor}`);
    assert.deepEqual([second.body.data.length, second.body.data[0].id], [1, ids[2]]);
    assert.equal(second.body.next_cursor, undefined);
    assert.equal((await service.ask(key, "GET", "?cursor=nonsense")).status, 400);
  });

  test("a plan that was stored before there were limits is shown without them, and can be sent again", async () => {
    const { key, accountId } = await service.planner();
    const { data } = (await service.ask(key, "POST", "", { ...REQUEST, max_off_centre: null })).body;
    const { database } = service.test;
    for (const cell of service.test.cells) {
      const stored = await getPlan(database, cell, accountId, data.id);
      if (stored === null) continue;
      const request = JSON.parse(stored.request);
      delete request.max_off_centre;
      for (const line of request.cargo)
        for (const name of [
          "max_load_kg",
          "layers_max",
          "stop",
          "shape",
          "diameter_mm",
          "lying",
          "palletised",
        ])
          delete line[name];
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
    const shown = await service.ask(key, "GET", `/${data.id}`);
    const [container] = shown.body.data.containers;
    assert.deepEqual(container.load_per_metre_kg, data.containers[0].load_per_metre_kg);
    assert.deepEqual([container.limits, shown.body.data.request.max_off_centre], [[], null]);
    const [line] = shown.body.data.request.cargo;
    assert.deepEqual([line.max_load_kg, line.layers_max, line.stop], [null, null, 1]);
    assert.deepEqual([line.shape, line.diameter_mm, line.lying], ["box", null, false]);
    assert.deepEqual(errorsOfPlan(shown.body.data), []);
    const again = await service.ask(key, "PUT", `/${data.id}`, shown.body.data.request);
    assert.deepEqual([again.status, again.body.data], [200, shown.body.data], "the request is the same");
    assert.equal(eventsOf(accountId).length, 1);
  });

  test("a deleted plan is gone, and its deletion raises no event", async () => {
    const { key, accountId } = await service.planner();
    const { id } = (await service.ask(key, "POST", "", REQUEST)).body.data;
    const deleted = await service.ask(key, "DELETE", `/${id}`);
    assert.deepEqual([deleted.status, deleted.body.data], [200, { id, deleted: true }]);
    assert.equal((await service.ask(key, "GET", `/${id}`)).status, 404);
    assert.equal((await service.ask(key, "DELETE", `/${id}`)).status, 404);
    assert.equal((await service.ask(key, "PUT", `/${id}`, REQUEST)).status, 404);
    assert.equal(eventsOf(accountId).length, 1);
  });

  test("another account's plan is as unknown as none at all", async () => {
    const [mine, theirs] = [await service.planner(), await service.planner()];
    const { id } = (await service.ask(mine.key, "POST", "", REQUEST)).body.data;
    for (const path of [`/${id}`, `/${NOBODYS}`, "/1"]) {
      for (const method of ["GET", "PUT", "DELETE"] as const) {
        const answered = await service.ask(theirs.key, method, path, method === "PUT" ? REQUEST : undefined);
        assert.deepEqual(
          [answered.status, answered.body.error?.code],
          [404, "NOT_FOUND"],
          `${method} ${path}`,
        );
      }
    }
    assert.deepEqual((await service.ask(theirs.key, "GET")).body.data, []);
  });

  test("others are answered while a plan is made", async () => {
    const { key } = await service.planner();
    let isMade = false;
    const making = service.ask(key, "POST", "", LARGE).finally(() => {
      isMade = true;
    });
    for (let asked = 0; asked < 5; asked += 1) {
      assert.equal((await service.ask(key, "GET")).status, 200);
    }
    assert.equal(isMade, false);
    assert.equal((await making).status, 201);
  });

  test("the document describes the routes and the example is one that is taken", async () => {
    const { key } = await service.planner();
    const document = (await sendWithKey(service, key, "GET", "/loading/openapi.json")).body;
    assert.deepEqual(Object.keys(document.paths["/v1/plans"]).toSorted(), ["get", "post"]);
    assert.deepEqual(Object.keys(document.paths["/v1/plans/{id}"]).toSorted(), ["delete", "get", "put"]);
    assert.ok(document.components.schemas.LoadPlanData.properties.left_by_reason);
    const { example } = document.paths["/v1/plans"].post.requestBody.content["application/json"];
    const made = await service.ask(key, "POST", "", example);
    assert.equal(made.status, 201);
    const schema = document.paths["/v1/plans"].post.responses["201"].content["application/json"].schema;
    const whole = { ...schema, components: document.components };
    const isTold = (body: unknown) => Schema.Check(whole, body);
    assert.ok(isTold(made.body), JSON.stringify(made.body.data.request));
    const { data } = structuredClone(made.body);
    delete data.request.cargo[0].turnable;
    assert.ok(!isTold({ ok: true, data }));
  });
});

test("plans that too many wait for are put off, and an account's own as its own", async () => {
  const service = await startLoadingService({ threads: 1, queueMax: 1, perAccountMax: 1 });
  const accounts = [await service.planner(), await service.planner(), await service.planner()];
  const [first, second, third] = accounts.map(({ key }) => key) as [string, string, string];
  const large = service.ask(first, "POST", "", LARGE);
  // Answered after the plan has been begun, and long before it is made.
  await service.ask(first, "GET");
  const [others, own] = await Promise.all([
    Promise.all([second, third].map((key) => service.ask(key, "POST", "", REQUEST))),
    service.ask(first, "POST", "", REQUEST),
  ]);
  assert.equal((await large).status, 201);
  await service.close();
  const [made, putOff] = others.toSorted((one, other) => one.status - other.status);
  assert.equal(made!.status, 201);
  for (const [refused, status, code] of [
    [putOff!, 503, "UNAVAILABLE"],
    [own, 429, "RATE_LIMITED"],
  ] as const) {
    assert.deepEqual([refused.status, refused.body.error.code], [status, code]);
    assert.ok(Number(refused.headers["retry-after"]) > 0);
  }
});
