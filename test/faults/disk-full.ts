/** A PostgreSQL whose disk is full: a small file system of its own, filled under load and emptied again. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { atEnd } from "./endings.ts";
import { addressOf, furnish } from "./postgres.ts";
import { startNode } from "./process.ts";
import { check, untilAllEnded, type Tally } from "./books.ts";
import { startLoad } from "./load.ts";
import { cast, openScene, QUICK } from "./scene.ts";
import { until } from "./until.ts";

const DISK_MB = 160;
/** What is left when it is filled, so that the load does the rest. */
const LEFT_BYTES = 512 * 1024;
const FULL_MS = 1_500;
/** A new start of a server that could not start takes its time. */
const HEAL_MS_MAX = 30_000;

/** Why this machine cannot do it, or a folder that is a file system of `DISK_MB`. */
export function smallDisk(t: TestContext): { readonly folder: string } | { readonly reason: string } {
  if (process.platform !== "linux" || process.getuid?.() !== 0) {
    return { reason: "mounting a small file system takes root on Linux" };
  }
  const folder = mkdtempSync(join(tmpdir(), "boathook-disk-"));
  const mounted = spawnSync("mount", [
    "-t",
    "tmpfs",
    "-o",
    `size=${DISK_MB}m,mode=755`,
    "boathook-test",
    folder,
  ]);
  if (mounted.status !== 0) {
    rmSync(folder, { recursive: true });
    return { reason: `no file system can be mounted here: ${mounted.stderr?.toString().trim()}` };
  }
  atEnd(t, async () => {
    const isUnmounted = () => spawnSync("umount", [folder]).status === 0;
    await until(isUnmounted, "the small file system is given back");
    rmSync(folder, { recursive: true });
  });
  return { folder };
}

export async function fillAgainAndAgain(t: TestContext, disk: string, times: number): Promise<Tally> {
  const scene = await openScene(t);
  const dataFolder = join(disk, "data");
  await furnish(t, dataFolder, async (store) => cast(scene, store));
  const { masterKey, receiver } = scene;
  const node = await startNode(t, {
    databaseUrl: null,
    dataFolder,
    masterKey,
    caFile: receiver.caFile,
    settings: QUICK,
  });
  const load = startLoad(t, scene, () => node, { eventsACall: 50, pauseMs: 1 });
  const filler = join(disk, "filler");
  for (let filled = 0; filled < times; filled++) {
    const { accepted, refused } = { accepted: scene.accepted.size, refused: scene.refused };
    await until(() => scene.accepted.size > accepted, "events are accepted");
    fill(disk, filler);
    await until(() => scene.refused > refused, "calls are refused while the disk is full");
    await sleep(FULL_MS);
    rmSync(filler);
    const acceptedWhenFull = scene.accepted.size;
    await until(() => scene.accepted.size > acceptedWhenFull, "events are accepted again", HEAL_MS_MAX);
  }
  await load.stop();
  const address = addressOf(join(dataFolder, "postgres"));
  await untilAllEnded(address);
  const tally = await check(scene, address, times * 3);
  await node.stop();
  t.diagnostic(`the disk was full ${times} times: ${JSON.stringify(tally)}`);
  assert.ok(tally.refused > 0);
  return tally;
}

/** Writes until almost nothing is left; the database writes meanwhile, and may be first. */
function fill(disk: string, file: string): void {
  const { bavail, bsize } = statfsSync(disk);
  try {
    writeFileSync(file, Buffer.alloc(Math.max(0, bavail * bsize - LEFT_BYTES)));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ENOSPC") throw cause;
  }
}
