/**
 * A service on a simulated world, with a receiver, until a signal: everything that the guides' examples need, in one
 * command.
 *
 *     ports ─▶ worlds ─▶ service ─▶ account, keys, endpoints, rates ─▶ first answers ─▶ welcome ─▶ arrivals until Ctrl-C
 */
import { mkdtemp, chmod, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createApi, type Api } from "../demo/api.ts";
import { arrivalText } from "../demo/display.ts";
import { failuresOf, RETRY_WAITS } from "../demo/environment.ts";
import { TRY_ENDPOINTS } from "../demo/fixtures.ts";
import type { DemoHost } from "../demo/host.ts";
import { startReceiver, type Arrival, type DemoReceiver } from "../demo/receiver.ts";
import { registerEndpoints, type Scenario } from "../demo/scenario.ts";
import { startServiceProcess, type ServiceProcess } from "../demo/service-process.ts";
import { createDemoState } from "../demo/state.ts";
import { trackReferences } from "../simulate/track.ts";
import type { Clock } from "../world/clock.ts";
import { requireOwnFile, writeVariables } from "./variables.ts";
import { freeListeners } from "./ports.ts";
import { loadRates, moveRates } from "./rates.ts";
import { welcomeText } from "./welcome.ts";
import { openWorlds, type TryWorlds } from "./worlds.ts";

export type TryOptions = {
  /** Of the public API; the operator's is the next one. Two free ones if one is taken, or if it is 0. */
  readonly port: number;
  /** Where the variables of the examples go. */
  readonly variables: string;
};

/** A container and a waybill of sources without quirks, which the guides show as well. */
const CONTAINER = "AVCU0000085";
const WAYBILL = "941-10000546";

/** Several polls of the worlds' days. */
const POLL_SETTINGS = {
  BOATHOOK_POLL_INTERVAL: "5s",
  BOATHOOK_POLL_INTERVAL_NEAR: "2s",
  BOATHOOK_AIR_POLL_INTERVAL: "5s",
  // One machine is all the clients.
  BOATHOOK_RATE_LIMIT_PER_ADDRESS: "6000",
};

/** How long the first answers of the sources are awaited before the welcome says less than the truth. */
const READY_MS_MAX = 30_000;
const READY_INTERVAL_MS = 100;

/** Resolves with 0 after a signal. */
export async function tryOut(options: TryOptions, host: DemoHost): Promise<0> {
  await requireOwnFile(options.variables, host);
  const ending = new AbortController();
  const ended = host.untilSignal().then(() => ending.abort());
  const opened = new AsyncDisposableStack();
  host.out("Starting the service, a simulated world and a receiver.\n");
  const running = openTry(options, ending.signal, host, opened);
  try {
    const service = await Promise.race([running, ended]);
    await Promise.race([ended, service?.exited]);
    return 0;
  } finally {
    // After a signal during startup, what it still opens has to be closed as well.
    await running.catch(() => {});
    await opened.disposeAsync();
  }
}

