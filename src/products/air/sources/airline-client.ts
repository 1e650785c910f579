/** Polls airlines: one client for the whole process, so that an airline's quota holds for all callers. */
import { createUpstream, type Upstream, type UpstreamPorts } from "../../../freight/upstream/upstream.ts";
import type { NoAnswer } from "../../../freight/upstream/no-answer.ts";
import type { AirlineAnswer } from "./airline-answer.ts";
import type { Airline, FsrSource, OneRecordSource } from "./airlines/airline-schema.ts";
import { fetchRecord } from "./one-record/fetch.ts";
import { fetchStatus } from "./status-request/fetch.ts";

export type AirlineClientPorts = UpstreamPorts & { readonly airlines: readonly Airline[] };

export type AirlineClient = {
  /**
   * Polls a configured airline for all that it knows of a waybill: its sources in order, until one has a statement.
   * An airline that only pushes answers `not_found`. Never rejects.
   *
   * @param awb - eleven digits.
   * @param knownDigest - of the answer read last; the same answer is not parsed again.
   */
  fetch(airline: Airline, awb: string, knownDigest?: Buffer | null): Promise<AirlineAnswer>;
  /** Whether the circuit breaker of every source is open: a fetch would answer `breaker_open`. */
  isBreakerOpen(prefix: string): boolean;
};

type SourceClient = {
  readonly upstream: Upstream;
  readonly fetch: (awb: string, knownDigest: Buffer | null) => Promise<AirlineAnswer>;
};

export function createAirlineClient({ airlines, ...ports }: AirlineClientPorts): AirlineClient {
  const byPrefix = new Map(
    airlines.flatMap((airline) => {
      const clients = airline.sources.flatMap((source, place) =>
        source.kind === "push" ? [] : [sourceClient(airline, source, place, ports)],
      );
      return airline.prefixes.map((prefix) => [prefix, clients] as const);
    }),
  );
  return {
    async fetch({ iata, prefixes }, awb, knownDigest = null) {
      const clients = byPrefix.get(prefixes[0] ?? "");
      if (clients === undefined) throw new Error(`airline ${iata} has no client here`);
      let failure: NoAnswer = { kind: "not_found" };
      for (const client of clients) {
        const answer = await client.fetch(awb, knownDigest);
        if (answer.kind === "statement" || answer.kind === "unchanged") return answer;
        failure = worse(failure, answer);
      }
      return failure;
    },
    isBreakerOpen(prefix) {
      const clients = byPrefix.get(prefix) ?? [];
      return clients.length > 0 && clients.every(({ upstream }) => upstream.isBreakerOpen());
    },
  };
}

function sourceClient(
  { iata, asOf }: Airline,
  source: FsrSource | OneRecordSource,
  place: number,
  ports: UpstreamPorts,
): SourceClient {
  const upstream = createUpstream(`air ${iata} ${source.kind} ${place + 1}`, source, ports);
  return {
    upstream,
    async fetch(awb, knownDigest) {
      const byAnswerDate = asOf === "answer-date";
      const answer = await (source.kind === "one-record"
        ? fetchRecord(upstream.get, { source, awb, knownDigest }, ports.clock)
        : fetchStatus(upstream, { source, awb, knownDigest }, byAnswerDate, ports.clock));
      if (answer.kind !== "statement") return answer;
      const nowMs = ports.clock.nowMs();
      const saidMs = byAnswerDate ? (answer.dateMs ?? nowMs) : nowMs;
      return { ...answer, statement: { ...answer.statement, saidMs, answer: source.kind } };
    },
  };
}

/** From most to least certain about the waybill: a source that is down may know it. */
const SEVERITY: readonly NoAnswer["kind"][] = ["not_found", "not_permitted", "unavailable"];

function worse(one: NoAnswer, other: NoAnswer): NoAnswer {
  return SEVERITY.indexOf(other.kind) > SEVERITY.indexOf(one.kind) ? other : one;
}
