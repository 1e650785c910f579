import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { query } from "../support/database.ts";
import { killLeftDatabase, startDatabase } from "./postgres.ts";
import type { Arrival, Manner } from "./receiver.ts";
import { newClient, QUICK_ENVIRONMENT, register, request, startServe } from "./service.ts";
import { startLoad } from "./load.ts";
import { flaky, folderFor, openScene, type SceneEndpoint } from "./scene.ts";
import { until } from "./until.ts";

const RETRY_MS = 300;
/** Of others, while nothing may come. */
const WATCHED_ARRIVALS = 150;

test("a pause or a delete that was answered is followed by no new attempt, under load, on either of two nodes", async (t) => {
  const scene = await openScene(t);
  const dataFolder = folderFor(t);
  killLeftDatabase(t, dataFolder);
  const { postgres, databaseUrl } = await startDatabase(dataFolder);
  const environment = {
    ...QUICK_ENVIRONMENT,
    BOATHOOK_RETRY_WAITS: Array.from({ length: 5 }, () => `${RETRY_MS}ms`).join(),
    BOATHOOK_DATA_DIR: dataFolder,
    BOATHOOK_DATABASE_URL: databaseUrl,
  };
  const services = [
    await startServe(t, scene, environment),
    await startServe(t, scene, environment),
  ] as const;
  const client = await newClient(services[0]);
  // Retries are due all the time, beside what is fresh.
  const manner: Manner = async (arrival) => {
    await sleep(10);
    return flaky(arrival);
  };
  const [paused, deleted, control] = [
    await register(scene, services[0], client, manner),
    await register(scene, services[1], client, manner),
    await register(scene, services[0], client, manner),
  ];
  const loads = services.map((service) =>
    startLoad(t, scene, () => service, { callers: 2, eventsACall: 2, pauseMs: 40 }),
  );
  const arrivedAt = (endpoint: SceneEndpoint) =>
    scene.receiver.arrivals.filter((arrival) => arrival.path === endpoint.path);
  const arrivalsOf = (id: string) => scene.receiver.arrivals.filter((arrival) => arrival.id === id);
  const ask = async (node: 0 | 1, method: string, { id }: SceneEndpoint, body?: object) => {
    const url = `${services[node].publicUrl}/tracking/v1/webhooks/${id}`;
    assert.equal((await request(url, method, client.key, body)).status, 200);
    return { atMs: performance.now(), given: scene.given };
  };
  /** Began when the answer was there: an event that was raised later, or a retry that was not due before. */
  const isNew = (arrival: Arrival, { atMs, given }: Awaited<ReturnType<typeof ask>>): boolean => {
    if (arrival.number >= given) return true;
    const before = arrivalsOf(arrival.id).find(({ attempt }) => attempt === arrival.attempt - 1);
    return before !== undefined && before.answeredMs! + RETRY_MS > atMs;
  };
  async function assertSilence(
    endpoint: SceneEndpoint,
    since: Awaited<ReturnType<typeof ask>>,
  ): Promise<void> {
    const wanted = arrivedAt(control).length + WATCHED_ARRIVALS;
    await until(() => arrivedAt(control).length >= wanted, "others go on");
    const later = arrivedAt(endpoint).filter((arrival) => arrival.atMs > since.atMs);
    assert.deepEqual(
      later.filter((arrival) => isNew(arrival, since)),
      [],
      "nothing new arrives",
    );
  }

  for (const node of [0, 1] as const) {
    await until(() => arrivedAt(paused).length > 50 * (node + 1), "a load on it");
    await assertSilence(paused, await ask(node, "PATCH", paused, { active: false }));
    const before = arrivedAt(paused).length;
    await ask(node === 0 ? 1 : 0, "PATCH", paused, { active: true });
    await until(() => arrivedAt(paused).length > before, "it goes on where it stopped");
  }
  await assertSilence(deleted, await ask(0, "DELETE", deleted));

  for (const load of loads) await load.stop();
  const pending = `select from boathook_cell_0.deliveries where status = 'pending' and endpoint_id <> $1`;
  const isEmpty = async () => (await query(postgres.address, pending, [deleted.id])).rowCount === 0;
  await until(isEmpty, "all that was parked is delivered");
  const reached = new Set(arrivedAt(control).map((arrival) => arrival.number));
  for (const number of scene.accepted.keys()) assert.ok(reached.has(number), `event ${number} is lost`);
  for (const service of services) await service.stop();
  await postgres.stop();
});
