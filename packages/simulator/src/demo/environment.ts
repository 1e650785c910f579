/** Everything that the demo starts: a temporary folder, a replayed carrier, an HTTPS receiver, and the service. */
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { serveReplay, type ServedReplay } from "../replay/server.ts";
import { ENDPOINTS, type DemoEndpoint } from "./fixtures.ts";
import type { DemoHost } from "./host.ts";
import type { JourneyClock } from "./journey-clock.ts";
import { startReceiver, type DemoReceiver, type ReceiverOptions } from "./receiver.ts";
import { startServiceProcess, type ServiceProcess } from "./service-process.ts";

export type DemoEnvironment = {
  readonly replay: ServedReplay;
  readonly receiver: DemoReceiver;
  readonly service: ServiceProcess;
  /** Where the service keeps the operator's token. */
  readonly tokenFile: string;
};

export type DemoEnvironmentOptions = Pick<ReceiverOptions, "onArrival"> & {
  readonly recordings: string;
  readonly journeys: JourneyClock;
  readonly host: DemoHost;
};

/** Shortened, so that a failure and its recovery can be watched. */
export const RETRY_WAITS = "1s,2s,2s,2s,2s";

/** Several polls for each moment of the journeys. */
const POLL_INTERVAL = "100ms";

const SCAC = "DEMO";

export function failuresOf(name: string, endpoints: readonly DemoEndpoint[] = ENDPOINTS): number {
  return endpoints.find((endpoint) => endpoint.name === name)?.failures ?? 0;
}

/** Defers the closing of each part to `opened` as it starts. The service may still be starting when it resolves. */
export async function openDemoEnvironment(
  options: DemoEnvironmentOptions,
  opened: AsyncDisposableStack,
): Promise<DemoEnvironment> {
  const { host } = options;
  const folder = await mkdtemp(join(tmpdir(), "boathook-demo-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  // As root, the embedded PostgreSQL runs as a user of its own, which has to reach its data in there.
  await chmod(folder, 0o711);

  const replay = await serveReplay({ folder: options.recordings, speed: 1, clock: options.journeys });
  opened.defer(() => replay.close());
  const carriersFile = join(folder, "carriers.json");
  const carrier = {
    scac: SCAC,
    name: "Replayed carrier",
    api: "dcsa-tnt-2.2",
    baseUrl: replay.url,
    asOf: "answer-date",
  };
  await writeFile(carriersFile, JSON.stringify([carrier]));

  const { authority, certificate } = await host.issueCertificate("127.0.0.1");
  const authorityFile = join(folder, "authority.pem");
  await writeFile(authorityFile, authority);
  const { onArrival } = options;
  const receiver = await startReceiver({
    clock: host.clock,
    onArrival,
    certificate,
    failuresOf: (name) => failuresOf(name),
  });
  opened.defer(() => receiver.close());

  const dataFolder = join(folder, "data");
  const service = startServiceProcess(
    {
      BOATHOOK_DATA_DIR: dataFolder,
      BOATHOOK_LISTEN: "127.0.0.1:0",
      BOATHOOK_OPS_LISTEN: "127.0.0.1:0",
      BOATHOOK_WORKERS: "1",
      BOATHOOK_RETRY_WAITS: RETRY_WAITS,
      BOATHOOK_ALLOW_PRIVATE_TARGETS: "127.0.0.0/8",
      BOATHOOK_EXTRA_CA_FILE: authorityFile,
      BOATHOOK_CARRIERS_FILE: carriersFile,
      BOATHOOK_POLL_INTERVAL: POLL_INTERVAL,
      BOATHOOK_LOG_LEVEL: "warn",
    },
    host,
  );
  opened.defer(() => service.stop());
  return { replay, receiver, service, tokenFile: join(dataFolder, "operator.token") };
}
