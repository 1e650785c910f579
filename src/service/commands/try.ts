import { action, type CommandFactory } from "../../cli/command.ts";
import { wholeNumber } from "../../cli/options.ts";
import { withDemoHost } from "./simulator-host.ts";

const PORT_DEFAULT = 8080;
const PORT_MAX = 65_535;
const VARIABLES_DEFAULT = "boathook-try.env";

export const command: CommandFactory = (at) =>
  action(
    "try",
    "Start the service on a simulated world and on a database of its own, with a receiver, until Ctrl-C. Print the " +
      "addresses, keys, and commands to paste for each of the five products. Nothing is left behind.",
    "boathook try",
  )
    .option(
      "--port <number>",
      "of the public API; the operator's is the next; 0, or where one is taken: two free ones",
      wholeNumber(0, PORT_MAX - 1),
      PORT_DEFAULT,
    )
    .option("--variables <path>", "where the shell variables of the guides' examples go", VARIABLES_DEFAULT)
    .action(async (options) => {
      const { tryOut } = await import("@boathook/simulator");
      at.exitStatus = await withDemoHost(at, (host) => tryOut(options, host));
    });

/** What `demo --keep` starts. */
export const TRY_DEFAULTS = { port: PORT_DEFAULT, variables: VARIABLES_DEFAULT };
