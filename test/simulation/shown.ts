/** What owners are shown of their endpoints: each answer is compared with what was changed and what has arrived. */
import type { Body } from "./http.ts";
import {
  headerOf,
  type KnownEndpoint,
  lastOver,
  mayWait,
  type Observed,
  seconds,
  type ShownEndpoint,
  stateOver,
  textOrNull,
  wrongOfDelivery,
} from "./observed.ts";

/** Spec 2.1: `recent_deliveries`. */
const RECENT_MAX = 20;

export function wrongOfShown(seen: Observed): readonly string[] {
  const byId = new Map(seen.endpoints.map((one) => [one.id, one]));
  return seen.shown.flatMap((one) =>
    wrongOf(one, byId.get(one.id)!, seen).map(
      (what) => `${one.id}, read at ${seconds(one.askedMs)}, ${what}`,
    ),
  );
}

function wrongOf({ data, askedMs, doneMs }: ShownEndpoint, to: KnownEndpoint, seen: Observed): string[] {
  const state = stateOver(to, askedMs, doneMs);
  if (data === undefined) return state === "active" || state === "paused" ? ["is not found"] : [];
  const wrong: string[] = [];
  if (state === "deleted") wrong.push("is shown after its deletion");
  if (data["url"] !== to.url || String(data["event_types"]) !== String(to.types))
    wrong.push("has another URL or other types than it was registered with");
  const description = lastOver("", to.descriptions, askedMs, doneMs);
  if (description !== "unknown" && data["description"] !== description)
    wrong.push(`is described as "${String(data["description"])}", not "${description}"`);
  if (state === "paused" && data["active"] !== false) wrong.push("is active though its owner paused it");
  if (state === "active" && data["active"] !== true && !mayWait(to, seen, doneMs))
    wrong.push("is inactive though nobody paused it");
  const recent = data["recent_deliveries"] as readonly Body[];
  if (recent.length > RECENT_MAX) wrong.push(`has ${recent.length} recent deliveries`);
  const ids = recent.map(({ id }) => String(id));
  if (!seen.hasJumped) {
    if (ids.join() !== ids.toSorted().toReversed().join()) wrong.push("has recent deliveries out of order");
    const oldest = ids.length < RECENT_MAX ? "" : ids.at(-1)!;
    const its = seen.arrivals.filter(({ url, atMs }) => url === to.url && atMs <= askedMs);
    for (const id of new Set(its.map(({ headers }) => headerOf(headers, "delivery"))))
      if (id > oldest && !ids.includes(id)) wrong.push(`lacks ${id} among its recent deliveries`);
  }
  for (const delivery of recent) wrong.push(...wrongOfRecent(delivery, doneMs, to, seen));
  return wrong;
}

/** Spec 2.2. */
function wrongOfRecent(one: Body, doneMs: number, to: KnownEndpoint, { arrivals }: Observed): string[] {
  const id = String(one["id"]);
  const its = arrivals.filter(
    ({ url, atMs, headers }) => url === to.url && atMs <= doneMs && headerOf(headers, "delivery") === id,
  );
  const [status, attemptCount] = [String(one["status"]), Number(one["attempt_count"])];
  const deliveredAt = textOrNull(one["delivered_at"]);
  const wrong = wrongOfDelivery({ id, status, attemptCount, deliveredAt }, its);
  const last = one["last_status_code"] as number | null;
  if (last !== null && its.every(({ answered, broken }) => answered !== last && broken !== last))
    wrong.push(`shows that ${id} was answered ${last}, which nobody did`);
  return wrong;
}