async function openTry(
  options: TryOptions,
  ending: AbortSignal,
  host: DemoHost,
  opened: AsyncDisposableStack,
): Promise<ServiceProcess> {
  const { clock } = host;
  const folder = await mkdtemp(join(tmpdir(), "boathook-try-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  // As root, the embedded PostgreSQL runs as a user of its own, which has to reach its data in there.
  await chmod(folder, 0o711);
  const [publicAddress, opsAddress] = await freeListeners(options.port);
  // The airlines' pushes are refused, and come again, until the service has made the token.
  const operator = { url: `http://${opsAddress}`, token: "none-yet" };
  const worlds = await openWorlds(folder, operator, host, opened);
  const shipments = createShipmentLink(host);
  const { receiver, authorityFile } = await openReceiver(folder, shipments.show, host, opened);

  const settings = { ...worlds.files, BOATHOOK_DATA_DIR: join(folder, "data") };
  const service = startServiceProcess(
    {
      ...settings,
      ...POLL_SETTINGS,
      BOATHOOK_LISTEN: publicAddress,
      BOATHOOK_OPS_LISTEN: opsAddress,
      BOATHOOK_WORKERS: "1",
      BOATHOOK_RETRY_WAITS: RETRY_WAITS,
      BOATHOOK_ALLOW_PRIVATE_TARGETS: "127.0.0.0/8",
      BOATHOOK_EXTRA_CA_FILE: authorityFile,
      BOATHOOK_LOG_LEVEL: "error",
    },
    host,
  );
  opened.defer(() => service.stop());
  const { publicUrl, opsUrl } = await service.listening;
  operator.token = (await readFile(join(folder, "data", "operator.token"), "utf8")).trim();

  const ops = createApi(opsUrl, operator.token);
  const today = new Date(clock.nowMs()).toISOString().slice(0, 10);
  await loadRates(ops, today);
  const scenario = await registerEndpoints(ops, publicUrl, receiver, TRY_ENDPOINTS);
  await untilReady(scenario, clock, ending);
  if (ending.aborted) return service;
  const { keys, accountId } = scenario;
  const variables = {
    API: publicUrl,
    OPS: opsUrl,
    TOKEN: operator.token,
    ACCOUNT: accountId,
    KEY: keys["tracking"]!,
    SCHEDULES_KEY: keys["schedules"]!,
    LOADING_KEY: keys["loading"]!,
    RECEIVER: receiver.url,
  };
  const exported = { ...settings, BOATHOOK_OPS_URL: opsUrl, BOATHOOK_OPERATOR_TOKEN: operator.token };
  const file = await writeVariables(options.variables, variables, exported, opened, host);
  const named = { publicUrl, opsUrl, receiverUrl: receiver.url, token: operator.token, keys };
  host.out(
    welcomeText({
      ...named,
      container: CONTAINER,
      waybill: WAYBILL,
      variablesFile: shellPath(file),
    }),
  );
  shipments.begin(`${opsUrl}/console/accounts/${accountId}/tracking`);
  keepMoving({ ops, today, worlds, publicUrl, key: keys["tracking"]!, ending }, host, opened);
  return service;
}

/** Leads into the console once, from the first delivery about a shipment after the welcome. */
function createShipmentLink({ out }: Pick<DemoHost, "out">) {
  let pages: string | null = null;
  return {
    begin: (at: string) => void (pages = at),
    show({ product, answeredStatus, data }: Arrival): void {
      const { container_id: id } = data;
      if (pages === null || product !== "tracking" || answeredStatus !== 204 || typeof id !== "string")
        return;
      out(`\nThat shipment in the console: ${pages}/${id}\n\n`);
      pages = null;
    },
  };
}

async function openReceiver(
  folder: string,
  onShown: (arrival: Arrival) => void,
  host: DemoHost,
  opened: AsyncDisposableStack,
): Promise<{ readonly receiver: DemoReceiver; readonly authorityFile: string }> {
  const { authority, certificate } = await host.issueCertificate("127.0.0.1");
  const authorityFile = join(folder, "authority.pem");
  await writeFile(authorityFile, authority);
  const seen = createDemoState();
  const receiver = await startReceiver({
    clock: host.clock,
    certificate,
    failuresOf: (name) => failuresOf(name, TRY_ENDPOINTS),
    onArrival(arrival) {
      host.out(`${arrivalText(seen.recordArrival(arrival))}\n`);
      onShown(arrival);
    },
    onStranger: (path, type) =>
      host.out(
        `${type} at ${path}, an endpoint of your own: answered 204, its signature is yours to check\n`,
      ),
  });
  opened.defer(() => receiver.close());
  return { receiver, authorityFile };
}

/** Until the examples that the welcome shows are answered in full: the sources are polled as soon as they are known. */
async function untilReady({ products }: Scenario, clock: Clock, ending: AbortSignal): Promise<void> {
  const { id } = await products["tracking"]!.post<{ id: string }>("/v1/containers", { reference: CONTAINER });
  const untilMs = clock.monotonicMs() + READY_MS_MAX;
  while (clock.monotonicMs() < untilMs && !ending.aborted) {
    const [container, sailings] = await Promise.all([
      products["tracking"]!.get<{ status?: string; data?: { status: string } }>(`/v1/containers/${id}`),
      products["schedules"]!.get<{ data: unknown[] }>("/public/sailings?origin=CNSHA&destination=NLRTM"),
    ]);
    const status = container.data?.status ?? container.status;
    if (status !== "pending" && sailings.data.length > 0) return;
    await new Promise<void>((resolve) => clock.after(READY_INTERVAL_MS, resolve));
  }
}

type Moving = {
  readonly ops: Api;
  readonly today: string;
  readonly worlds: TryWorlds;
  readonly publicUrl: string;
  readonly key: string;
  readonly ending: AbortSignal;
};

/** Tracks what is in transit, moves rates, and says when a day of the world has passed. */
function keepMoving(moving: Moving, host: DemoHost, opened: AsyncDisposableStack): void {
  const { ops, today, worlds, publicUrl, key, ending } = moving;
  const refused = (cause: unknown) => {
    if (!ending.aborted) host.err(`${(cause as Error).message}\n`);
  };
  void trackReferences({ url: publicUrl, key }, worlds.containers, worlds.waybills, host).catch(refused);
  const stopRates = moveRates(ops, today, host.clock);
  const stopDays = announceDays(worlds, host);
  opened.defer(async () => {
    stopRates();
    stopDays();
  });
}

const DAY_INTERVAL_MS = 1_000;

function announceDays(worlds: TryWorlds, { clock, out }: DemoHost): () => void {
  const dayNow = () => new Date(worlds.worldMs()).toISOString().slice(0, 10);
  let day = dayNow();
  let stop = () => {};
  const next = () => {
    stop = clock.after(DAY_INTERVAL_MS, () => {
      if (dayNow() !== day) out(`It is ${(day = dayNow())} for the ships and flights.\n`);
      next();
    });
  };
  next();
  return () => stop();
}

/** As `.` takes it: without a slash it would search PATH. */
function shellPath(path: string): string {
  return path.includes("/") ? path : `./${path}`;
}
