/** The entries of the lines in the carriers file, so that the service can ask them. */
import { credentialsFor, type Credentials } from "../world/access.ts";
import type { Line } from "./lines.ts";

/** An entry of the carriers file. */
export type CarrierEntry = Credentials & {
  readonly scac: string;
  readonly name: string;
  readonly api: `dcsa-tnt-${Line["version"]}`;
  readonly baseUrl: string;
  readonly ownerCodes: string[];
  readonly asOf: "now" | "answer-date";
};

/**
 * `harbourUrl` is where the harbour is served; each line has a path of its own beneath it. `asOf` is
 * `answer-date` where the harbour's clock is not the service's.
 */
export function carrierEntry(line: Line, harbourUrl: string, asOf: "now" | "answer-date"): CarrierEntry {
  const { access, scac } = line;
  const baseUrl = `${harbourUrl}/${scac}`;
  return {
    scac,
    name: line.name,
    api: `dcsa-tnt-${line.version}`,
    baseUrl,
    ownerCodes: [line.ownerCode],
    asOf,
    ...credentialsFor(access, `${baseUrl}/token`),
  };
}
