/** The requests of one fetch of a feed: one, with its further pages, for each service, vessel, port or pair. */
import { utcDay } from "../../../model/instant.ts";
import { DAY_MS } from "../../../runtime/durations.ts";
import type { FeedKind, PolledFeed } from "./feed-schema.ts";

export type FeedRequest = {
  /** As problems name it: `carrierServiceCode=FE1`. */
  readonly name: string;
  readonly first: URL;
  /** What a whole answer is complete about; null: nothing. */
  readonly scope: RequestScope | null;
};

export type RequestScope = {
  readonly service: string | null;
  readonly port: string | null;
  /** IMO number. */
  readonly vessel: string | null;
  /** The end of the requested time, milliseconds since the epoch. */
  readonly untilMs: number;
};

const DAYS_AHEAD_DEFAULT = 60;
const DAYS_BEHIND_DEFAULT = 7;

type Parameters = Readonly<Record<string, string>>;

/** The parameters' names are the standards' (CS 1.0.3, OVS 3.0.2). */
export function feedRequestsOf(feed: PolledFeed, nowMs: number): readonly FeedRequest[] {
  const untilMs = nowMs + (feed.daysAhead ?? DAYS_AHEAD_DEFAULT) * DAY_MS;
  const fromMs = nowMs - (feed.daysBehind ?? DAYS_BEHIND_DEFAULT) * DAY_MS;
  const window = WINDOWS[feed.kind](utcDay(fromMs), utcDay(untilMs), utcDay(nowMs));
  const isNarrowed = narrows(feed.parameters ?? {});
  return selectionsOf(feed).map(({ parameters, scope }) => {
    const first = new URL(feed.url);
    for (const [name, value] of Object.entries({ ...parameters, ...window, ...feed.parameters })) {
      if (value !== "") first.searchParams.set(name, value);
    }
    const name = Object.entries(parameters).map(([one, value]) => `${one}=${value}`);
    return {
      name: name.join("&") || "all",
      first,
      scope: isNarrowed ? null : scope && { ...scope, untilMs },
    };
  });
}

/** Whether a feed's own parameters may keep calls out of its answers; such a call is not gone. */
function narrows(parameters: Parameters): boolean {
  return Object.entries(parameters).some(([name, value]) => value !== "" && !HARMLESS.has(name));
}

const HARMLESS: ReadonlySet<string> = new Set(["limit", "responseScope"]);

type Window = (from: string, until: string, today: string) => Parameters;

/** Past calls are requested again, since their actual times come late; routings have no vessels that have left. */
const WINDOWS: { readonly [kind in FeedKind]: Window } = {
  "cs-vessel-schedules": (startDate, endDate) => ({ startDate, endDate }),
  "ovs-service-schedules": (startDate, endDate) => ({ startDate, endDate }),
  "cs-port-schedules": (date) => ({ date }),
  "cs-point-to-point": (_from, departureEndDate, departureStartDate) => ({
    departureStartDate,
    departureEndDate,
  }),
};

const ANY = { service: null, port: null, vessel: null };

type Selection = {
  readonly parameters: Parameters;
  readonly scope: Omit<RequestScope, "untilMs"> | null;
};

function selectionsOf({
  services = [],
  vessels = [],
  ports = [],
  pairs = [],
}: PolledFeed): readonly Selection[] {
  const selections: readonly Selection[] = [
    ...services.map((service) => ({
      parameters: { carrierServiceCode: service },
      scope: { ...ANY, service },
    })),
    ...vessels.map((vessel) => ({ parameters: { vesselIMONumber: vessel }, scope: { ...ANY, vessel } })),
    ...ports.map((port) => ({ parameters: { UNLocationCode: port }, scope: { ...ANY, port } })),
    // Routings are an offer, not a timetable.
    ...pairs.map(({ from, to }) => ({
      parameters: { placeOfReceipt: from, placeOfDelivery: to },
      scope: null,
    })),
  ];
  return selections.length > 0 ? selections : [{ parameters: {}, scope: ANY }];
}
