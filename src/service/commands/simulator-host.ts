import type { DemoHost } from "@boathook/simulator";

import { CommandError } from "../../cli/command.ts";
import type { ExitStatus } from "../../cli/context.ts";
import { createAuthority, validAround } from "../../runtime/certificates.ts";
import type { Clock } from "../../runtime/clock.ts";
import { jsonLog } from "../../runtime/log.ts";
import type { ProcessContext } from "../../runtime/process-context.ts";
import { startSystemClock } from "../../runtime/system-clock.ts";

type SimulatorHost = ProcessContext & {
  readonly clock: Clock;
  failure(message: string, status: ExitStatus): Error;
};

/** This process as `@boathook/simulator` takes it: with a clock, which stops when `run` is done. */
export async function withSimulatorHost<Result>(
  at: ProcessContext,
  run: (host: SimulatorHost) => Promise<Result>,
): Promise<Result> {
  const clock = startSystemClock(jsonLog("warn"));
  const failure = (message: string, status: ExitStatus) => new CommandError(message, status);
  try {
    return await run({ ...at, clock, failure });
  } finally {
    clock.stop();
  }
}

/** The same, with certificates for a receiver. */
export function withDemoHost<Result>(
  at: ProcessContext,
  run: (host: DemoHost) => Promise<Result>,
): Promise<Result> {
  return withSimulatorHost(at, (host) => {
    const nowMs = host.clock.nowMs();
    const issueCertificate = async (name: string) => {
      const authority = await createAuthority(nowMs, "Boathook Demo Authority");
      const certificate = await authority.issue({ hosts: [name], ...validAround(nowMs) });
      return { authority: authority.cert, certificate };
    };
    return run({ ...host, issueCertificate });
  });
}
