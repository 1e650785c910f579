/**
 * A carrier's statements about one box → the events that currently hold, in order of time.
 *
 * Statements are matched by meaning, never by id: carriers renew ids with every update, or send none. Neither
 * the order within an answer nor a repeated statement changes the result.
 */
import { isOffBerth, placeKey, type CarrierEvent } from "../sources/carrier-event.ts";
import { isNotOtherVessel } from "./calls.ts";
import { inOrder } from "./order.ts";
import { nextCall } from "./next-call.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

/** Sorted by time, each event once. */
export type Timeline = readonly CarrierEvent[];

/**
 * Two actual statements of one meaning this close together are one event, corrected; farther apart they are
 * two. Corrections move a time by hours, and no box calls twice at a place within a day.
 */
export const CORRECTION_MS_MAX = DAY_MS;

/** The latest events of one trip; a real one has some dozens. */
const EVENTS_MAX = 1_000;

export function timelineOf(statements: readonly CarrierEvent[]): Timeline {
  const byMeaning = Map.groupBy(statements, (event) =>
    event.kind === "shipment" ? `shipment ${event.documentType ?? ""}` : identityKey(event),
  );
  const events = [...byMeaning.values()].flatMap((alike) => [
    ...currentEvents(alike),
    ...nextCall(alike, statements, bestPlan),
  ]);
  return inOrder(events).slice(-EVENTS_MAX);
}

/**
 * What an event means, apart from its time, classifier and wording. Vessel and terminal are left out, so that
 * a roll-over supersedes the old estimate. So is the mode of a gate move: carriers plan a truck and send a train.
 */
export function identityKey(event: CarrierEvent): string {
  if (event.kind === "shipment") return `shipment ${event.code} ${event.documentType ?? ""}`;
  const filled = event.laden === false ? "empty" : "laden";
  const gate = event.code === "GTIN" || event.code === "GTOT";
  // A vessel anchors and takes its pilot before it comes to its berth: separate events of one port.
  const offBerth = isOffBerth(event) ? ` ${event.place?.facilityType}` : "";
  const where = placeKey(event.place) ?? "";
  return `${event.kind} ${event.code} ${where} ${filled} ${gate ? "" : (event.mode ?? "")}${offBerth}`;
}

/** The events that statements of one meaning leave: the actual ones, else the best estimate. */
function currentEvents(statements: readonly CarrierEvent[]): readonly CarrierEvent[] {
  const actual = inOrder(statements.filter((event) => event.classifier === "actual"));
  if (actual.length > 0) return distinctEvents(actual);
  return [bestPlan(statements)];
}

function bestPlan(plans: readonly CarrierEvent[]): CarrierEvent {
  return plans.reduce((a, b) => (supersedes(b, a) ? b : a));
}

/** A hold that is stated again after its release is another hold, and the call of another vessel another call. */
function distinctEvents(actual: readonly CarrierEvent[]): readonly CarrierEvent[] {
  const kept: { readonly event: CarrierEvent; readonly lastMs: number }[] = [];
  for (const event of actual) {
    const index = kept.findLastIndex((one) => !isOtherVesselsCall(event, one.event));
    const before = kept[index];
    const lastMs = event.at.ms;
    if (before?.event.code !== event.code || lastMs - before.lastMs > CORRECTION_MS_MAX)
      kept.push({ event, lastMs });
    else kept[index] = { event: supersedes(event, before.event) ? event : before.event, lastMs };
  }
  return kept.map(({ event }) => event);
}

/**
 * That another vessel loads the box is a correction unless it was taken off; two vessels may discharge it on one day, the
 * one that brings it and the one that it is taken off again.
 */
function isOtherVesselsCall(event: CarrierEvent, other: CarrierEvent): boolean {
  if (isNotOtherVessel(event, other)) return false;
  const areNumbered = event.vessel?.imo !== null && other.vessel?.imo !== null;
  return event.kind === "transport" || (event.code === "DISC" && areNumbered);
}

/** Whether an actual statement repeats `earlier`, at most with its time corrected. */
export function restates(event: CarrierEvent, earlier: CarrierEvent): boolean {
  return event.classifier === "actual" && isCorrection(event, earlier);
}

/** Whether two statements of one kind are about one event, at most with its time corrected. */
export function isCorrection(event: CarrierEvent, earlier: CarrierEvent): boolean {
  return (
    identityKey(event) === identityKey(earlier) &&
    !isOtherVesselsCall(event, earlier) &&
    Math.abs(event.at.ms - earlier.at.ms) <= CORRECTION_MS_MAX
  );
}

/**
 * Whether `a` replaces `b`, a statement of the same meaning: an estimate beats a plan, then the latest created
 * counts, then the later time, and last the text, so that the order of statements never matters.
 */
function supersedes(a: CarrierEvent, b: CarrierEvent): boolean {
  if (a.classifier !== b.classifier) return a.classifier !== "planned";
  const created = (a.createdAtMs ?? 0) - (b.createdAtMs ?? 0);
  if (created !== 0) return created > 0;
  if (a.at.ms !== b.at.ms) return a.at.ms > b.at.ms;
  return JSON.stringify(a) > JSON.stringify(b);
}
