import { action, type CommandFactory } from "../../cli/command.ts";
import { JSON_OPTION, positiveNumber, wholeNumber } from "../../cli/options.ts";
import { withSimulatorHost } from "./simulator-host.ts";

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
    .action(async (folder, { json = false, ...options }) => {
      const { replay } = await import("@boathook/simulator");
      await withSimulatorHost(at, (host) => replay({ folder, json, ...options }, host));
    });
