import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { addressOf, killLeftDatabase } from "./postgres.ts";
import { newClient, QUICK_ENVIRONMENT, register, startServe, type ServiceProcess } from "./service.ts";
import { check, untilAllEnded } from "./books.ts";
import { startLoad } from "./load.ts";
import { flaky, folderFor, openScene } from "./scene.ts";
import { until } from "./until.ts";

test("SIGTERM under load lets deliveries in flight end; the next start sends the rest, and nothing twice", async (t) => {
  const scene = await openScene(t);
  const dataFolder = folderFor(t);
  killLeftDatabase(t, dataFolder);
  const environment = { ...QUICK_ENVIRONMENT, BOATHOOK_DATA_DIR: dataFolder };
  // Far longer than this test: it does not wait for the end of it.
  const first = await startServe(t, scene, { ...environment, BOATHOOK_DRAIN_TIMEOUT: "10m" });
  const client = await newClient(first);
  await register(scene, first, client, flaky);
  await register(scene, first, client, async () => {
    await sleep(300);
    return 200;
  });
  let service: ServiceProcess | null = first;
  const load = startLoad(t, scene, () => service);
  await until(() => scene.accepted.size > 60, "a load");
  // What is open ends by itself; all else is given back at once.
  await first.stop();
  service = null;
  const arrived = scene.receiver.arrivals.length;
  await sleep(200);
  assert.equal(scene.receiver.arrivals.length, arrived, "nothing is sent by nobody");
  await load.stop();

  const next = await startServe(t, scene, environment);
  const address = addressOf(join(dataFolder, "postgres"));
  await untilAllEnded(address);
  const tally = await check(scene, address, 0);
  await next.stop();
  t.diagnostic(JSON.stringify(tally));
  assert.equal(tally.duplicates, 0);
});

test("SIGTERM ends within its deadline though a receiver never answers, and nothing is lost", async (t) => {
  const scene = await openScene(t);
  const dataFolder = folderFor(t);
  killLeftDatabase(t, dataFolder);
  const environment = { ...QUICK_ENVIRONMENT, BOATHOOK_DATA_DIR: dataFolder };
  // The attempts alone would hold it up for minutes.
  const first = await startServe(t, scene, {
    ...environment,
    BOATHOOK_DRAIN_TIMEOUT: "1s",
    BOATHOOK_ATTEMPT_TIMEOUT: "5m",
  });
  const client = await newClient(first);
  let hangs = true;
  await register(scene, first, client, () => (hangs ? new Promise<number>(() => undefined) : 200));
  const load = startLoad(t, scene, () => first);
  await until(() => scene.receiver.arrivals.length > 0 && scene.accepted.size > 50, "a load");
  await first.stop();
  await load.stop();
  hangs = false;

  const next = await startServe(t, scene, environment);
  const address = addressOf(join(dataFolder, "postgres"));
  await untilAllEnded(address);
  await check(scene, address, 1);
  await next.stop();
});
