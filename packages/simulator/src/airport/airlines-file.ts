/** The entries of the airlines in the airlines file, so that the service can ask them. */
import { credentialsFor, type Credentials } from "../world/access.ts";
import type { Airline } from "./airlines.ts";

/** An entry of the airlines file. */
export type AirlineEntry = {
  readonly name: string;
  readonly iata: string;
  readonly prefixes: string[];
  readonly sources: readonly AirlineSource[];
  readonly asOf: "now" | "answer-date";
};

type AirlineSource =
  | { readonly kind: "push" }
  | ({ readonly kind: "fsr"; readonly url: string } & Credentials)
  | ({ readonly kind: "one-record"; readonly objectUrl: string } & Credentials);

/**
 * `airportUrl` is where the airport is served; each airline has a path of its own beneath it. `asOf` is
 * `answer-date` where the airport's clock is not the service's.
 */
export function airlineEntry(
  airline: Airline,
  airportUrl: string,
  asOf: "now" | "answer-date",
): AirlineEntry {
  const { iata, name, prefix } = airline;
  const source = sourceOf(airline, `${airportUrl}/${iata}`);
  const sources: readonly AirlineSource[] = airline.alsoPushes ? [source, { kind: "push" }] : [source];
  return { name, iata, prefixes: [prefix], sources, asOf };
}

function sourceOf({ protocol, access }: Airline, baseUrl: string): AirlineSource {
  const credentials = credentialsFor(access, `${baseUrl}/token`);
  switch (protocol) {
    case "fsa":
      return { kind: "fsr", url: `${baseUrl}/fsr`, ...credentials };
    case "one-record":
      return {
        kind: "one-record",
        objectUrl: `${baseUrl}/logistics-objects/waybill-{awb}`,
        ...credentials,
      };
    case "fsu":
      return { kind: "push" };
  }
}
