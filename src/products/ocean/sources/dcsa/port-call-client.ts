/**
 * The client of a carrier's Port Call 2.0 API, if it has one: the events of its vessels within ports that they are
 * about to call at or have just called at. All boxes of a vessel share a request.
 *
 *     unknown ─▶ fetching, shared by all ─▶ cached ─(no longer fresh)─▶ fetching ─▶ …
 *                   └─ no answer: cached events stay for a day
 */
import { DAY_MS, MINUTE_MS } from "../../../../runtime/durations.ts";
import type { Clock } from "../../../../runtime/clock.ts";
import { withoutTrailingSlashes } from "../../../../runtime/trailing-slashes.ts";
import { mergeHeaders } from "../../../../freight/upstream/headers.ts";
import type { UpstreamGet } from "../../../../freight/upstream/upstream.ts";
import type { CarrierEvent } from "../carrier-event.ts";
import type { Carrier } from "../carriers.ts";
import { fetchPages } from "../../../../freight/dcsa/pages.ts";
import { runInSlices } from "../../../../runtime/time-slices.ts";
import { parseBodies } from "./fetch.ts";
import { spellingWith } from "../../../../freight/dcsa/spelling.ts";

export type PortCallClient = ReturnType<typeof createPortCallClient>;

/** Arrivals nearer than this, before or after now, are fetched. */
const NEAR_MS = 3 * DAY_MS;
/** For one answer: the boxes of a bill of lading may travel apart. */
const CALLS_MAX = 4;
const HISTORY_MS = 14 * DAY_MS;
const FRESH_MS = 10 * MINUTE_MS;
const RETRY_MS = MINUTE_MS;
const CACHE_MS = DAY_MS;
/** Beyond it, the calls first fetched longest ago are dropped. */
const CACHED_CALLS_MAX = 5_000;
const TIMEOUT_MS = 5_000;

type Call = { readonly imo: string; readonly unlocode: string };
type CachedCall = {
  freshUntilMs: number;
  keptUntilMs: number;
  events: readonly CarrierEvent[];
  fetching: Promise<void> | null;
};

export function createPortCallClient(get: UpstreamGet, carrier: Carrier, clock: Clock) {
  const calls = new Map<string, CachedCall>();

  function cachedCall(key: string): CachedCall {
    const cached = calls.get(key) ?? { freshUntilMs: 0, keptUntilMs: 0, events: [], fetching: null };
    calls.set(key, cached);
    if (calls.size > CACHED_CALLS_MAX) calls.delete(calls.keys().next().value ?? key);
    return cached;
  }

  async function refetch(cached: CachedCall, call: Call, nowMs: number): Promise<void> {
    const events = await fetchCall(get, carrier, call, nowMs, clock);
    const atMs = clock.monotonicMs();
    cached.freshUntilMs = atMs + (events === null ? RETRY_MS : FRESH_MS);
    if (events !== null) {
      cached.events = events;
      cached.keptUntilMs = atMs + CACHE_MS;
    } else if (atMs >= cached.keptUntilMs) cached.events = [];
  }

  async function eventsOf(call: Call, nowMs: number): Promise<readonly CarrierEvent[]> {
    const cached = cachedCall(`${call.imo} ${call.unlocode}`);
    if (cached.fetching !== null || clock.monotonicMs() >= cached.freshUntilMs) {
      cached.fetching ??= refetch(cached, call, nowMs).finally(() => {
        cached.fetching = null;
      });
      await cached.fetching;
    }
    return cached.events;
  }

  return {
    /** The port calls for a box's events; `nowMs` is by the carrier's clock. Never rejects. */
    async portCallsFor(events: readonly CarrierEvent[], nowMs: number): Promise<readonly CarrierEvent[]> {
      const found = await Promise.all(callsNear(events, nowMs).map((call) => eventsOf(call, nowMs)));
      return found.flat();
    },
  };
}

/** The calls at which the box's vessels arrive about now, the nearest in time first. */
function callsNear(events: readonly CarrierEvent[], nowMs: number): readonly Call[] {
  const awayMs = ({ at }: CarrierEvent): number => Math.abs(at.ms - nowMs);
  const near = events
    .filter((event) => event.mode === "vessel" && event.code === "ARRI" && awayMs(event) <= NEAR_MS)
    .toSorted((a, b) => awayMs(a) - awayMs(b))
    .flatMap(({ vessel, place }) =>
      vessel?.imo && place?.unlocode ? [{ imo: vessel.imo, unlocode: place.unlocode }] : [],
    );
  return [...new Map(near.map((call) => [`${call.imo} ${call.unlocode}`, call])).values()].slice(
    0,
    CALLS_MAX,
  );
}

/** Null: no answer. */
async function fetchCall(
  get: UpstreamGet,
  { portCalls, headers, spelling }: Carrier,
  { imo, unlocode }: Call,
  nowMs: number,
  clock: Clock,
): Promise<readonly CarrierEvent[] | null> {
  if (portCalls === undefined) return [];
  const first = new URL(`${withoutTrailingSlashes(portCalls.baseUrl)}/events`);
  first.searchParams.set("vesselIMONumber", imo);
  first.searchParams.set("UNLocationCode", unlocode);
  first.searchParams.set("eventTimestampMin", new Date(nowMs - HISTORY_MS).toISOString());
  // Track & Trace may have a version of its own.
  const sent = mergeHeaders({ ...mergeHeaders({}, headers), "api-version": "2.0.0" }, portCalls.headers);
  const pages = await fetchPages(get, { first, headers: sent, timeoutMs: TIMEOUT_MS }, clock);
  if (pages.kind === "not_found") return [];
  if (pages.kind !== "pages") return null;
  const parsed = await runInSlices(parseBodies(pages.bodies, spellingWith(spelling)), clock);
  const events = typeof parsed === "string" ? null : parsed.events;
  // Not every publisher applies all filters.
  return events?.filter(({ vessel, place }) => vessel?.imo === imo && place?.unlocode === unlocode) ?? null;
}
