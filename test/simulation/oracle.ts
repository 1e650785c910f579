/**
 * What must hold, judged by what callers were answered and what arrived at receivers alone. It knows nothing of the
 * code: the numbers are those of the specification (sections 3 and 8) and of the guarantees (docs/architecture.md).
 */
import { createHmac } from "node:crypto";

import {
  type RaisedBySource,
  wrongOfBlankings,
  wrongOfContainer,
  wrongOfSlips,
  wrongOfWaybill,
} from "./journeys.ts";
import {
  type Arrival,
  ATTEMPTS_MAX,
  DISABLED_AT,
  faultsOf,
  type FinalEndpoint,
  headerOf,
  isEverDeleted,
  isFailure,
  isNearFault,
  isSubscribed,
  isSuccess,
  isUnfit,
  type KnownEndpoint,
  type Look,
  mayBeLost,
  mayWait,
  type Observed,
  type RaisedCall,
  seconds,
  stateOver,
  WRITTEN_MS_MAX,
  wrongOfDelivery,
} from "./observed.ts";
import { wrongOfDirectory } from "./directory.ts";
import { wrongOfMetered } from "./metered.ts";
import { wrongOfRights } from "./refused.ts";
import { wrongOfShown } from "./shown.ts";
import { wrongOfAttempts, wrongOfWaits } from "./waits.ts";

/** Every rule that is broken, in words; none if all hold. */
export function judge(seen: Observed): readonly string[] {
  const wrong: string[] = [];
  const byUrl = new Map(seen.endpoints.map((one) => [one.url, one]));
  const marked = new Map(
    seen.raised.flatMap((call) => call.markers.map((marker) => [marker, call] as const)),
  );
  const arrivals = Map.groupBy(seen.arrivals, ({ headers }) => headerOf(headers, "delivery"));
  const finals = new Map(seen.deliveries.map((one) => [one.id, one]));
  /** The delivery of each event to each endpoint. */
  const deliveryOf = new Map<string, string>();

  for (const arrival of seen.arrivals) {
    const to = byUrl.get(arrival.url);
    if (to !== undefined) wrong.push(...wrongOf(arrival, to, marked, seen));
    else if (!seen.unanswered.has(arrival.url))
      wrong.push(`something arrived at ${arrival.url}, which nobody registered`);
  }
  for (const [id, some] of arrivals) {
    const [first] = some as [Arrival, ...Arrival[]];
    const to = byUrl.get(first.url);
    if (some.some(({ url }) => url !== first.url)) wrong.push(`${id} went to several endpoints`);
    if (some.some(({ body }) => body !== first.body))
      wrong.push(`the body of ${id} has changed between attempts`);
    if (to === undefined) continue;
    const marker = markerOf(first.body);
    if (marker !== null) {
      const key = `${marker} ${to.id}`;
      const other = deliveryOf.get(key);
      if (other !== undefined && other !== id)
        wrong.push(`${marker} was delivered to ${to.id} twice: ${other}, ${id}`);
      deliveryOf.set(key, id);
    } else if (typeOf(first.body) !== "ping") {
      // Polls go on while all is read.
      if (first.atMs <= seen.endedMs) wrong.push(...wrongOfSourced(id, first.body, to, seen));
    } else if (!seen.pings.has(id) && !seen.pingsUnknown.has(to.id))
      wrong.push(`${id} is a ping that nobody asked for`);
    wrong.push(...wrongOfAttempts(id, some, finals.get(id), seen));
  }
  const active = new Set(seen.finals.filter((one) => one.active).map(({ id }) => id));
  for (const call of seen.raised) {
    if (call.outcome !== "accepted") continue;
    for (const to of seen.endpoints) {
      if (to.account !== call.account || to.product !== call.product || !isSubscribed(to, call.type))
        continue;
      if (stateOver(to, call.askedMs, call.doneMs) !== "active" || isEverDeleted(to)) continue;
      // It is parked.
      if (!active.has(to.id) || mayWait(to, seen, seen.endedMs)) continue;
      for (const marker of call.markers)
        if (!deliveryOf.has(`${marker} ${to.id}`))
          wrong.push(`${marker} was accepted and never sent to ${to.id}`);
    }
  }
  const queued = new Set(seen.deliveries.map(({ eventId, endpointId }) => `${eventId} ${endpointId}`));
  for (const { id, account, product, type, raisedMs } of seen.hasJumped ? [] : seen.bySources)
    for (const to of seen.endpoints) {
      if (to.account !== account || to.product !== product || !isSubscribed(to, type)) continue;
      if (raisedMs > seen.endedMs) continue;
      const state = stateOver(to, raisedMs - RAISED_MS_MAX, raisedMs + RAISED_MS_MAX);
      const mayMiss = isEverDeleted(to) || mayWait(to, seen, raisedMs + RAISED_MS_MAX);
      if (state === "active" && !mayMiss && !queued.has(`${id} ${to.id}`))
        wrong.push(`${type} ${id} was raised and never queued for ${to.id}`);
    }
  if (!seen.hasJumped) wrong.push(...wrongOfWaits(arrivals, deliveryOf, byUrl, seen));
  wrong.push(...wrongOfAnnouncements(seen));
  // Events are in the order of their ids, which are as right as the clocks.
  if (!seen.hasJumped) wrong.push(...wrongOfJourneys(seen), ...wrongOfSchedules(seen));
  const gone = new Set(seen.endpoints.filter(isEverDeleted).map(({ id }) => id));
  for (const one of seen.deliveries) {
    if (gone.has(one.endpointId)) continue;
    const is = arrivals.get(one.id) ?? [];
    if (one.status === "pending" && one.parkedUntil === null)
      wrong.push(`${one.id} is still pending when all is at rest`);
    if (one.attemptCount > ATTEMPTS_MAX) wrong.push(`${one.id} counts ${one.attemptCount} attempts`);
    wrong.push(...wrongOfDelivery(one, is));
    if (one.status === "dead" && is.some(isSuccess) && seen.faults.length === 0)
      wrong.push(`${one.id} is dead, and a receiver has taken it`);
  }
  for (const one of seen.finals) wrong.push(...wrongOfEndpoint(one, seen));
  wrong.push(
    ...wrongOfReadiness(seen),
    ...wrongOfDirectory(seen),
    ...wrongOfMetered(seen),
    ...wrongOfRights(seen),
    ...wrongOfShown(seen),
  );
  for (const look of seen.looks)
    for (const one of look.endpoints) wrong.push(...wrongOfCount(one, look, seen));
  return wrong;
}

