/** Starts that end at once. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

import { start } from "../service/boathook.ts";
import { query } from "../support/database.ts";
import type { Serving, Settings } from "../service/boathook.ts";
import type { Fault, Stage } from "./fault.ts";
import { at } from "./stage.ts";

/** Starts `serve` without waiting for it: it says why it ends. */
const starts =
  (settings: Settings | ((stage: Stage) => Settings) = {}) =>
  (stage: Stage): void => {
    const more = typeof settings === "function" ? settings(stage) : settings;
    const started = start(stage.t, ["serve"], {
      ...stage.settings,
      BOATHOOK_LISTEN: "127.0.0.1:0",
      ...at(stage.opsPorts[0]),
      ...more,
    });
    stage.service = { ...started, publicUrl: "", opsUrl: "" } satisfies Serving;
    void started.ended.then((status) => ends.set(stage, status));
  };
const ends = new WeakMap<Stage, number | null>();

const says = (log: RegExp, linesMax = 1) => ({ readyz: /no answer/, alert: "BoathookDown", log, linesMax });

/** A client's endpoint has been sealed before. */
async function hadService(stage: Stage): Promise<void> {
  const { newClient } = await import("../service/client.ts");
  const served = await stage.start(at(stage.opsPorts[1]));
  const client = await newClient(served, stage.settings["BOATHOOK_OPERATOR_TOKEN"]!, stage.receiver);
  await client.register(served, "rates", "rates");
  served.signal("SIGTERM");
  await served.ended;
}

export const STARTS: readonly Fault[] = [
  {
    atStart: true,
    name: "The master key is another",
    prepare: hadService,
    cause: starts({ BOATHOOK_MASTER_KEY: Buffer.alloc(32, 2).toString("base64") }),
    shows: says(/secrets of 1 endpoint[^\n]*/),
  },
  {
    atStart: true,
    name: "The master key is missing",
    cause: starts({ BOATHOOK_MASTER_KEY: "" }),
    shows: says(/[^\n]*BOATHOOK_MASTER_KEY[^\n]*/),
  },
  {
    atStart: true,
    name: "A setting is wrong",
    cause: starts({ BOATHOOK_RETRY_WAIT: "1s" }),
    shows: says(/BOATHOOK_RETRY_WAIT is[^\n]*/, 3),
  },
  {
    atStart: true,
    name: "The port is in use",
    async prepare({ t, opsPorts }) {
      const busy = createServer().listen(opsPorts[1], "127.0.0.1");
      await new Promise((resolve) => busy.once("listening", resolve));
      t.after(() => busy.close());
    },
    cause: starts(({ opsPorts }) => ({ BOATHOOK_LISTEN: `127.0.0.1:${opsPorts[1]}` })),
    shows: says(/cannot listen on[^\n]*/),
  },
  {
    atStart: true,
    embedded: true,
    name: "The data folder cannot be written to",
    cause: starts({ BOATHOOK_DATA_DIR: "/proc/boathook" }),
    shows: says(/[^\n]*\/proc[^\n]*/),
  },
  {
    atStart: true,
    name: "PostgreSQL does not run at the start",
    prepare: ({ database }) => database!.postgres.stop(),
    cause: starts(),
    shows: says(/[^\n]*cannot be used[^\n]*/),
  },
  {
    atStart: true,
    name: "The database is a newer Boathook's",
    prepare: ({ database }) =>
      query(
        database!.postgres.address,
        "insert into boathook_cell_0.migrations (name, run_on) values ('999_later', now())",
      ),
    cause: starts(),
    shows: says(/[^\n]*newer Boathook[^\n]*/),
  },
  {
    atStart: true,
    name: "The carriers file is wrong",
    cause: starts((stage) => {
      mkdirSync(stage.dataFolder, { recursive: true });
      const file = join(stage.dataFolder, "carriers.json");
      writeFileSync(file, "{");
      chmodSync(file, 0o600);
      return { BOATHOOK_CARRIERS_FILE: file };
    }),
    shows: says(/BOATHOOK_CARRIERS_FILE[^\n]*/),
  },
];
