/** A node that is killed at random moments under load, alone and together with its database. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { readPidFile } from "../../src/store/embedded/postmaster.ts";
import { chanceFor } from "./chance.ts";
import { addressOf, furnish } from "./postgres.ts";
import { startNode, type NodeProcess } from "./process.ts";
import { cast, check, folderFor, openScene, QUICK, startLoad, until, untilAllEnded, type Tally } from "./scene.ts";

/** A share of the kills that takes the database along. */
const WITH_DATABASE_SHARE = 0.4;
const LIFE_MS_MAX = 900;

export async function killAgainAndAgain(t: TestContext, kills: number): Promise<Tally> {
  const chance = chanceFor(t);
  const scene = await openScene(t);
  const dataFolder = folderFor(t);
  const folder = join(dataFolder, "postgres");
  await furnish(t, dataFolder, async (store) => cast(scene, store));
  const { masterKey, receiver } = scene;
  const options = { databaseUrl: null, dataFolder, masterKey, caFile: receiver.caFile, settings: QUICK };

  let node: NodeProcess | null = null;
  const load = startLoad(t, scene, () => node);
  let withDatabase = 0;
  for (let killed = 0; killed < kills; killed++) {
    node = await startNode(t, options);
    await sleep(chance.between(0, LIFE_MS_MAX));
    const dying = node.kill();
    if (chance.of(WITH_DATABASE_SHARE)) {
      withDatabase += 1;
      process.kill(readPidFile(folder)!.pid, "SIGKILL");
    }
    node = null;
    await dying;
  }
  node = await startNode(t, options);
  await until(() => scene.accepted.size > 0, "something is accepted");
  await load.stop();
  const address = addressOf(folder);
  await untilAllEnded(address);
  const tally = await check(scene, address, kills);
  await node.stop();
  t.diagnostic(`seed ${chance.seed}: ${kills} kills, ${withDatabase} with the database: ${JSON.stringify(tally)}`);
  assert.ok(tally.accepted > kills, "the load was worth it");
  return tally;
}
