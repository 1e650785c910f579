/** What a world looked like from outside, and what that says of an endpoint and of an attempt. */
import type { Body } from "./http.ts";
import type { RaisedBySource, ShownCall, ShownStatuses } from "./journeys.ts";

export const ATTEMPTS_MAX = 6;
export const DISABLED_AT = 20;

/** How long after its end a fault may still cost a result: connections are made again, a write is tried again. */
export const NOTICED_MS_MAX = 3_000;
/** After a fault, until a node is replaced and what it had is found. */
export const RECOVERED_MS_MAX = 60_000;

/** An endpoint as its owner knows it. */
export type KnownEndpoint = {
  readonly id: string;
  readonly account: number;
  readonly product: string;
  readonly url: string;
  readonly secret: string;
  readonly types: readonly string[];
  /** When its registration was asked for and answered. */
  readonly askedMs: number;
  readonly madeMs: number;
  /** Changes of whether it receives. */
  readonly switches: Change<"active" | "paused" | "deleted">[];
  readonly descriptions: Change<string>[];
};

/** In the order of the questions; `doneMs` null: nobody knows whether it was made. */
export type Change<To> = { readonly to: To; readonly askedMs: number; doneMs: number | null };

/** An event that somebody raised; its marker is in its data. */
export type RaisedCall = {
  readonly account: number;
  readonly product: string;
  readonly type: string;
  readonly markers: readonly string[];
  readonly askedMs: number;
  /** Null: nobody knows. */
  outcome: "accepted" | "refused" | null;
  doneMs: number;
};

export type Arrival = {
  readonly url: string;
  /** Who sent it. */
  readonly node: string;
  readonly atMs: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** What the node reports: the status of a whole answer; otherwise, why there is none. */
  readonly answered: number | string;
  /** The status of an answer that broke off. */
  readonly broken: number | null;
  /** When the node had the answer. */
  endedMs: number;
};

/** A delivery as the API shows it at the end. */
export type FinalDelivery = {
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly status: string;
  readonly attemptCount: number;
  readonly deliveredAt: string | null;
  readonly parkedUntil: string | null;
};

export type FinalEndpoint = {
  readonly id: string;
  readonly active: boolean;
  readonly failureCount: number;
  readonly lastDeliveryAt: string | null;
};

/** What the service showed of endpoints in the middle of it all. */
export type Look = {
  readonly askedMs: number;
  readonly doneMs: number;
  readonly endpoints: readonly FinalEndpoint[];
};

/** What its owner was shown of an endpoint; without data, it was not found. */
export type ShownEndpoint = {
  readonly id: string;
  readonly askedMs: number;
  readonly doneMs: number;
  readonly data: Body | undefined;
};

/** What was revoked, as a client sends it, and which node was asked to. */
export type Revoked = {
  readonly texts: readonly string[];
  readonly product: string;
  readonly node: string;
  readonly doneMs: number;
};

/** A revoked credential was let in, or not. */
export type Knock = {
  readonly node: string;
  readonly isOwn: boolean;
  readonly revokedMs: number;
  readonly askedMs: number;
  readonly doneMs: number;
  readonly isLetIn: boolean;
};

/** Something that needs the entitlement of air cargo. */
export type Entitled = {
  readonly account: number;
  readonly askedMs: number;
  readonly doneMs: number;
  readonly status: number;
};

/** What a node counted of itself since its start. */
export type Metered = {
  readonly node: string;
  readonly askedMs: number;
  readonly doneMs: number;
  /** That have ended. */
  readonly attempts: number;
  /** Of the database. */
  readonly errors: number;
  /** Broken invariants, and errors that it has no name for. */
  readonly bugs: number;
};

/** Whether a node said that it can serve, and that it misses the directory. */
export type Readiness = {
  readonly node: string;
  readonly askedMs: number;
  readonly doneMs: number;
  readonly isReady: boolean;
  readonly missesDirectory: boolean;
};

/** A call that needs no directory: an event was raised, or a caller's key is known to the node. */
export type Served = {
  readonly what: string;
  /** When its account was opened, or its key known. */
  readonly sinceMs: number;
  readonly askedMs: number;
  readonly doneMs: number;
  readonly isAnswered: boolean;
};

/** Of an attempt whose node died before it ended. */
export const LOST = "lost";

/** A time in which results may be lost: those of one node, or of all. */
export type Fault = {
  readonly kind: string;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly node: string | null;
};

/** What a world looked like from outside. */
export type Observed = {
  /** When all was over. */
  readonly endedMs: number;
  readonly endpoints: readonly KnownEndpoint[];
  /** URLs of registrations that were never answered: nobody knows their endpoints. */
  readonly unanswered: ReadonlySet<string>;
  readonly raised: readonly RaisedCall[];
  readonly bySources: readonly RaisedBySource[];
  /** In the order of time, the last two around the reading of what sources raised; where clocks jumped, none. */
  readonly journeys: readonly ShownStatuses[];
  /** None where no schedules are fetched. */
  readonly calls: readonly ShownCall[];
  /** When the API's changelog has a new entry. */
  readonly announcedMs: number;
  /** Deliveries of pings that were asked for. */
  readonly pings: ReadonlySet<string>;
  /** Endpoints of which a request for a ping was never answered: it may have been queued. */
  readonly pingsUnknown: ReadonlySet<string>;
  readonly arrivals: readonly Arrival[];
  readonly deliveries: readonly FinalDelivery[];
  readonly finals: readonly FinalEndpoint[];
  readonly looks: readonly Look[];
  readonly readiness: readonly Readiness[];
  readonly served: readonly Served[];
  readonly metered: readonly Metered[];
  readonly shown: readonly ShownEndpoint[];
  readonly knocks: readonly Knock[];
  readonly entitled: readonly Entitled[];
  /** Of accounts, by their number. */
  readonly entitlements: readonly KnownEndpoint["switches"][];
  readonly faults: readonly Fault[];
  /** Times in which name servers said nothing: no result is lost. */
  readonly silences: readonly Fault[];
  /** Times in which the directory alone was away: no result is lost, and nothing waits. */
  readonly directoryOutages: readonly Fault[];
  readonly hasJumped: boolean;
  readonly waitsMs: readonly number[];
};

