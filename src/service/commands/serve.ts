import { waitAtMost } from "../../runtime/cleanup.ts";
import { keepHeapSmall } from "../../runtime/v8-heap.ts";
import { jsonLog } from "../../runtime/log.ts";
import { startSystemClock } from "../../runtime/system-clock.ts";
import { systemRandom } from "../../runtime/system-random.ts";
import { startService } from "../service.ts";
import { action, type CommandFactory } from "../../cli/command.ts";
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
    const settings = readSettings(at);
    const log = jsonLog(settings.logLevel);
    keepHeapSmall();
    at.onCrash((cause) => log.error({ cause }, "boathook failed, and should not have; it ends at once"));
    const signalled = at.untilSignal();
    const clock = startSystemClock(log);
    try {
      const service = await startService(settings, { clock, random: systemRandom(), log });
      const { publicUrl, opsUrl } = service;
      at.out(`${JSON.stringify({ event: "listening", public: publicUrl, ops: opsUrl })}\n`);
      log.info({ signal: await signalled }, "stopping");
      if (await waitAtMost(clock, settings.drainMs + CLOSING_MS_MAX, service.stop())) {
        return log.info({}, "stopped");
      }
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
