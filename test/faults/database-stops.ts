/** An external PostgreSQL that is stopped at once, as an operator's `immediate` does, and started again, under load. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { chanceFor } from "./chance.ts";
import { furnish, startDatabase } from "./postgres.ts";
import { startNode } from "./process.ts";
import { check, untilAllEnded, type Tally } from "./books.ts";
import { startLoad } from "./load.ts";
import { cast, folderFor, openScene, QUICK } from "./scene.ts";
import { until } from "./until.ts";

const UP_MS_MAX = 1_000;
const DOWN_MS_MAX = 800;

export async function stopDatabaseAgainAndAgain(t: TestContext, stops: number): Promise<Tally> {
  const chance = chanceFor(t);
  const scene = await openScene(t);
  const dataFolder = folderFor(t);
  await furnish(t, dataFolder, async (store) => cast(scene, store));
  let lost = 0;
  const onLost = () => {
    lost += 1;
  };
  const { postgres, databaseUrl } = await startDatabase(dataFolder, onLost);
  const { masterKey, receiver } = scene;
  const node = await startNode(t, {
    databaseUrl,
    dataFolder,
    masterKey,
    caFile: receiver.caFile,
    settings: QUICK,
  });
  const load = startLoad(t, scene, () => node);
  for (let stopped = 0; stopped < stops; stopped++) {
    await sleep(chance.between(100, UP_MS_MAX));
    const refused = scene.refused;
    process.kill(postgres.pid()!, "SIGQUIT");
    await until(() => lost > stopped, "the database is away");
    await until(() => scene.refused > refused, "calls are refused while the database is away");
    await sleep(chance.between(0, DOWN_MS_MAX));
    await postgres.ensureRunning();
    const accepted = scene.accepted.size;
    await until(() => scene.accepted.size > accepted, "events are accepted again, by the same process");
  }
  await load.stop();
  await untilAllEnded(postgres.address);
  const tally = await check(scene, postgres.address, stops);
  await node.stop();
  await postgres.stop();
  t.diagnostic(`seed ${chance.seed}: ${stops} stops: ${JSON.stringify(tally)}`);
  assert.ok(tally.accepted > stops && tally.refused > 0);
  return tally;
}