/** Until every node knows of a change (docs/operator-api.md: "within a second"). */
export const KNOWN_MS_MAX = 1_000;

/** Until a database that takes nothing shows. */
export const VISIBLE_MS_MAX = 12_000;

/** How long after an attempt's end its result is written, where nothing is wrong. */
export const WRITTEN_MS_MAX = 3_000;

/** Whether the result of an attempt may have been lost: then it is made again. */
export function mayBeLost(arrival: Arrival, seen: Observed): boolean {
  return faultsOf(arrival, seen).length > 0;
}

/** What went wrong with its node, or with all, before its result was surely written. */
export function faultsOf({ atMs, endedMs, node }: Arrival, { faults }: Observed): readonly Fault[] {
  return faults.filter(
    (fault) =>
      (fault.node === null || fault.node === node) &&
      fault.fromMs <= endedMs + WRITTEN_MS_MAX &&
      fault.untilMs >= atMs,
  );
}

/** Whether something goes wrong then, or went wrong before and is not made good. */
export function isNearFault(faults: readonly Fault[], fromMs: number, untilMs: number): boolean {
  return faults.some((one) => one.fromMs <= untilMs && fromMs <= one.untilMs + RECOVERED_MS_MAX);
}

/** Whether the database takes no writes from before to after that time, and nodes can have noticed. */
export function isUnfit(fault: Fault, askedMs: number, doneMs: number): boolean {
  return (fault.kind === "away" || fault.kind === "full") && isVisible(fault, askedMs, doneMs);
}

/** Whether it lasts from before to after that time, and nodes can have noticed. */
export function isVisible({ fromMs, untilMs }: Fault, askedMs: number, doneMs: number): boolean {
  return fromMs + VISIBLE_MS_MAX <= askedMs && doneMs <= untilMs - NOTICED_MS_MAX;
}

/** What is wrong with a delivery as somebody is shown it (spec 2.2), of which so many attempts were made. */
export function wrongOfDelivery(
  { id, status, attemptCount, deliveredAt }: Omit<FinalDelivery, "endpointId" | "eventId" | "parkedUntil">,
  made: readonly Arrival[],
): string[] {
  const wrong: string[] = [];
  if (attemptCount > made.length)
    wrong.push(`${id} counts ${attemptCount} attempts, and ${made.length} were made`);
  if (status === "dead" && attemptCount !== ATTEMPTS_MAX)
    wrong.push(`${id} is dead after ${attemptCount} attempts`);
  if (status === "delivered" && !made.some(isSuccess))
    wrong.push(`${id} is delivered, and no receiver has taken it`);
  if ((status === "delivered") !== (deliveredAt !== null))
    wrong.push(`${id} is ${status}, delivered at ${deliveredAt}`);
  return wrong;
}

/** After which a change that was not answered is made no more. */
const UNANSWERED_MS_MAX = 140_000;

export function stateOver(
  { askedMs, madeMs, switches }: Pick<KnownEndpoint, "askedMs" | "madeMs" | "switches">,
  fromMs: number,
  untilMs: number,
): "active" | "paused" | "deleted" | "unknown" {
  if (fromMs < madeMs) return untilMs < askedMs ? "deleted" : "unknown";
  return lastOver("active", switches, fromMs, untilMs);
}

/** `unknown` where a change may have been made or not, or falls into that time. */
export function lastOver<To>(
  first: To,
  changes: readonly Change<To>[],
  fromMs: number,
  untilMs: number,
): To | "unknown" {
  let last: To | "unknown" = first;
  let openUntilMs = Number.NEGATIVE_INFINITY;
  for (const one of changes) {
    if (one.askedMs > untilMs) continue;
    // Of two that were open at a time, nobody knows which was made last.
    const isFirst = one.askedMs > openUntilMs;
    last = one.doneMs === null || one.doneMs >= fromMs || !isFirst ? "unknown" : one.to;
    openUntilMs = Math.max(openUntilMs, one.doneMs ?? one.askedMs + UNANSWERED_MS_MAX);
  }
  return last;
}

export function isEverDeleted({ switches }: KnownEndpoint): boolean {
  return switches.some(({ to }) => to === "deleted");
}

/** Failures may have disabled the endpoint by then, at a time that nobody is answered; what was accepted is parked. */
export function mayWait({ url }: KnownEndpoint, { arrivals }: Observed, byMs: number): boolean {
  const failures = arrivals.filter((one) => one.url === url && one.endedMs <= byMs && !isSuccess(one));
  return failures.length >= DISABLED_AT;
}

export function isSubscribed({ types }: KnownEndpoint, type: string): boolean {
  return types.length === 0 || types.includes(type);
}

export function isSuccess({ answered }: Arrival): boolean {
  return typeof answered === "number" && answered >= 200 && answered < 300;
}

export function isFailure(arrival: Arrival): boolean {
  return !isSuccess(arrival) && arrival.answered !== LOST;
}

export function headerOf(headers: ReadonlyMap<string, string>, name: string): string {
  return [...headers].find(([key]) => key.endsWith(`-${name}`))?.[1] ?? "";
}

export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(3)} s`;
}

export function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
