/**
 * A shipment of the simulated harbour lived through without any I/O: every answer of its line and every
 * moment that time alone brings, through the connector's parser, the record and its changes.
 */
import type { RaisedEvent } from "../../src/model/event.ts";
import { nextPageUrl } from "../../src/freight/dcsa/pages.ts";
import { parsePages } from "../../src/products/ocean/sources/dcsa/parse.ts";
import { spellingWith } from "../../src/freight/dcsa/spelling.ts";
import { changesBetween } from "../../src/products/ocean/events/changes.ts";
import { previousBox, nextRecordAt, nextRecord } from "../../src/products/ocean/record/record.ts";
import type {
  RecordContext,
  ShipmentRecord,
  Statements,
} from "../../src/products/ocean/record/shipment-record.ts";
import type { Harbour, HarbourBox } from "../../packages/simulator/src/harbour/harbour.ts";
import type { Line } from "../../packages/simulator/src/harbour/lines.ts";
import type { TrueEvent, TrueStatusChange } from "../../packages/simulator/src/harbour/true-event.ts";
import { answerChangeTimes } from "../../packages/simulator/src/harbour/truth.ts";
import { checkEvents } from "../support/check-deliveries.ts";
import { TRACKED } from "./life.ts";

export type LivedLife = {
  readonly events: readonly TrueEvent[];
  readonly looks: readonly TrueStatusChange[];
};

const PARAMETERS = {
  container_id: "equipmentReference",
  bill_of_lading: "transportDocumentReference",
  booking: "carrierBookingReference",
} as const;

/** Re-evaluations of one shipment; far more than there can be. */
const TIME_DRIVEN_MAX = 500;

export function liveInHarbour(
  harbour: Harbour,
  box: HarbourBox,
  context: RecordContext,
  fromMs: number,
): LivedLife {
  const life = harbour.lifeAt(box.index);
  const due = answerChangeTimes(life, fromMs);
  const polls = new Set(due);
  const kept: { events: TrueEvent[]; looks: TrueStatusChange[] } = { events: [], looks: [] };
  const raisedKeys = new Set<string>();
  let previous: ShipmentRecord | null = null;
  let timeDriven = 0;
  for (let atMs = due.shift(); atMs !== undefined; atMs = due.shift()) {
    // Time alone asks nobody.
    const statements = polls.has(atMs) ? ask(harbour, box, life.line, atMs) : null;
    if (statements === null && previous === null) continue;
    const next: ShipmentRecord =
      statements === null
        ? nextRecordAt(previous as ShipmentRecord, context, atMs)
        : nextRecord(statements, previous, context, atMs);
    const { record, events } = changesBetween(TRACKED, previous, next, context, atMs);
    checkEvents(events);
    for (const { type, data, dedupKey } of events) {
      // As the engine does with a key that it has seen.
      if (dedupKey !== undefined && raisedKeys.has(dedupKey)) continue;
      if (dedupKey !== undefined) raisedKeys.add(dedupKey);
      kept.events.push(toldEvent(box, { type, data }, atMs));
    }
    for (const { equipment, status } of record.boxes) {
      const before: ShipmentRecord | null = previous;
      const was = (before === null ? null : previousBox(before, equipment))?.status;
      if (was !== status)
        kept.looks.push({ atMs, equipment: numberOf(box, equipment), status: status as never });
    }
    previous = record;
    const { changesAtMs } = record;
    if (changesAtMs !== null && changesAtMs < (due[0] ?? Number.POSITIVE_INFINITY)) {
      if (changesAtMs <= atMs)
        throw new Error(`${box.reference} is to change at ${changesAtMs}, which is over`);
      timeDriven += 1;
      if (timeDriven <= TIME_DRIVEN_MAX) due.unshift(changesAtMs);
    }
  }
  return kept;
}

/** What the line answers at each moment at which its answer may differ from the one before. */
export function answersIn(
  harbour: Harbour,
  box: HarbourBox,
  fromMs: number,
): readonly (readonly [atMs: number, Statements])[] {
  const life = harbour.lifeAt(box.index);
  return answerChangeTimes(life, fromMs).flatMap((atMs) => {
    const statements = ask(harbour, box, life.line, atMs);
    return statements === null ? [] : [[atMs, statements] as const];
  });
}

/** A raised event as the truth writes it. */
export function toldEvent(
  box: HarbourBox,
  { type, data }: Pick<RaisedEvent, "type" | "data">,
  atMs: number,
): TrueEvent {
  const fields = JSON.parse(data) as Readonly<Record<string, unknown>>;
  return { atMs, type, equipment: numberOf(box, fields["equipment_reference"]), about: about(type, fields) };
}

/** Which box an event is about; of a box tracked by its number that needs no telling. */
function numberOf({ type, reference }: HarbourBox, equipment: unknown): string {
  if (type === "container_id") return reference;
  return typeof equipment === "string" ? equipment : "";
}

/** All pages of the line's answer; null where it gives none. */
function ask(harbour: Harbour, box: HarbourBox, line: Line, atMs: number): Statements | null {
  const headers = keyOf(harbour, line, atMs);
  const pages: unknown[] = [];
  let url = new URL(`http://harbour/${line.scac}/events?${PARAMETERS[box.type]}=${box.reference}`);
  for (;;) {
    const answer = harbour.answer(line.scac, url, headers, atMs);
    if (answer.status !== 200) return null;
    pages.push(JSON.parse(answer.body));
    const next = nextPageUrl(url, (name) => answer.headers[name] ?? null);
    if (next === null) break;
    if (next === "elsewhere") throw new Error(`${line.scac} sends elsewhere`);
    url = next;
  }
  const parsed = parsePages(pages, spellingWith(undefined));
  if (parsed === null) throw new Error(`${line.scac} answers with something else than events`);
  if (parsed.skipped.length > 0) throw new Error(`${line.scac}: ${JSON.stringify(parsed.skipped)}`);
  if (parsed.events.length === 0) return null;
  const { events, freeDays } = parsed;
  return { carrier: line.scac, identifierType: box.type, reference: box.reference, events, freeDays };
}

function keyOf(harbour: Harbour, { access, scac }: Line, atMs: number): Readonly<Record<string, string>> {
  if (access.kind === "open") return {};
  if (access.kind === "key") return { [access.header.toLowerCase()]: access.value };
  const form = new URLSearchParams({ client_id: access.clientId, client_secret: access.clientSecret });
  const { access_token: token } = JSON.parse(harbour.token(scac, form, atMs).body) as {
    access_token: string;
  };
  return { authorization: `Bearer ${token}` };
}

/** What tells an event from others of its type, as the truth writes it. */
function about(type: string, data: Readonly<Record<string, unknown>>): string {
  const statuses = `${String(data["previous_status"])}>${String(data["new_status"])}`;
  switch (type) {
    case "vessel_departed":
      return `${typeof data["event_date_time"] === "string" ? data["event_date_time"] : "implied"} ${statuses}`;
    case "eta_changed":
      return String(data["delta_hours"]);
    case "schedule_disruption":
      return [data["kind"], data["delay_hours"] ?? ""].join(" ").trim();
    case "container_misrouted":
      return String(data["discharge_port"]);
    case "shipment_updated":
      return (data["changed_fields"] as readonly string[]).join();
    default:
      return data["previous_status"] === undefined ? "" : statuses;
  }
}
