/** What a fault happens to: a database, a service with a client that raises events, and a receiver. */
import { createServer } from "node:net";
import type { TestContext } from "node:test";

import { killLeftDatabase, startDatabase } from "../faults/postgres.ts";
import { folderFor } from "../faults/scene.ts";
import { ask, serve, type Serving, type Settings } from "../service/boathook.ts";
import { newClient, startReceiver } from "../service/client.ts";
import { realClock } from "../support/real-clock.ts";
import type { Fault, Stage } from "./fault.ts";

export const TOKEN = "operator-token-of-the-drills";
export const MASTER_KEY = Buffer.alloc(32, 1).toString("base64");
const RAISE_EVERY_MS = 200;
const RAISE_MS_MAX = 5_000;

export const sleep = (ms: number) => new Promise<void>((resolve) => realClock.after(ms, resolve));

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { readonly port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Null where this machine cannot set the fault up; the test is skipped. */
export async function openStage(t: TestContext, fault: Fault): Promise<Stage | null> {
  const dataFolder = fault.folder?.(t) ?? folderFor(t);
  if (typeof dataFolder === "object") {
    t.skip(dataFolder.skip);
    return null;
  }
  killLeftDatabase(t, dataFolder);
  const database = fault.embedded === true ? null : await startDatabase(dataFolder);
  const receiver = await startReceiver(t);
  const opsPorts = [await freePort(), await freePort()] as const;
  const stage: Stage = {
    t,
    dataFolder,
    database,
    receiver,
    opsPorts,
    settings: {
      ...receiver.settings,
      BOATHOOK_DATA_DIR: dataFolder,
      ...(database === null ? {} : { BOATHOOK_DATABASE_URL: database.databaseUrl }),
      BOATHOOK_MASTER_KEY: MASTER_KEY,
      BOATHOOK_OPERATOR_TOKEN: TOKEN,
      BOATHOOK_CELLS: "1",
    },
    service: undefined as unknown as Serving,
    client: undefined as unknown as Stage["client"],
    endpoint: "",
    start: (settings = {}) => serve(t, { ...stage.settings, ...settings }),
    async restart(settings) {
      stage.service.signal("SIGKILL");
      await stage.service.ended;
      stage.service = await stage.start({ ...at(opsPorts[0]), ...settings });
    },
    raise: (count = 1) => raise(stage, count),
  };
  const more = typeof fault.settings === "function" ? await fault.settings(stage) : fault.settings;
  stage.settings = { ...stage.settings, ...more };
  if (fault.atStart !== true) await settle(stage, at(opsPorts[0]));
  await fault.prepare?.(stage);
  return stage;
}

export const at = (port: number): Settings => ({ BOATHOOK_OPS_LISTEN: `127.0.0.1:${port}` });

/** A service with a client that listens for the events that are raised until the test ends. */
async function settle(stage: Stage, settings: Settings): Promise<void> {
  stage.service = await stage.start(settings);
  stage.client = await newClient(stage.service, TOKEN, stage.receiver);
  stage.endpoint = await stage.client.register(stage.service, "rates", "rates");
  let isOver = false;
  stage.t.after(() => void (isOver = true));
  void (async () => {
    while (!isOver) {
      void stage.raise();
      await sleep(RAISE_EVERY_MS);
    }
  })();
}

async function raise({ service, client }: Stage, count: number): Promise<number | null> {
  const data = { index_id: "europe", dated: "2026-10-30", value: "1042.17" };
  const event = { product: "rates", account_id: client.accountId, type: "index_refreshed", data };
  const events = Array.from({ length: count }, () => event);
  const asked = ask("POST", `${service.opsUrl}/v1/events`, TOKEN, { events }).then(
    ({ status }) => status,
    () => null,
  );
  return Promise.race([asked, sleep(RAISE_MS_MAX).then(() => null)]);
}
