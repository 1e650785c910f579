/** A process that is killed at random moments under load, alone and together with its database. */
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { readPidFile } from "../../src/store/embedded/postmaster.ts";
import { chanceFor } from "./chance.ts";
import { addressOf, furnish, killLeftDatabase } from "./postgres.ts";
import { startNode, type Raising } from "./process.ts";
import { newClient, QUICK_ENVIRONMENT, register, startServe } from "./service.ts";
import { check, untilAllEnded, type Tally } from "./books.ts";
import { startLoad } from "./load.ts";
import { cast, flaky, folderFor, openScene, QUICK, slow, well, type Scene } from "./scene.ts";
import { until } from "./until.ts";

const LIFE_MS_MAX = 900;

type Mortal = Raising & { kill(): Promise<void>; stop(): Promise<void> };

/** Starts the process; it finds its accounts and endpoints in the data folder. */
type Start = () => Promise<Mortal>;

/** Engines, each a process of its own. */
export async function killNodes(t: TestContext, kills: number): Promise<Tally> {
  const scene = await openScene(t);
  const dataFolder = folderFor(t);
  await furnish(t, dataFolder, async (store) => cast(scene, store));
  const { masterKey, receiver } = scene;
  const options = { databaseUrl: null, dataFolder, masterKey, caFile: receiver.caFile, settings: QUICK };
  return killAgainAndAgain(t, scene, dataFolder, kills, () => startNode(t, options));
}

/** The whole service, over HTTP. */
export async function killServices(t: TestContext, kills: number): Promise<Tally> {
  const scene = await openScene(t);
  const dataFolder = folderFor(t);
  killLeftDatabase(t, dataFolder);
  const start = () => startServe(t, scene, { ...QUICK_ENVIRONMENT, BOATHOOK_DATA_DIR: dataFolder });
  const first = await start();
  for (const manner of [well, flaky, slow]) await register(scene, first, await newClient(first), manner);
  await first.stop();
  return killAgainAndAgain(t, scene, dataFolder, kills, start);
}

async function killAgainAndAgain(
  t: TestContext,
  scene: Scene,
  dataFolder: string,
  kills: number,
  start: Start,
): Promise<Tally> {
  const chance = chanceFor(t);
  const folder = join(dataFolder, "postgres");
  let mortal: Mortal | null = null;
  const load = startLoad(t, scene, () => mortal);
  for (let killed = 0; killed < kills; killed++) {
    mortal = await start();
    await sleep(chance.between(0, LIFE_MS_MAX));
    const dying = mortal.kill();
    // Every other time the database goes along.
    if (killed % 2 === 1) process.kill(readPidFile(folder)!.pid, "SIGKILL");
    mortal = null;
    await dying;
  }
  mortal = await start();
  await until(() => scene.accepted.size > kills, "the load was worth it");
  await load.stop();
  const address = addressOf(folder);
  await untilAllEnded(address);
  const tally = await check(scene, address, kills);
  await mortal.stop();
  t.diagnostic(`seed ${chance.seed}: ${kills} kills: ${JSON.stringify(tally)}`);
  return tally;
}
