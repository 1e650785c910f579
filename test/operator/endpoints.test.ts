/** Endpoints and deliveries of all accounts on the operator's listener. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { DEFAULT_ENGINE_SETTINGS } from "../../src/engine/settings.ts";
import { column, columns } from "../support/answers.ts";
import { storeDeliveries } from "../support/stored.ts";
import { ofSuite } from "../support/suite.ts";
import { createCaller, sendAsOperator, sendWithKey, startService } from "../support/service.ts";

const NOBODYS = "01900000-0000-7000-8000-000000000000";
const WEBHOOKS = "/tracking/v1/webhooks";

describe("the operator's view of endpoints", () => {
  const service = ofSuite(() => startService());

  async function endpoint(failures: number, reason: string | null = null) {
    const { key } = await createCaller(service, "tracking");
    const made = await sendWithKey(service, key, "POST", WEBHOOKS, { url: "https://example.com/1" });
    const { id } = made.body.data;
    await service.test.queryEach(
      service.test.cells,
      `update cell.endpoints set failure_count = $2, active = $3::text is null, disabled_reason = $3,
         inactive_since = case when $3::text is not null then $4::timestamptz end, missed_events = 2
       where id = $1`,
      [id, failures, reason, new Date(1_000)],
    );
    return { id, key };
  }

  test("lists what fails over all accounts, what is off first, and enables it as its owner would", async () => {
    const [failing, off] = [await endpoint(7), await endpoint(20, "failures")];
    await endpoint(0);
    // A success that ended after the failures, and a client that paused what failed.
    const late = await endpoint(0, "failures");
    await endpoint(5, "paused");
    const { status, body } = await sendAsOperator(service, "GET", "/v1/endpoints/failing");
    assert.equal(status, 200);
    assert.deepEqual(columns(body.endpoints, "id", "failure_count"), [
      [off.id, 20],
      [late.id, 0],
      [failing.id, 7],
    ]);
    assert.deepEqual(
      [body.endpoints[0].disabled_reason, body.endpoints[0].missed_events, body.endpoints[0].product],
      ["failures", 2, "tracking"],
    );
    const one = await sendAsOperator(service, "GET", "/v1/endpoints/failing?limit=1");
    assert.deepEqual(column(one.body.endpoints, "id"), [off.id]);
    const enabled = await sendAsOperator(service, "POST", `/v1/endpoints/${off.id}/enable`);
    const { active, failure_count, disabled_at, disabled_reason, missed_events } = enabled.body;
    assert.deepEqual(
      [active, failure_count, disabled_at, disabled_reason, missed_events],
      [true, 0, null, null, 0],
    );
    assert.deepEqual(service.engine.changed.slice(-1), [off.id]);
    const read = await sendWithKey(service, off.key, "GET", `${WEBHOOKS}/${off.id}`);
    assert.equal(read.body.data.active, true);
    for (const nobodys of [NOBODYS, "x"])
      assert.equal((await sendAsOperator(service, "POST", `/v1/endpoints/${nobodys}/enable`)).status, 404);
  });

  test("shows a delivery by its id: whose it is, where it goes, and when it ends", async () => {
    const { id } = await endpoint(20, "failures");
    const failed = {
      atMs: service.clock.nowMs(),
      type: "eta_changed",
      attempts: 3,
      error: "timeout: no answer",
    };
    const [made] = await storeDeliveries(service.test, id, [{ ...failed, status: "pending" }]);
    const { status, body } = await sendAsOperator(service, "GET", `/v1/deliveries/${made!.id}`);
    assert.equal(status, 200);
    assert.deepEqual(
      [body.endpoint_id, body.event_type, body.status, body.last_error, body.product, body.parked_until],
      [
        id,
        "eta_changed",
        "pending",
        "timeout: no answer",
        "tracking",
        new Date(1_000 + DEFAULT_ENGINE_SETTINGS.parkedMs).toISOString(),
      ],
    );
    for (const nobodys of [NOBODYS, "x"])
      assert.equal((await sendAsOperator(service, "GET", `/v1/deliveries/${nobodys}`)).status, 404);
  });
});