const AWB = /^\d{11}$/;

function wrongOfJourneys({ bySources, journeys }: Observed): readonly string[] {
  const raised = Map.groupBy(bySources, (one) => textOf(one, "container_id") ?? textOf(one, "awb"));
  const names = new Set([...raised.keys(), ...(journeys.at(-1)?.statuses.keys() ?? [])]);
  return [...names].flatMap((name) => {
    if (name === null) return [];
    const judgeOne = AWB.test(name) ? wrongOfWaybill : wrongOfContainer;
    return judgeOne(name, raised.get(name) ?? [], journeys);
  });
}

/** Of accounts with an endpoint that took everything from its registration on. */
function wrongOfSchedules(seen: Observed): readonly string[] {
  const { bySources, calls, endpoints } = seen;
  const steady = endpoints.filter(
    (to) =>
      to.product === "schedules" &&
      to.types.length + to.switches.length === 0 &&
      !mayWait(to, seen, seen.endedMs),
  );
  return [...Map.groupBy(steady, ({ account }) => account)].flatMap(([account, some]) => {
    const sinceMs = Math.min(...some.map(({ madeMs }) => madeMs)) + RAISED_MS_MAX;
    const its = bySources.filter((one) => one.account === account && one.product === "schedules");
    return [...wrongOfSlips(its), ...wrongOfBlankings(its, calls, sinceMs)];
  });
}

function textOf({ data }: RaisedBySource, field: string): string | null {
  return (JSON.parse(data) as Readonly<Record<string, string | undefined>>)[field] ?? null;
}

/** A database that is away, or takes no writes, shows at each node while it lasts; without a fault, every node is ready. */
function wrongOfReadiness(seen: Observed): string[] {
  const wrong: string[] = [];
  for (const { node, askedMs, doneMs, isReady } of seen.readiness) {
    if (!isReady && !isNearFault(seen.faults, askedMs, doneMs))
      wrong.push(`${node} was not ready at ${seconds(askedMs)}, without a fault`);
    const unfit = seen.faults.find((fault) => isUnfit(fault, askedMs, doneMs));
    if (isReady && unfit !== undefined)
      wrong.push(
        `${node} was ready at ${seconds(askedMs)}, and its database ${unfit.kind} since ${seconds(unfit.fromMs)}`,
      );
  }
  return wrong;
}

