/** What a feed is asked for at a time: one request, and its further pages, for each service, vessel, port or pair. */
import { utcDay } from "../../../model/instant.ts";
import type { FeedKind, PolledFeed } from "./feed-schema.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

export type FeedRequest = {
  /** What it asks for, as problems name it: `carrierServiceCode=FE1`. */
  readonly name: string;
  readonly first: URL;
  /** What an answer without a gap would be complete about; null: it never is. */
  readonly scope: RequestScope | null;
};

export type RequestScope = {
  readonly service: string | null;
  readonly port: string | null;
  /** The end of what was asked for, milliseconds since the epoch. */
  readonly untilMs: number;
};

const DAYS_AHEAD_DEFAULT = 60;
const DAYS_BEHIND_DEFAULT = 7;

type RequestParameters = {
  readonly parameters: Readonly<Record<string, string>>;
  readonly scope: Omit<RequestScope, "untilMs"> | null;
};

/** Parameters' names are the standards' own (CS 1.0.3, OVS 3.0.2). */
export function feedRequestsOf(feed: PolledFeed, nowMs: number): readonly FeedRequest[] {
  const untilMs = nowMs + (feed.daysAhead ?? DAYS_AHEAD_DEFAULT) * DAY_MS;
  const fromMs = nowMs - (feed.daysBehind ?? DAYS_BEHIND_DEFAULT) * DAY_MS;
  const window = WINDOWS[feed.kind](utcDay(fromMs), utcDay(untilMs), utcDay(nowMs));
  const isNarrowed = narrows(feed.parameters ?? {});
  return parametersOf(feed).map(({ parameters, scope }) => {
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

/** Whether a feed's own parameters may keep calls from its answers: what is missing for that reason is not gone. */
function narrows(parameters: Readonly<Record<string, string>>): boolean {
  return Object.entries(parameters).some(([name, value]) => value !== "" && !HARMLESS.has(name));
}

const HARMLESS: ReadonlySet<string> = new Set(["limit", "responseScope"]);

type Window = (from: string, until: string, today: string) => Readonly<Record<string, string>>;

/** Calls that have begun are asked for again, since their actual times come late; what has left is on no routing. */
const WINDOWS: { readonly [kind in FeedKind]: Window } = {
  "cs-vessel-schedules": (startDate, endDate) => ({ startDate, endDate }),
  "ovs-service-schedules": (startDate, endDate) => ({ startDate, endDate }),
  "cs-port-schedules": (date) => ({ date }),
  "cs-point-to-point": (_from, departureEndDate, departureStartDate) => ({
    departureStartDate,
    departureEndDate,
  }),
};

function parametersOf({
  services = [],
  vessels = [],
  ports = [],
  pairs = [],
}: PolledFeed): readonly RequestParameters[] {
  const asked: readonly RequestParameters[] = [
    ...services.map((service) => ({
      parameters: { carrierServiceCode: service },
      scope: { service, port: null },
    })),
    // What a vessel no longer does, another may do in its place: only a service or a port knows what is gone.
    ...vessels.map((vessel) => ({ parameters: { vesselIMONumber: vessel }, scope: null })),
    ...ports.map((port) => ({ parameters: { UNLocationCode: port }, scope: { service: null, port } })),
    // Routings are an offer, not a timetable.
    ...pairs.map(({ from, to }) => ({
      parameters: { placeOfReceipt: from, placeOfDelivery: to },
      scope: null,
    })),
  ];
  return asked.length > 0 ? asked : [{ parameters: {}, scope: { service: null, port: null } }];
}
