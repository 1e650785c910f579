import { action, CommandError, type CommandFactory } from "../../cli/command.ts";
import { positiveNumber } from "../../cli/options.ts";
import { withDemoHost } from "./simulator-host.ts";
import { TRY_DEFAULTS } from "./try.ts";

export const command: CommandFactory = (at) =>
  action(
    "demo",
    "Start the service on a database of its own, a carrier that lives through recorded journeys, and an HTTPS " +
      "receiver. Register endpoints on all five products, and show what arrives. The demo ends by itself, with " +
      "status 0 when everything that should arrive has arrived. To try things by hand, see `boathook try`.",
    "boathook demo",
    "boathook demo --recordings recorded/",
  )
    .option("--recordings <folder>", "recorded answers to replay instead of our own journeys")
    .option("--speed <times>", "2: the journeys pass twice as fast; 0.5: half as fast", positiveNumber, 1)
    .option("--keep", "the same as `boathook try`")
    .action(async ({ speed, recordings = null, keep = false }) => {
      const { demo, tryOut } = await import("@boathook/simulator");
      if (keep && recordings !== null) {
        throw new CommandError("--keep runs a simulated world (boathook try): it takes no --recordings.");
      }
      at.exitStatus = await withDemoHost(at, (host) =>
        keep ? tryOut(TRY_DEFAULTS, host) : demo({ speed, recordings }, host),
      );
    });
