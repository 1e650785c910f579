import { action, type CommandFactory } from "../../cli/command.ts";
import { positiveNumber } from "../../cli/options.ts";
import { createAuthority, validAround } from "../../runtime/certificates.ts";
import { withSimulatorHost } from "./simulator-host.ts";

export const command: CommandFactory = (at) =>
  action(
    "demo",
    "Start the service on a database of its own, a carrier that lives through recorded journeys, and an HTTPS " +
      "receiver. Register endpoints on all five products, and show what arrives. The demo ends by itself, with " +
      "status 0 when everything that should arrive has arrived.",
    "boathook demo",
    "boathook demo --recordings recorded/ --keep",
  )
    .option("--recordings <folder>", "recorded answers to replay instead of our own journeys")
    .option("--speed <times>", "2: the journeys pass twice as fast; 0.5: half as fast", positiveNumber, 1)
    .option("--keep", "stay until Ctrl-C, to try things by hand")
    .action(async ({ speed, recordings = null, keep = false }) => {
      const { demo } = await import("@boathook/simulator");
      at.exitStatus = await withSimulatorHost(at, (host) => {
        const nowMs = host.clock.nowMs();
        const issueCertificate = async (name: string) => {
          const authority = await createAuthority(nowMs, "Boathook Demo Authority");
          const certificate = await authority.issue({ hosts: [name], ...validAround(nowMs) });
          return { authority: authority.cert, certificate };
        };
        return demo({ speed, recordings, keep }, { ...host, issueCertificate });
      });
    });
