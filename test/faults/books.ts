/** The one question at the end: is everything that was accepted where it belongs, once, whole and counted? */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

import type { DatabaseAddress } from "../../src/store/database.ts";
import { query } from "../support/database.ts";
import type { Arrival } from "./receiver.ts";
import type { Scene, SceneEndpoint } from "./scene.ts";

const ONE_CELL = ["boathook_cell_0"];

function countOpen(schema: string): string {
  return `select (select count(*) from ${schema}.deliveries where status = 'pending')::int as pending,
    (select count(*) from ${schema}.queue)::int as queued`;
}

/** Waits until nothing is pending any more; gives up when nothing has ended for `stillMsMax`. */
export async function untilAllEnded(
  address: DatabaseAddress,
  stillMsMax = 20_000,
  schemas: readonly string[] = ONE_CELL,
): Promise<void> {
  let last = Number.POSITIVE_INFINITY;
  let sinceMs = performance.now();
  for (;;) {
    const open: { pending: number; queued: number }[] = [];
    for (const schema of schemas) open.push((await query(address, countOpen(schema))).rows[0]);
    const sumOf = (name: "pending" | "queued") => open.reduce((sum, one) => sum + one[name], 0);
    // The queue grows while the deliveries of dead nodes come back to it.
    const left = sumOf("pending") || sumOf("queued");
    if (left === 0) return;
    if (left !== last) {
      last = left;
      sinceMs = performance.now();
    }
    const stillMs = performance.now() - sinceMs;
    assert.ok(stillMs < stillMsMax, `nothing has ended for ${stillMsMax} ms: ${JSON.stringify(open)}`);
    await sleep(LOOK_EVERY_MS);
  }
}

const LOOK_EVERY_MS = 50;

export type Tally = {
  readonly accepted: number;
  readonly given: number;
  readonly deliveries: number;
  /** Events that arrived, and whose caller was not answered that they were accepted. */
  readonly recovered: number;
  /** Arrivals that a receiver had answered 2xx already. */
  readonly duplicates: number;
  readonly refused: number;
};

type Row = {
  readonly id: string;
  readonly endpointId: string;
  readonly status: string;
  readonly attemptCount: number;
};

/** All that must hold once everything has ended; `interruptions` bounds how often one delivery may come again. */
export async function check(
  scene: Scene,
  address: DatabaseAddress,
  interruptions: number,
  schemas: readonly string[] = ONE_CELL,
): Promise<Tally> {
  const { arrivals } = scene.receiver;
  const rows = new Map<string, Row>();
  for (const schema of schemas) {
    const found = await query(
      address,
      `select id, endpoint_id as "endpointId", status, attempt_count as "attemptCount" from ${schema}.deliveries`,
    );
    for (const row of found.rows as Row[]) rows.set(row.id, row);
  }
  const byId = Map.groupBy(arrivals, (arrival) => arrival.id);
  const byEvent = Map.groupBy(arrivals, (arrival) => `${arrival.path} ${arrival.number}`);

  let duplicates = 0;
  for (const [id, seen] of byId) {
    const row = rows.get(id);
    assert.ok(row !== undefined, `delivery ${id} arrived and is not in the database`);
    assert.ok(
      seen.every((arrival) => arrival.verified),
      `delivery ${id} came with a wrong signature`,
    );
    assert.equal(new Set(seen.map((arrival) => arrival.bodyHash)).size, 1, `the body of ${id} changed`);
    assert.equal(new Set(seen.map((arrival) => arrival.path)).size, 1, `${id} went to two endpoints`);
    duplicates += checkCounts(row, seen, interruptions);
  }
  for (const [number, event] of scene.accepted) {
    for (const endpoint of receiversOf(scene, event)) {
      const seen = byEvent.get(`${endpoint.path} ${number}`) ?? [];
      const ids = new Set(seen.map((arrival) => arrival.id));
      assert.equal(ids.size, 1, `event ${number} came to ${endpoint.path} as ${ids.size} deliveries`);
      const row = rows.get([...ids][0]!)!;
      assert.equal(row.endpointId, endpoint.id);
      assert.equal(
        row.status,
        endpoint.delivers ? "delivered" : "dead",
        `event ${number} at ${endpoint.path}`,
      );
    }
  }
  for (const arrival of arrivals)
    assert.ok(arrival.number < scene.given, "nothing arrives that nobody raised");
  const arrived = new Set(arrivals.map(({ number }) => number));
  const recovered = arrived.difference(new Set(scene.accepted.keys())).size;
  const { given, refused } = scene;
  return { accepted: scene.accepted.size, given, recovered, deliveries: rows.size, duplicates, refused };
}

/** Compares the row's attempts with the arrivals; returns how often it arrived again after a 2xx answer. */
function checkCounts(row: Row, seen: readonly Arrival[], interruptions: number): number {
  const { id, status, attemptCount } = row;
  const successes = seen.filter((arrival) => arrival.answered === 200).length;
  assert.ok(attemptCount <= 6, `${id} was attempted ${attemptCount} times`);
  assert.ok(
    attemptCount <= seen.length + interruptions,
    `${id}: ${attemptCount} counted, ${seen.length} arrived`,
  );
  assert.ok(
    seen.length <= attemptCount + interruptions,
    `${id}: ${attemptCount} counted, ${seen.length} arrived`,
  );
  if (status === "dead") assert.equal(attemptCount, 6, `${id} ended before its sixth attempt`);
  if (status === "delivered") assert.ok(successes > 0, `${id} is delivered and nobody answered 2xx`);
  return Math.max(0, successes - 1);
}

function receiversOf(
  scene: Scene,
  event: { readonly accountId: string; readonly type: string },
): SceneEndpoint[] {
  return scene.endpoints.filter(
    ({ accountId, eventTypes }) =>
      accountId === event.accountId && (eventTypes.length === 0 || eventTypes.includes(event.type)),
  );
}
