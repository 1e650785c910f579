import { resolve } from "node:path";

import { products } from "../../products/index.ts";
import { describeSettings } from "../../runtime/configuration.ts";
import { waitAtMost } from "../../runtime/cleanup.ts";
import { keepHeapSmall } from "../../runtime/v8-heap.ts";
import { jsonLog } from "../../runtime/log.ts";
import { startSystemClock } from "../../runtime/system-clock.ts";
import { systemRandom } from "../../runtime/system-random.ts";
import { coreCount, thisWorker } from "../../runtime/worker-processes.ts";
import { sleep } from "../../runtime/sleep.ts";
import { hasCluster } from "../../store/embedded/cluster.ts";
import type { EmbeddedPostgres } from "../../store/embedded/embedded.ts";
import { superviseEmbedded } from "../../store/embedded/supervise.ts";
import type { Service } from "../service.ts";
import { action, type CommandFactory } from "../../cli/command.ts";
import { logStart } from "../start-line.ts";
import { workerCount } from "../workers/worker-count.ts";
import { readSettings } from "./settings.ts";

/** After the drain: to close connections and leave the database. */
const CLOSING_MS_MAX = 10_000;

export const command: CommandFactory = (at) =>
  action(
    "serve",
    "Run the service until SIGTERM or Ctrl-C. It then finishes what is running. Settings are environment " +
      "variables: boathook config lists them. When it listens, it prints one line of JSON with its addresses.",
    "boathook serve",
    "BOATHOOK_LISTEN=0.0.0.0:8080 BOATHOOK_DATA_DIR=/var/lib/boathook boathook serve",
  ).action(async () => {
    const settings = readSettings(at, "service");
    const workers = workerCount(settings, coreCount());
    const worker = thisWorker();
    const log = jsonLog(settings.logLevel, undefined, worker === null ? null : { worker: worker.number });
    if (worker === null) logStart(settings, workers, log);
    at.onCrash((cause) => log.error({ cause }, "boathook failed, and should not have; it ends at once"));
    const signalled = at.untilSignal();
    const clock = startSystemClock(log);
    const described = describeSettings(at.environment, products);
    // Beside PostgreSQL's own start, the service is loaded and read; one is made only for settings that are right.
    const dataFolder = resolve(settings.dataFolder);
    const embedded =
      worker === null && settings.databaseUrl === null && hasCluster(dataFolder)
        ? superviseEmbedded({ dataFolder, clock, log })
        : undefined;
    // A failure to start is the service's, which waits for it.
    const running = embedded?.catch(() => null);
    let left: Promise<void> | null = null;
    const leaveEmbedded = () => (left ??= stopEmbedded(running));
    const ports = { clock, random: systemRandom(), log, described, embedded };
    const stopMsMax = settings.drainNoticeMs + settings.drainMs + CLOSING_MS_MAX;
    const start = async (): Promise<(Service & { readonly ended?: Promise<string> }) | null> => {
      // PostgreSQL starts within this turn of the loop, and loading blocks the next ones.
      await sleep(clock, 0);
      if (worker !== null) {
        const { startWorker } = await import("../workers/worker.ts");
        return startWorker(settings, { number: worker.number, of: workers }, worker.port, ports);
      }
      if (workers > 1) {
        const { startPrimary } = await import("../workers/primary.ts");
        return startPrimary(settings, workers, stopMsMax, { program: at.program, signalled }, ports);
      }
      const { startService } = await import("../service.ts");
      return startService(settings, ports);
    };
    try {
      const service = await start();
      if (service === null) {
        await leaveEmbedded();
        return worker === null ? log.info({}, "stopped") : void (at.exitStatus = 1);
      }
      const { publicUrl, opsUrl, ended } = service;
      // Not before: a heap that grows by loading would be collected again and again.
      keepHeapSmall();
      if (worker === null)
        at.out(`${JSON.stringify({ event: "listening", public: publicUrl, ops: opsUrl })}\n`);
      log.info(
        { signal: await Promise.race([signalled, ...(ended === undefined ? [] : [ended])]) },
        "stopping",
      );
      // The primary kills a worker that takes longer, and ends a moment after it.
      const waitMsMax = worker === null && workers > 1 ? stopMsMax + CLOSING_MS_MAX : stopMsMax;
      if (await waitAtMost(clock, waitMsMax, service.stop().then(leaveEmbedded)))
        return log.info({}, "stopped");
      log.error(
        {},
        "not everything closed in time: does the database answer? Another node takes over the rest",
      );
      at.exitStatus = 1;
      at.exitNow();
    } finally {
      await leaveEmbedded();
      clock.stop();
    }
  });

async function stopEmbedded(running: Promise<EmbeddedPostgres | null> | undefined): Promise<void> {
  await (await running)?.stop();
}
