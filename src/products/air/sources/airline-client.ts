/** Polls airlines: one client for the whole process, so that an airline's quota holds for all callers. */
import { hasOwnTime, timeOfAnswer } from "../../../freight/sources/as-of.ts";
import { createUpstream, type Upstream, type UpstreamPorts } from "../../../freight/upstream/upstream.ts";
import { worse, type NoAnswer } from "../../../freight/upstream/no-answer.ts";
import type { AirlineAnswer } from "./airline-answer.ts";
import type { Airline, PolledSource } from "./airlines/airline-schema.ts";
import { fetchMapped } from "./mapped/fetch.ts";
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
   * @param isUnresolved - the airline has never known it.
   */
  fetch(
    airline: Airline,
    awb: string,
    knownDigest?: Buffer | null,
    isUnresolved?: boolean,
  ): Promise<AirlineAnswer>;
  /** Whether the circuit breaker of every source is open: a fetch would answer `breaker_open`. */
  isBreakerOpen(prefix: string): boolean;
};

/** The name of the upstream; `place` is the source's among the airline's. */
export const upstreamOf = (iata: string, { kind }: Pick<PolledSource, "kind">, place: number): string =>
  `air ${iata} ${kind} ${place + 1}`;

type SourceClient = {
  readonly upstream: Upstream;
  readonly fetch: (awb: string, knownDigest: Buffer | null, isUnresolved: boolean) => Promise<AirlineAnswer>;
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
    async fetch({ iata, prefixes }, awb, knownDigest = null, isUnresolved = false) {
      const clients = byPrefix.get(prefixes[0] ?? "");
      if (clients === undefined) throw new Error(`airline ${iata} has no client here`);
      let failure: NoAnswer = { kind: "not_found" };
      for (const client of clients) {
        const answer = await client.fetch(awb, knownDigest, isUnresolved);
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
  airline: Airline,
  source: PolledSource,
  place: number,
  ports: UpstreamPorts,
): SourceClient {
  const name = upstreamOf(airline.iata, source, place);
  const upstream = createUpstream(name, source, ports);
  return {
    upstream,
    async fetch(awb, knownDigest, isUnresolved) {
      const about = { subject: `waybill ${awb}`, isUnresolved };
      const get: Upstream["get"] = (url, options) => upstream.get(url, { ...options, ...about });
      const post: Upstream["post"] = (url, options) => upstream.post(url, { ...options, ...about });
      const ask = (): Promise<AirlineAnswer> => {
        if (source.kind === "one-record") return fetchRecord(get, { source, awb, knownDigest }, ports.clock);
        if (source.kind === "mapped")
          return fetchMapped({ get, post }, { source, awb, knownDigest }, ports.clock);
        return fetchStatus({ get, post }, { source, awb, knownDigest }, hasOwnTime(airline), ports.clock);
      };
      const answer = await ask();
      if (answer.kind !== "statement") return answer;
      if (answer.problems.length > 0) ports.onUpstreamSkipped?.(name, about.subject, answer.problems);
      const saidMs = timeOfAnswer(airline, answer, ports.clock);
      return { ...answer, statement: { ...answer.statement, saidMs, answer: source.kind } };
    },
  };
}
