import { products } from "../../products/index.ts";
import { describeSettings } from "../../runtime/configuration.ts";
import { waitAtMost } from "../../runtime/cleanup.ts";
import { keepHeapSmall } from "../../runtime/v8-heap.ts";
import { jsonLog } from "../../runtime/log.ts";
import { startSystemClock } from "../../runtime/system-clock.ts";
import { systemRandom } from "../../runtime/system-random.ts";
import { coreCount, thisWorker } from "../../runtime/worker-processes.ts";
import { startService, type Service } from "../service.ts";
import { action, type CommandFactory } from "../../cli/command.ts";
import { logStart } from "../start-line.ts";
import { startPrimary } from "../workers/primary.ts";
import { startWorker } from "../workers/worker.ts";
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
    keepHeapSmall();
    at.onCrash((cause) => log.error({ cause }, "boathook failed, and should not have; it ends at once"));
    const signalled = at.untilSignal();
    const clock = startSystemClock(log);
    const described = describeSettings(at.environment, products);
    const ports = { clock, random: systemRandom(), log, described };
    const stopMsMax = settings.drainNoticeMs + settings.drainMs + CLOSING_MS_MAX;
    const start = (): Promise<(Service & { readonly ended?: Promise<string> }) | null> => {
      if (worker !== null)
        return startWorker(settings, { number: worker.number, of: workers }, worker.port, ports);
      if (workers > 1)
        return startPrimary(settings, workers, stopMsMax, { program: at.program, signalled }, ports);
      return startService(settings, ports);
    };
    try {
      const service = await start();
      if (service === null && worker === null) return log.info({}, "stopped");
      if (service === null) return void (at.exitStatus = 1);
      const { publicUrl, opsUrl, ended } = service;
      if (worker === null)
        at.out(`${JSON.stringify({ event: "listening", public: publicUrl, ops: opsUrl })}\n`);
      log.info(
        { signal: await Promise.race([signalled, ...(ended === undefined ? [] : [ended])]) },
        "stopping",
      );
      // The primary kills a worker that takes longer, and ends a moment after it.
      const waitMsMax = worker === null && workers > 1 ? stopMsMax + CLOSING_MS_MAX : stopMsMax;
      if (await waitAtMost(clock, waitMsMax, service.stop())) return log.info({}, "stopped");
      log.error(
        {},
        "not everything closed in time: does the database answer? Another node takes over the rest",
      );
      at.exitStatus = 1;
      at.exitNow();
    } finally {
      clock.stop();
    }
  });
