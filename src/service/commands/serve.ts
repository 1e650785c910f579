import { waitAtMost } from "../../runtime/cleanup.ts";
import { keepHeapSmall } from "../../runtime/v8-heap.ts";
import { jsonLog } from "../../runtime/log.ts";
import { startSystemClock } from "../../runtime/system-clock.ts";
import { systemRandom } from "../../runtime/system-random.ts";
import { startService } from "../service.ts";
import { action } from "../../cli/command.ts";
import { readSettings } from "./settings.ts";

/** Beside the drain: for connections to be closed, and the database to be left. */
const CLOSING_MS_MAX = 10_000;

export const command = action({
  about:
    "Runs the service until SIGTERM or Ctrl-C, which let what is under way end. Settings are environment " +
    "variables; boathook config lists them. Once it listens, it prints one line of JSON with its addresses.",
  arguments: [],
  options: {},
  examples: [
    "boathook serve",
    "BOATHOOK_LISTEN=0.0.0.0:8080 BOATHOOK_DATA_DIR=/var/lib/boathook boathook serve",
  ],
  async run(_call, at) {
    const settings = readSettings(at);
    const log = jsonLog(settings.logLevel);
    keepHeapSmall();
    at.onCrash((cause) => log.error({ cause }, "boathook failed, and should not have; it ends at once"));
    const told = at.untilSignal();
    const clock = startSystemClock(log);
    try {
      const service = await startService(settings, { clock, random: systemRandom(), log });
      const { publicUrl, opsUrl } = service;
      at.out(`${JSON.stringify({ event: "listening", public: publicUrl, ops: opsUrl })}\n`);
      log.info({ signal: await told }, "stopping");
      if (await waitAtMost(clock, settings.drainMs + CLOSING_MS_MAX, service.stop())) {
        log.info({}, "stopped");
        return 0;
      }
      log.error(
        {},
        "not everything could be closed in time: does the database answer? The rest is taken over",
      );
      at.exitNow();
      return 1;
    } finally {
      clock.stop();
    }
  },
});
