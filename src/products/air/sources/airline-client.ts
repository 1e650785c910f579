/** The desk where airlines are asked: one for the whole process, so that their quotas hold for all who ask. */
import { createUpstream, type Upstream, type UpstreamPorts } from "../../../freight/upstream/upstream.ts";
import type { AirlineAnswer } from "./airline-answer.ts";
import type { Airline, FsrSource, OneRecordSource } from "./airlines/airline-schema.ts";
import { fetchRecord } from "./one-record/fetch.ts";
import { fetchStatus } from "./status-request/fetch.ts";

export type AirlineClientPorts = UpstreamPorts & { readonly airlines: readonly Airline[] };

export type AirlineClient = {
  /**
   * Asks an airline, one of the desk's, for all that it knows of a waybill: its sources in their order,
   * until one of them has something to say. An airline that only pushes is never asked, and `not_found`.
   * Never rejects.
   *
   * @param awb - eleven digits.
   * @param known - digest of the answer that was read last: where it is the same again, nothing is parsed.
   */
  fetch(airline: Airline, awb: string, known?: Buffer | null): Promise<AirlineAnswer>;
  /** Whether all of an airline's sources are left alone just now: asking would be answered with `breaker_open`. */
  isBreakerOpen(prefix: string): boolean;
};

/** A source that is asked, and how it is kept well. */
type SourceClient = { readonly source: FsrSource | OneRecordSource; readonly upstream: Upstream };

export function createAirlineClient({ airlines, ...ports }: AirlineClientPorts): AirlineClient {
  const { clock } = ports;
  const counters = new Map<string, readonly SourceClient[]>();
  for (const { prefixes, sources } of airlines) {
    const asked = sources.flatMap((source) =>
      source.kind === "push" ? [] : [{ source, upstream: createUpstream(source, ports) }],
    );
    for (const prefix of prefixes) counters.set(prefix, asked);
  }

  function askSource(
    { source, upstream }: SourceClient,
    airline: Airline,
    awb: string,
    known: Buffer | null,
  ) {
    if (source.kind === "one-record")
      return fetchRecord(upstream.get, { source, awb, knownDigest: known }, clock);
    const byAnswerDate = airline.asOf === "answer-date";
    return fetchStatus(upstream, { source, awb, knownDigest: known, byAnswerDate }, clock);
  }

  return {
    async fetch(airline, awb, known = null) {
      const asked = counters.get(airline.prefixes[0] ?? "");
      if (asked === undefined) throw new Error(`airline ${airline.iata} is none of this desk's`);
      let refused: NoStatement = { kind: "not_found" };
      for (const counter of asked) {
        const answer = await askSource(counter, airline, awb, known);
        if (answer.kind === "statement" || answer.kind === "unchanged") return answer;
        refused = worse(refused, answer);
      }
      return refused;
    },
    isBreakerOpen(prefix) {
      const asked = counters.get(prefix) ?? [];
      return asked.length > 0 && asked.every(({ upstream }) => upstream.isBreakerOpen());
    },
  };
}

type NoStatement = Exclude<AirlineAnswer, { kind: "statement" | "unchanged" }>;

/** From what says most to what says least about the waybill: a source that was down may know more. */
const SEVERITY: readonly NoStatement["kind"][] = ["not_found", "not_permitted", "unavailable"];

function worse(one: NoStatement, other: NoStatement): NoStatement {
  return SEVERITY.indexOf(other.kind) > SEVERITY.indexOf(one.kind) ? other : one;
}
