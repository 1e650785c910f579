/** Serves recorded answers as a carrier until a signal ends it, and prints what it can be asked for. */
import { jsonText, type Host } from "../host.ts";
import { serveReplay, type ServedReplay } from "./server.ts";

export type ReplayOptions = {
  readonly folder: string;
  /** 0: a free one. */
  readonly port: number;
  /** Milliseconds of the journey for each real one. */
  readonly speed: number;
  readonly json: boolean;
};

export async function replay({ folder, port, speed, json }: ReplayOptions, host: Host): Promise<void> {
  const served = await serveReplay({ folder, port, speed, clock: host.clock }).catch((cause: unknown) => {
    throw host.failure(`${folder} cannot be replayed: ${(cause as Error).message}`, 1);
  });
  host.out(json ? jsonOf(served) : textOf(served));
  await host.untilSignal();
  await served.close();
}

function jsonOf({ url, references }: ServedReplay): string {
  return jsonText({ event: "listening", url, references });
}

function textOf({ url, references }: ServedReplay): string {
  const entry = {
    scac: "HRNL",
    name: "Replayed carrier",
    api: "dcsa-tnt-2.2",
    baseUrl: url,
    asOf: "answer-date",
  };
  return [
    `A carrier answers at ${url}/events`,
    "It knows of:",
    ...references.map(({ recording, parameter, value }) => `  ${value}  (${parameter}, ${recording})`),
    `Name it in the carriers file: ${JSON.stringify([entry])}`,
    "End it with Ctrl-C.",
    "",
  ].join("\n");
}
