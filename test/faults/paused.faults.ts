import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { query } from "../support/database.ts";
import { killLeftDatabase, startDatabase } from "./postgres.ts";
import type { Arrival, Manner } from "./receiver.ts";
import { productAt } from "../support/clients.ts";
import { newClient, QUICK_ENVIRONMENT, register, startServe } from "./service.ts";
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
  const asked = services.map(({ publicUrl }) => productAt(`${publicUrl}/tracking`, client.key).ask);
  const now = () => ({ atMs: performance.now(), given: scene.given });
  const setActive = async (node: 0 | 1, { id }: SceneEndpoint, active: boolean) => {
    await asked[node]!("PATCH /v1/webhooks/{id}", { id }, { active });
    return now();
  };
  /** Began when the answer was there: an event that was raised later, or a retry that was not due before. */
  const isNew = (arrival: Arrival, { atMs, given }: Awaited<ReturnType<typeof setActive>>): boolean => {
    if (arrival.number >= given) return true;
    const before = arrivalsOf(arrival.id).find(({ attempt }) => attempt === arrival.attempt - 1);
    return before !== undefined && before.answeredMs! + RETRY_MS > atMs;
  };
  async function assertSilence(
    endpoint: SceneEndpoint,
    since: Awaited<ReturnType<typeof setActive>>,
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
    await assertSilence(paused, await setActive(node, paused, false));
    const before = arrivedAt(paused).length;
    await setActive(node === 0 ? 1 : 0, paused, true);
    await until(() => arrivedAt(paused).length > before, "it goes on where it stopped");
  }
  await asked[0]!("DELETE /v1/webhooks/{id}", { id: deleted.id });
  await assertSilence(deleted, now());

  for (const load of loads) await load.stop();
  const pending = `select from boathook_cell_0.deliveries where status = 'pending' and endpoint_id <> $1`;
  const isEmpty = async () => (await query(postgres.address, pending, [deleted.id])).rowCount === 0;
  await until(isEmpty, "all that was parked is delivered");
  const reached = new Set(arrivedAt(control).map((arrival) => arrival.number));
  for (const number of scene.accepted.keys()) assert.ok(reached.has(number), `event ${number} is lost`);
  for (const service of services) await service.stop();
  await postgres.stop();
});
