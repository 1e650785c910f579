/**
 * All that a carrier has said about one box → what holds of it now, in the order of time.
 *
 * Statements are matched by what they mean, never by their ids: carriers renew ids with every update,
 * or send none. The result is a function of the set of statements, so neither the order within an
 * answer nor a statement sent twice changes it.
 */
import { isOffBerth, type CarrierEvent } from "../sources/carrier-event.ts";
import { DAY_MS } from "../../../runtime/durations.ts";

/** What holds now: sorted by time, each happening once. */
export type Timeline = readonly CarrierEvent[];

/**
 * Two actual statements of one meaning this close together are one happening, corrected; farther
 * apart the thing happened twice. Corrections move a time by hours; no box calls twice within a day.
 */
const CORRECTION_MS_MAX = DAY_MS;

/** Happenings of one trip, the latest; a real one has some dozens. */
const EVENTS_MAX = 1_000;

export function timelineOf(statements: readonly CarrierEvent[]): Timeline {
  const byMeaning = Map.groupBy(statements, (event) =>
    event.kind === "shipment" ? `shipment ${event.documentType ?? ""}` : identityKey(event),
  );
  return [...byMeaning.values()].flatMap(currentEvents).toSorted(byTime).slice(-EVENTS_MAX);
}

/**
 * What an event means, its time, classifier and carrier's wording aside. The vessel is left out, so
 * that a roll-over to another vessel supersedes the old estimate; the terminal too, for the same
 * reason. A gate knows no mode: carriers plan a truck and send a train.
 */
export function identityKey(event: CarrierEvent): string {
  const where = event.place?.unlocode ?? event.place?.name ?? "";
  if (event.kind === "shipment") return `shipment ${event.code} ${event.documentType ?? ""}`;
  const filled = event.laden === false ? "empty" : "laden";
  const gate = event.code === "GTIN" || event.code === "GTOT";
  return `${event.kind} ${event.code} ${where} ${filled} ${gate ? "" : (event.mode ?? "")}${offBerthKey(event)}`;
}

/** A vessel anchors and takes its pilot before it comes to its berth: other happenings of one port. */
function offBerthKey(event: CarrierEvent): string {
  return isOffBerth(event) ? ` ${event.place?.facilityType}` : "";
}

/** The statements of one meaning → the happenings they leave: actual ones, else the best estimate. */
function currentEvents(statements: readonly CarrierEvent[]): readonly CarrierEvent[] {
  const actual = statements.filter((event) => event.classifier === "actual").toSorted(byTime);
  if (actual.length > 0) return distinctEvents(actual);
  const best = statements.reduce((a, b) => (supersedes(b, a) ? b : a));
  return [best];
}

/** Of one kind of paper: a hold that is stated again after its release is another hold. */
function distinctEvents(actual: readonly CarrierEvent[]): readonly CarrierEvent[] {
  const kept: CarrierEvent[] = [];
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const event of actual) {
    const before = kept.at(-1);
    const again = before?.code === event.code && event.at.ms - lastMs <= CORRECTION_MS_MAX;
    if (before === undefined || !again) kept.push(event);
    else if (supersedes(event, before)) kept[kept.length - 1] = event;
    lastMs = event.at.ms;
  }
  return kept;
}

/** Whether an actual statement still says what another one said, its time corrected at most. */
export function restates(event: CarrierEvent, said: CarrierEvent): boolean {
  return (
    event.classifier === "actual" &&
    identityKey(event) === identityKey(said) &&
    Math.abs(event.at.ms - said.at.ms) <= CORRECTION_MS_MAX
  );
}

/**
 * Whether `a` replaces `b`, a statement of the same meaning: an estimate beats a plan, then the
 * latest created one counts, then the later time. What is left is decided by the text, so that it
 * never depends on which came first.
 */
function supersedes(a: CarrierEvent, b: CarrierEvent): boolean {
  if (a.classifier !== b.classifier) return a.classifier !== "planned";
  const created = (a.createdAtMs ?? 0) - (b.createdAtMs ?? 0);
  if (created !== 0) return created > 0;
  if (a.at.ms !== b.at.ms) return a.at.ms > b.at.ms;
  return JSON.stringify(a) > JSON.stringify(b);
}

/** In one moment a box is handled before its vessel leaves, and after its vessel has come. */
const ORDER_WITHIN_A_MOMENT = ["ARRI", "GTIN", "DISC", "LOAD", "GTOT", "DEPA"];

function byTime(a: CarrierEvent, b: CarrierEvent): number {
  return (
    a.at.ms - b.at.ms ||
    ORDER_WITHIN_A_MOMENT.indexOf(a.code) - ORDER_WITHIN_A_MOMENT.indexOf(b.code) ||
    compareTexts(JSON.stringify(a), JSON.stringify(b))
  );
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
