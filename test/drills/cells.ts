/** Faults of a service whose cells live on two servers. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";

import { killLeftDatabase, processesOf, startDatabase } from "../faults/postgres.ts";
import { atEnd } from "../faults/endings.ts";
import { ask, start, until, type Settings } from "../service/boathook.ts";
import { newClient } from "../service/client.ts";
import { databaseFolder } from "../support/database-folder.ts";
import type { Fault, Stage } from "./fault.ts";
import { sleep, TOKEN } from "./stage.ts";

type Server = Awaited<ReturnType<typeof startDatabase>>["postgres"];

const easts = new WeakMap<Stage, Server>();

/** A second server, called east. */
async function withEast(stage: Stage): Promise<Settings> {
  const folder = mkdtempSync(join(databaseFolder(), "boathook-east-"));
  atEnd(stage.t, () => rmSync(folder, { recursive: true, force: true }));
  killLeftDatabase(stage.t, folder);
  const { postgres, databaseUrl } = await startDatabase(folder);
  easts.set(stage, postgres);
  return { BOATHOOK_SERVERS: `east=${databaseUrl}` };
}

async function command(stage: Stage, words: string): Promise<void> {
  const running = start(stage.t, words.split(" "), stage.settings);
  const status = await running.ended;
  assert.equal(status, 0, running.out() + running.err());
}

/** A cell on east, and a client in it. */
async function liveInEast(stage: Stage): Promise<void> {
  await command(stage, "cells add --server east");
  await sleep(1_000);
  stage.client = await newClient(stage.service, TOKEN, stage.receiver);
  stage.endpoint = await stage.client.register(stage.service, "rates", "east");
  await until(async () => (await stage.raise()) === 202, "the new cell takes events");
}

function killAll({ pid }: Server): void {
  for (const one of processesOf(pid()!)) process.kill(one, "SIGKILL");
}

const LANE = { origin: "CNSHA", destination: "NLRTM", equipment: "40HC", currency: "USD" };

/** A trade lane's rate; one that changes is a broadcast. */
export async function rate({ service }: Stage, base: string): Promise<void> {
  const rates = [{ ...LANE, valid_from: "2020-01-01", base }];
  assert.equal((await ask("POST", `${service.opsUrl}/v1/rates`, TOKEN, { rates })).status, 200);
}

const onTwo = { settings: withEast, prepare: liveInEast };

export const CELLS: readonly Fault[] = [
  {
    ...onTwo,
    name: "A cell's server is gone",
    cause: (stage) => killAll(easts.get(stage)!),
    shows: {
      readyz: /"cells":\{[^}]*\}/,
      alert: "BoathookCellDown",
      metric: /^boathook_cell_up\{cell="1"\} 0/m,
      log: /warn: ([^{]*) \{"class":"(?:unreachable|restarting)"/,
      command: ["status", /^1 +east.*/m],
      linesMax: 2,
    },
  },
  {
    ...onTwo,
    name: "The directory's server is gone",
    cause: ({ database }) => killAll(database!.postgres),
    shows: {
      readyz: /"directory":"[^"]*"/,
      alert: "BoathookDirectoryDown",
      metric: /^boathook_directory_up 0/m,
      log: /warn: ([^{]*) \{"class":"(?:unreachable|restarting)"/,
      command: ["status", /[^\n]*cannot be used[^\n]*/],
      linesMax: 2,
    },
  },
  {
    ...onTwo,
    name: "A cell does not take messages of others",
    async cause(stage) {
      await rate(stage, "2000");
      killAll(easts.get(stage)!);
      await rate(stage, "2500");
    },
    shows: {
      alert: "BoathookMessagesLate",
      metric: /^boathook_outbox_oldest_seconds\{cell="1"\} [1-9]\S*/m,
      log: /warn: ([^{]*) \{"class":"(?:unreachable|restarting)"/,
      linesMax: 2,
    },
  },
];
