import { action, CommandError, type CommandFactory } from "../../cli/command.ts";
import { secretOption } from "../../cli/files.ts";
import { JSON_OPTION, positiveNumber, wholeNumber } from "../../cli/options.ts";
import { withoutTrailingSlashes } from "../../runtime/trailing-slashes.ts";
import { withSimulatorHost } from "./simulator-host.ts";

const BOXES_DEFAULT = 1_000;
const BOXES_MAX = 1_000_000;
const WAYBILLS_DEFAULT = 1_000;
/** What is pushed of each is kept in order in memory. */
const WAYBILLS_MAX = 100_000;
const SEED_DEFAULT = 1;
const SEED_MAX = 999_999_999;
/** An hour of the harbour in little more than three seconds. */
const SPEED_DEFAULT = 1_000;
const PORT_MAX = 65_535;

export const command: CommandFactory = (at) =>
  action(
    "simulate",
    "Serve a made-up world of fourteen carriers, their vessels, voyages and boxes as DCSA Track & Trace 2.2 and 3.0 APIs " +
      "on loopback, under a sped-up clock: with delays, roll-overs, re-routes, misroutings, customs holds, and " +
      "carriers that report them late, wrongly or not at all. Beside it, serve a world of airlines and air waybills, " +
      "which answer Cargo-IMP (FSR) or ONE Record, or push messages, and a world of liner services, whose schedules " +
      "answer DCSA's Commercial Schedules 1.0 or Operational Vessel Schedules 3.0. The same seed gives the same worlds.",
    "boathook simulate --port 8090 --carriers-file carriers.json",
    "boathook simulate --port 8090 --track http://127.0.0.1:8080 --key-file key.txt",
  )
    .option("--boxes <number>", "how many boxes there are", wholeNumber(1, BOXES_MAX), BOXES_DEFAULT)
    .option(
      "--waybills <number>",
      "how many air waybills there are",
      wholeNumber(1, WAYBILLS_MAX),
      WAYBILLS_DEFAULT,
    )
    .option("--seed <number>", "which world it is", wholeNumber(0, SEED_MAX), SEED_DEFAULT)
    .option(
      "--speed <times>",
      "how many times faster than the real one its clock runs; that of schedules at most 100",
      positiveNumber,
      SPEED_DEFAULT,
    )
    .option(
      "--port <number>",
      "the port to listen on, and the two after it for airlines and for schedules; 0: three free ones",
      wholeNumber(0, PORT_MAX - 2),
      0,
    )
    .option("--carriers-file <path>", "write the carriers file for BOATHOOK_CARRIERS_FILE there")
    .option("--airlines-file <path>", "write the airlines file for BOATHOOK_AIRLINES_FILE there")
    .option("--schedules-file <path>", "write the schedules file for BOATHOOK_SCHEDULES_FILE there")
    .option("--force", "overwrite files that no simulation wrote")
    .option("--push <url>", "push the airlines' messages to a running service: its operator's address")
    .option("--operator-token <token>", "the operator's token for --push")
    .option("--operator-token-file <file>", "the same, out of sight of other users' ps")
    .option(
      "--track <url>",
      "have a running service track these shipments, or those of the world that runs on --port: its address",
    )
    .option("--key <key>", "the tracking key for --track")
    .option("--key-file <file>", "the same, out of sight of other users' ps")
    .option(...JSON_OPTION)
    .action(async (options) => {
      const { track, keyFile, push, operatorTokenFile, ...rest } = options;
      const key = await secretOption(options.key, keyFile, at);
      const operatorToken = await secretOption(options.operatorToken, operatorTokenFile, at);
      const tracking = bothOrNeither(track, key, "--track and --key go together.");
      const pushing = bothOrNeither(push, operatorToken, "--push and --operator-token go together.");
      const { simulate } = await import("@boathook/simulator");
      const world = {
        ...rest,
        force: options.force === true,
        json: options.json === true,
        operator: pushing && { url: withoutTrailingSlashes(pushing[0]), token: pushing[1] },
        track: tracking && { url: withoutTrailingSlashes(tracking[0]), key: tracking[1] },
      };
      await withSimulatorHost(at, (host) => simulate(world, host));
    });

function bothOrNeither(
  one: string | undefined,
  other: string | undefined,
  message: string,
): readonly [string, string] | null {
  if (one !== undefined && other !== undefined) return [one, other];
  if (one !== other) throw new CommandError(message);
  return null;
}