/** Between when an event of a source gets its id and when it is committed. */
const RAISED_MS_MAX = 30_000;

const ANNOUNCEMENT = "api_change_announced";
/** Two checks for entries whose day has come. */
const ANNOUNCED_MS_MAX = 70_000;

/** Spec 6.5: an entry is announced on its day, to each account with an endpoint for it, once. */
function wrongOfAnnouncements(seen: Observed): string[] {
  const wrong: string[] = [];
  const { announcedMs, bySources, endpoints, endedMs, hasJumped } = seen;
  const faults = [...seen.faults, ...seen.directoryOutages];
  const made = bySources.filter(({ type }) => type === ANNOUNCEMENT);
  const entryOf = ({ data }: RaisedBySource) => String((JSON.parse(data) as { readonly id: unknown }).id);
  for (const [entry, some] of Map.groupBy(made, (one) => `${entryOf(one)} to account ${one.account}`))
    if (some.length > 1) wrong.push(`${entry} was announced ${some.length} times`);
  const lastMs = Math.max(announcedMs, ...faults.map(({ untilMs }) => untilMs)) + ANNOUNCED_MS_MAX;
  if (hasJumped || endedMs < lastMs) return wrong;
  const accounts = endpoints.filter(
    (to) =>
      to.product === "tracking" &&
      isSubscribed(to, ANNOUNCEMENT) &&
      stateOver(to, announcedMs - ANNOUNCED_MS_MAX, lastMs) === "active",
  );
  for (const account of new Set(accounts.map((to) => to.account)))
    if (!made.some((one) => one.account === account && one.raisedMs >= announcedMs))
      wrong.push(`nothing was announced to account ${account}`);
  return wrong;
}

function wrongOfSourced(id: string, body: string, to: KnownEndpoint, seen: Observed): string[] {
  const type = typeOf(body);
  const events = seen.bySources.filter((one) => one.type === type && body.endsWith(`,"data":${one.data}}`));
  if (events.length === 0) return [`${id} is of an event that the service does not show`];
  if (events.every(({ account }) => account !== to.account))
    return [`${id} reached another account's endpoint`];
  return isSubscribed(to, type) ? [] : [`${id} reached ${to.id}, which does not subscribe to ${type}`];
}

function wrongOf(
  arrival: Arrival,
  to: KnownEndpoint,
  marked: ReadonlyMap<string, RaisedCall>,
  { endedMs }: Observed,
): string[] {
  const wrong: string[] = [];
  const { headers, body, atMs } = arrival;
  const id = headerOf(headers, "delivery");
  const signature = `sha256=${createHmac("sha256", to.secret).update(body).digest("hex")}`;
  if (headerOf(headers, "signature") !== signature) wrong.push(`the signature of ${id} does not verify`);
  const { id: inBody, type, occurred_at: at, ...rest } = JSON.parse(body) as Record<string, unknown>;
  if (inBody !== id) wrong.push(`${id} says in its body that it is ${String(inBody)}`);
  if (headerOf(headers, "event") !== type) wrong.push(`${id} has another type in its header`);
  if (Object.keys(rest).join() !== "data" || !String(at).endsWith("Z"))
    wrong.push(`the body of ${id} has not the four keys`);
  const marker = markerOf(body);
  if (marker !== null) {
    const call = marked.get(marker);
    if (call === undefined) return [...wrong, `${id} carries ${marker}, which nobody raised`];
    if (call.account !== to.account) wrong.push(`${marker} reached another account's endpoint`);
    if (call.product !== to.product || call.type !== type)
      wrong.push(`${marker} reached an endpoint of ${to.product} as ${String(type)}`);
    if (!isSubscribed(to, call.type))
      wrong.push(`${marker} reached ${to.id}, which does not subscribe to ${call.type}`);
    if (call.outcome === "refused") wrong.push(`${marker} was refused, and sent`);
    const state = stateOver(to, call.askedMs, call.outcome === null ? endedMs : call.doneMs);
    if (state === "paused" || state === "deleted")
      wrong.push(`${marker} was raised while ${to.id} was ${state}, and sent`);
  }
  const now = stateOver(to, atMs, atMs);
  if (now === "paused" || now === "deleted")
    wrong.push(`${id} was sent to ${to.id} at ${seconds(atMs)} while it was ${now}`);
  return wrong;
}

