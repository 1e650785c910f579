/**
 * All that the demo starts: a folder of its own, a replayed carrier, an HTTPS receiver whose certificate
 * is made on the spot, and the service. Taken down backwards, whatever happens.
 */
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { serveReplay, type ServedReplay } from "../replay/server.ts";
import { createAuthority, validAround } from "../../../../src/runtime/certificates.ts";
import type { Clock } from "../../../../src/runtime/clock.ts";
import type { CleanupStack } from "../../../../src/runtime/cleanup.ts";
import type { ProcessContext } from "../../../../src/runtime/process-context.ts";
import { ENDPOINTS } from "./fixtures.ts";
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
  readonly clock: Clock;
  readonly at: ProcessContext;
};

/** Shortened, so that a failure and its recovery can be watched. */
export const RETRY_WAITS = "1s,2s,2s,2s,2s";

/** Some looks for every moment of the journeys. */
const POLL_INTERVAL = "100ms";

const SCAC = "DEMO";

function failuresOf(name: string): number {
  return ENDPOINTS.find((endpoint) => endpoint.name === name)?.failures ?? 0;
}

/** Puts each part on `opened` as soon as it is there; the service is still starting when it resolves. */
export async function openDemoEnvironment(
  options: DemoEnvironmentOptions,
  opened: CleanupStack,
): Promise<DemoEnvironment> {
  const { at, clock } = options;
  const folder = await mkdtemp(join(tmpdir(), "boathook-demo-"));
  opened.push(() => rm(folder, { recursive: true, force: true }));
  // PostgreSQL's own user, where we are root, passes through.
  await chmod(folder, 0o711);

  const replay = await serveReplay({ folder: options.recordings, speed: 1, clock: options.journeys });
  opened.push(() => replay.close());
  const carriersFile = join(folder, "carriers.json");
  const carrier = {
    scac: SCAC,
    name: "Replayed carrier",
    api: "dcsa-tnt-2.2",
    baseUrl: replay.url,
    asOf: "answer-date",
  };
  await writeFile(carriersFile, JSON.stringify([carrier]));

  const authority = await createAuthority(clock.nowMs(), "Boathook Demo Authority");
  const authorityFile = join(folder, "authority.pem");
  await writeFile(authorityFile, authority.cert);
  const certificate = await authority.issue({ hosts: ["127.0.0.1"], ...validAround(clock.nowMs()) });
  const receiver = await startReceiver({ ...options, certificate, failuresOf });
  opened.push(() => receiver.close());

  const dataFolder = join(folder, "data");
  const service = startServiceProcess(
    {
      BOATHOOK_DATA_DIR: dataFolder,
      BOATHOOK_LISTEN: "127.0.0.1:0",
      BOATHOOK_OPS_LISTEN: "127.0.0.1:0",
      BOATHOOK_RETRY_WAITS: RETRY_WAITS,
      BOATHOOK_ALLOW_PRIVATE_TARGETS: "127.0.0.0/8",
      BOATHOOK_EXTRA_CA_FILE: authorityFile,
      BOATHOOK_CARRIERS_FILE: carriersFile,
      BOATHOOK_POLL_INTERVAL: POLL_INTERVAL,
      BOATHOOK_LOG_LEVEL: "warn",
    },
    at,
    clock,
  );
  opened.push(() => service.stop());
  return { replay, receiver, service, tokenFile: join(dataFolder, "operator.token") };
}
