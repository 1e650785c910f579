import { serveReplay } from "../../../packages/simulator/src/replay/server.ts";
import { jsonLog } from "../../runtime/log.ts";
import { startSystemClock } from "../../runtime/system-clock.ts";
import { action, CommandError, type CommandFactory } from "../../cli/command.ts";
import { JSON_OPTION, positiveNumber, wholeNumber } from "../../cli/options.ts";
import { jsonText } from "../../cli/print.ts";

/** A day of the journey in a minute and a half. */
const SPEED_DEFAULT = 1_000;
const PORT_MAX = 65_535;

export const command: CommandFactory = (at) =>
  action(
    "replay",
    "Serve a folder of recorded answers as a carrier's DCSA Track & Trace 2.2 API on loopback. Each event appears " +
      "when a sped-up clock reaches it, so that you can watch a shipment through its life.",
    "boathook replay packages/simulator/journeys --speed 20000",
  )
    .argument("<folder>")
    .option("--port <number>", "the port to listen on; 0: a free one", wholeNumber(0, PORT_MAX), 0)
    .option("--speed <times>", "how many times faster than it was", positiveNumber, SPEED_DEFAULT)
    .option(...JSON_OPTION)
    .action(async (folder, { port, speed, json }) => {
      const clock = startSystemClock(jsonLog("warn"));
      const replay = await serveReplay({ folder, port, speed, clock }).catch((cause: unknown) => {
        clock.stop();
        throw new CommandError(`${folder} cannot be replayed: ${(cause as Error).message}`, 1);
      });
      const references = replay.references.map(({ recording, parameter, value }) => ({
        recording,
        parameter,
        value,
      }));
      if (json) {
        at.out(jsonText({ event: "listening", url: replay.url, references }));
      } else {
        at.out(`A carrier answers at ${replay.url}/events\nIt knows of:\n`);
        for (const { recording, parameter, value } of references)
          at.out(`  ${value}  (${parameter}, ${recording})\n`);
        at.out(`Name it in the carriers file: ${carrierEntry(replay.url)}\nEnd it with Ctrl-C.\n`);
      }
      await at.untilSignal();
      await replay.close();
      clock.stop();
    });

function carrierEntry(baseUrl: string): string {
  const entry = { scac: "HRNL", name: "Replayed carrier", api: "dcsa-tnt-2.2", baseUrl, asOf: "answer-date" };
  return JSON.stringify([entry]);
}
