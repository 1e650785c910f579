/** The entry of a line in the carriers file, so that the service can ask it. */
import type { Line } from "./lines.ts";

export type CarrierEntry = {
  readonly scac: string;
  readonly name: string;
  readonly api: "dcsa-tnt-2.2" | "dcsa-tnt-3.0";
  readonly baseUrl: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly ownerCodes: readonly string[];
  readonly asOf: "now" | "answer-date";
};

/**
 * `harbourUrl` is where the harbour is served; each line has a path of its own beneath it. `asOf` is
 * `answer-date` where the harbour's clock is not the service's.
 */
export function carrierEntry(line: Line, harbourUrl: string, asOf: CarrierEntry["asOf"]): CarrierEntry {
  const { access } = line;
  return {
    scac: line.scac,
    name: line.name,
    api: `dcsa-tnt-${line.version}`,
    baseUrl: `${harbourUrl}/${line.scac}`,
    ...(access.kind === "key" ? { headers: { [access.header]: access.value } } : {}),
    ownerCodes: [line.ownerCode],
    asOf,
  };
}
