import { serveReplay } from "../../../packages/simulator/src/replay/server.ts";
import { jsonLog } from "../../runtime/log.ts";
import { startSystemClock } from "../../runtime/system-clock.ts";
import { action, CommandError } from "../../cli/command.ts";
import { JSON_OPTION, parsePositiveNumber, parseWholeNumber } from "../../cli/options.ts";
import { jsonText } from "../../cli/table.ts";

/** A day of the journey in a minute and a half. */
const SPEED_DEFAULT = "1000";
const PORT_MAX = 65_535;

export const command = action({
  about:
    "Serves a folder of recorded answers as a carrier's DCSA Track & Trace 2.2 API on loopback. Each event " +
    "appears when a sped-up clock reaches it, so that a shipment can be watched through its life.",
  arguments: ["folder"],
  options: {
    port: { type: "string", value: "number", about: "the port to listen on (default: one that is free)" },
    speed: {
      type: "string",
      value: "times",
      about: `how many times faster than it was (default ${SPEED_DEFAULT})`,
    },
    json: JSON_OPTION,
  },
  examples: ["boathook replay packages/simulator/journeys --speed 20000"],
  async run({ options, positionals: [folder = ""] }, at) {
    const port = parseWholeNumber("port", options.port ?? "0", 0, PORT_MAX);
    const speed = parsePositiveNumber("speed", options.speed ?? SPEED_DEFAULT);
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
    if (options.json === true) {
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
    return 0;
  },
});

function carrierEntry(baseUrl: string): string {
  const entry = { scac: "HRNL", name: "Replayed carrier", api: "dcsa-tnt-2.2", baseUrl, asOf: "answer-date" };
  return JSON.stringify([entry]);
}
