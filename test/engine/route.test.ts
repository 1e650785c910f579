/** Which endpoints receive an event. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { receiversOf, type Route } from "../../src/engine/route.ts";
import type { RaisedEvent } from "../../src/model/event.ts";
import type { Target } from "../../src/model/endpoint.ts";
import { TARGET } from "./endpoint.ts";

const routeTo = (...targets: readonly Partial<Target>[]): Route =>
  ({
    accountId: "a",
    targets: targets.map((target, index) => ({ ...TARGET, id: `${index}`, ...target })),
    receivers: new Map(),
  }) as unknown as Route;

const EVENT: RaisedEvent = {
  product: "tracking",
  accountId: "a",
  type: "eta_changed",
  data: "{}",
  occurredAtMs: 0,
};
const receivers = (route: Route, event: Partial<RaisedEvent> = {}) =>
  receiversOf(route, { ...EVENT, ...event }).map(({ id }) => id);

describe("an event goes to", () => {
  test("endpoints of its product that are active and subscribed, or to everything", () => {
    const route = routeTo(
      {},
      { eventTypes: ["eta_changed", "customs_hold"] },
      { eventTypes: ["customs_hold"] },
      { active: false },
      { product: "air" },
    );
    assert.deepEqual(receivers(route), ["0", "1"]);
    assert.deepEqual(receivers(route, { type: "customs_hold" }), ["0", "1", "2"]);
    assert.deepEqual(receivers(route, { product: "air" }), ["4"]);
    assert.deepEqual(receivers(route), ["0", "1"], "the second time as the first");
  });

  test("the one endpoint that is named, whatever its subscription, while it is active", () => {
    const route = routeTo({}, { eventTypes: ["customs_hold"] }, { active: false });
    assert.deepEqual(receivers(route, { type: "ping", onlyEndpointId: "1" }), ["1"]);
    assert.deepEqual(receivers(route, { type: "ping", onlyEndpointId: "2" }), []);
    assert.equal(route.receivers.size, 0);
  });

  test("the same endpoints without asking again, for a bounded number of types", () => {
    const route = routeTo({});
    assert.equal(receiversOf(route, EVENT), receiversOf(route, EVENT));
    for (let count = 0; count < 1_010; count += 1) receivers(route, { type: `type_${count}` });
    assert.equal(route.receivers.size, 1_000);
    assert.deepEqual(receivers(route, { type: "one_more" }), ["0"]);
  });
});
