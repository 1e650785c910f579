/** Two nodes on one database; one is frozen under load until the other has taken its place, and woken again. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { query } from "../support/database.ts";
import { chanceFor } from "./chance.ts";
import { furnish, startDatabase } from "./postgres.ts";
import { startNode } from "./process.ts";
import { check, untilAllEnded, type Tally } from "./books.ts";
import { startLoad } from "./load.ts";
import { cast, folderFor, openScene, QUICK } from "./scene.ts";
import { until } from "./until.ts";

const AWAKE_MS_MAX = 700;
/** How long a frozen node may lie beyond the moment when it was replaced. */
const LATE_MS_MAX = 300;

/** With `keys` some events are raised in transactions, and one frozen half-way takes longer to be replaced. */
export async function freezeAgainAndAgain(t: TestContext, freezes: number, keys: boolean): Promise<Tally> {
  const chance = chanceFor(t);
  const scene = await openScene(t);
  const dataFolder = folderFor(t);
  await furnish(t, dataFolder, async (store) => cast(scene, store));
  const { postgres, databaseUrl } = await startDatabase(dataFolder);
  const { masterKey, receiver } = scene;
  const options = { databaseUrl, dataFolder, masterKey, caFile: receiver.caFile, settings: QUICK };
  const nodes = [await startNode(t, options), await startNode(t, options)] as const;
  const loads = nodes.map((node) => startLoad(t, scene, () => node, { keys, pauseMs: 40 }));
  const numbers = async () => {
    const { rows } = await query(postgres.address, "select id from boathook_cell_0.nodes order by id");
    return rows.map((row: { id: number }) => row.id);
  };
  for (let frozen = 0; frozen < freezes; frozen++) {
    await sleep(chance.between(0, AWAKE_MS_MAX));
    const before = await numbers();
    const node = nodes[chance.between(0, 2)]!;
    node.freeze();
    await until(async () => (await numbers()).length === 1, "the frozen node is replaced");
    await sleep(chance.between(0, LATE_MS_MAX));
    node.wake();
    await until(async () => (await numbers()).length === 2, "the woken node joins again");
    assert.equal(
      (await numbers()).filter((number) => before.includes(number)).length,
      1,
      "under a new number",
    );
  }
  for (const load of loads) await load.stop();
  await untilAllEnded(postgres.address);
  const tally = await check(scene, postgres.address, freezes);
  for (const node of nodes) await node.stop();
  await postgres.stop();
  t.diagnostic(`seed ${chance.seed}: ${freezes} freezes: ${JSON.stringify(tally)}`);
  return tally;
}