function wrongOfEndpoint(one: FinalEndpoint, seen: Observed): string[] {
  const to = seen.endpoints.find(({ id }) => id === one.id);
  if (to === undefined) return [];
  const wrong: string[] = [];
  const asked = stateOver(to, seen.endedMs, seen.endedMs);
  const its = seen.arrivals.filter(({ url }) => url === to.url);
  if (one.failureCount >= DISABLED_AT && one.active)
    wrong.push(`${one.id} has failed ${one.failureCount} times and is active`);
  const failures = its.filter(isFailure).length;
  // A success that was open when the endpoint went inactive resets the count.
  if (!one.active && asked === "active" && Math.max(one.failureCount, failures) < DISABLED_AT)
    wrong.push(`${one.id} is inactive after ${one.failureCount} failures, and nobody paused it`);
  if (one.active && asked === "paused") wrong.push(`${one.id} was paused and is active`);
  if (one.failureCount > failures)
    wrong.push(`${one.id} counts ${one.failureCount} failures, more than there were`);
  if (one.lastDeliveryAt !== null && !its.some(isSuccess))
    wrong.push(`${one.id} was last delivered to at ${one.lastDeliveryAt}, and never took anything`);
  return wrong;
}

/** Spec 3.1: failures in a row, each counted once; the first success and an activation reset them. */
function wrongOfCount(one: FinalEndpoint, { askedMs, doneMs }: Look, seen: Observed): string[] {
  const to = seen.endpoints.find(({ id }) => id === one.id);
  if (to === undefined) return [];
  const its = seen.arrivals.filter(({ url, endedMs }) => url === to.url && endedMs <= doneMs);
  const failures = its.filter(isFailure);
  const successes = its.filter(isSuccess);
  const written = successes.filter(
    (arrival) => arrival.endedMs + WRITTEN_MS_MAX <= askedMs && !mayBeLost(arrival, seen),
  );
  const activations = to.switches.filter((change) => change.to === "active" && change.askedMs <= doneMs);
  const made = activations.filter((change) => change.doneMs !== null && change.doneMs <= askedMs);
  const resetMs = Math.max(
    0,
    ...written.map(({ endedMs }) => endedMs),
    ...made.map((change) => change.askedMs),
  );
  const most = failures.filter(
    (arrival) => arrival.endedMs >= resetMs - WRITTEN_MS_MAX || mayBeLost(arrival, seen),
  ).length;
  const lastMs = Math.max(
    Number.NEGATIVE_INFINITY,
    ...successes.map((arrival) => writtenByMs(arrival, seen)),
    ...activations.map((change) => change.doneMs ?? doneMs),
  );
  const least = failures.filter(
    (arrival) =>
      arrival.endedMs > lastMs + WRITTEN_MS_MAX &&
      arrival.endedMs + WRITTEN_MS_MAX <= askedMs &&
      !mayBeLost(arrival, seen),
  ).length;
  const at = seconds(doneMs);
  const wrong: string[] = [];
  if (one.failureCount > most)
    wrong.push(`${one.id} counts ${one.failureCount} failures in a row at ${at}, and there were ${most}`);
  if (one.active && one.failureCount < Math.min(least, DISABLED_AT))
    wrong.push(`${one.id} counts ${one.failureCount} failures in a row at ${at}, and there were ${least}`);
  if (one.active && one.failureCount >= DISABLED_AT)
    wrong.push(`${one.id} counts ${one.failureCount} failures in a row at ${at}, and is active`);
  if (written.length > 0 && one.lastDeliveryAt === null)
    wrong.push(`${one.id} was never delivered to at ${at}, and has taken something`);
  return wrong;
}

/** A success resets what is counted when it is written, be it as late as its node is cut off. */
function writtenByMs(arrival: Arrival, seen: Observed): number {
  const late = faultsOf(arrival, seen).map(({ untilMs }) => untilMs);
  return Math.max(arrival.endedMs, ...late);
}

function typeOf(body: string): string {
  return String((JSON.parse(body) as { readonly type: unknown }).type);
}

function markerOf(body: string): string | null {
  return /"marker":"([^"]+)"/.exec(body)?.[1] ?? null;
}
