/** Facts → the events of an answer, in DCSA's Track & Trace 2.2 or 3.0 and in the line's own spelling. */
import { mix } from "../world/seeded-random.ts";
import { PLACES } from "../world/places.ts";
import { DAY_MS, MINUTE_MS } from "../world/durations.ts";
import { containerNumber, documentsOf, type Consignment } from "./consignment.ts";
import type { Fact } from "./fact.ts";
import type { Line } from "./lines.ts";
import { codeWritten } from "./place-forms.ts";
import { DCSA_CODES_2, DCSA_CODES_3, type DcsaCodes } from "./dcsa-codes.ts";

export type DcsaEvent = Readonly<Record<string, unknown>>;

/** What is in the answer at `atMs`, in the line's order; `facts` are those of the boxes asked for. */
export function writeEventsAt(
  consignment: Consignment,
  facts: readonly Fact[],
  atMs: number,
): readonly DcsaEvent[] {
  const { line } = consignment;
  const rows: { readonly rank: number; readonly event: DcsaEvent }[] = [];
  let newestMs = 0;
  for (const { fromMs } of facts) if (fromMs <= atMs && fromMs > newestMs) newestMs = fromMs;
  for (const fact of facts) {
    if (fact.fromMs > atMs || fact.prunedMs <= atMs) continue;
    const over = fact.untilMs <= atMs;
    if (over && !(fact.takenBack && line.version === "3.0")) continue;
    const wording = (line.version === "3.0" ? DCSA_CODES_3 : DCSA_CODES_2)[fact.step];
    const identity = identityOf(fact, consignment.first);
    const id = mix(identity, line.renewsIds ? newestMs / MINUTE_MS : 0) >>> 0;
    const event = over ? writeRetraction(line, id) : writeEvent(consignment, fact, wording, id);
    const rank = line.reporting.shuffles ? identity >>> 0 : fact.fromMs;
    rows.push({ rank, event });
    if (chanceOf(identity) < line.reporting.duplicateShare) {
      rows.push({ rank: rank + 1, event: writeEvent(consignment, fact, wording, id + 1) });
    }
  }
  return rows.toSorted((a, b) => a.rank - b.rank).map(({ event }) => event);
}

function identityOf(fact: Fact, first: number): number {
  const box = fact.trip * 7_919 + (fact.box ?? -1 - first);
  return mix(mix(fact.order + (fact.leg ?? 0) * 7, box), fact.fromMs / MINUTE_MS);
}

function chanceOf(identity: number): number {
  return (mix(identity, 77) >>> 0) / 2 ** 32;
}

function writeRetraction(line: Line, id: number): DcsaEvent {
  return { [line.eventId ?? "eventID"]: eventId(id), isRetracted: true };
}

function writeEvent(consignment: Consignment, fact: Fact, wording: DcsaCodes, id: number): DcsaEvent {
  return consignment.line.version === "3.0"
    ? writeEvent3(consignment, fact, wording, id)
    : writeEvent2(consignment, fact, wording, id);
}

function eventId(id: number): string {
  const hex = (id >>> 0).toString(16).padStart(8, "0");
  return `${hex}-5e4b-4b7e-8c11-0000${hex}`;
}

function writeEvent2(consignment: Consignment, fact: Fact, wording: DcsaCodes, id: number): DcsaEvent {
  const { line } = consignment;
  const place = fact.place === null ? null : PLACES[fact.place];
  const code = codeWritten(fact);
  const unlocode = code === null ? {} : { [line.unlocode]: code };
  const isPaper = wording.kind === "SHIPMENT";
  const papers = documentsOf(consignment, fact.trip);
  const location = { ...unlocode, ...(fact.form === "neighbour" ? {} : { locationName: place?.name }) };
  return {
    ...(line.eventId === null ? {} : { [line.eventId]: eventId(id) }),
    eventType: wording.kind,
    eventDateTime: momentOf(line, fact.atMs, place?.offsetMinutes ?? 0),
    eventCreatedDateTime: momentOf(line, fact.fromMs, 0),
    eventClassifierCode: classifierOf(line, fact),
    [CODE_FIELDS[wording.kind]]: wording.code,
    ...(fact.onward ? { description: "Full Transshipment Discharged" } : {}),
    ...(fact.lastFreeDay === null ? {} : { lastFreeDay: fact.lastFreeDay }),
    ...(fact.box === null || isPaper
      ? {}
      : {
          equipmentReference: containerNumber(consignment, fact.box),
          ISOEquipmentCode: "45G1",
          emptyIndicatorCode: wording.laden === false ? "EMPTY" : "LADEN",
        }),
    ...(isPaper ? { documentID: papers.bill, documentTypeCode: wording.document } : {}),
    ...(line.placeOn === "event" && !isPaper ? { eventLocation: location } : {}),
    ...(isPaper
      ? {}
      : {
          transportCall: {
            ...(line.placeOn === "call" ? unlocode : {}),
            ...(line.placeOn === "location" ? { location } : {}),
            facilityCode:
              fact.form === "name" ? undefined : fact.elsewhere ? `${place?.terminal}B` : place?.terminal,
            facilityTypeCode: facilityTypeOf(fact, wording),
            modeOfTransport: wording.mode,
            exportVoyageNumber: fact.voyage,
            vessel:
              fact.vessel === null
                ? null
                : { vesselIMONumber: fact.vessel.imo, vesselName: fact.vessel.name },
          },
        }),
    documentReferences: [
      { documentReferenceType: "BKG", documentReferenceValue: papers.booking },
      { documentReferenceType: "TRD", documentReferenceValue: papers.bill },
    ],
  };
}

const CODE_FIELDS = {
  EQUIPMENT: "equipmentEventTypeCode",
  TRANSPORT: "transportEventTypeCode",
  SHIPMENT: "shipmentEventTypeCode",
} as const;

function writeEvent3(consignment: Consignment, fact: Fact, wording: DcsaCodes, id: number): DcsaEvent {
  const { line } = consignment;
  const place = fact.place === null ? null : PLACES[fact.place];
  const code = codeWritten(fact);
  const isPaper = wording.kind === "SHIPMENT";
  const papers = documentsOf(consignment, fact.trip);
  return {
    eventID: eventId(id),
    eventDateTime: momentOf(line, fact.atMs, place?.offsetMinutes ?? 0),
    eventUpdatedDateTime: momentOf(line, fact.fromMs, 0),
    eventClassification: {
      eventTypeCode: wording.kind,
      eventClassifierCode: classifierOf(line, fact),
      [CODE_FIELDS[wording.kind]]: wording.code,
    },
    ...(place === null || isPaper
      ? {}
      : {
          eventLocation: {
            ...(code === null ? {} : { UNLocationCode: code }),
            ...(fact.form === "neighbour" ? {} : { locationName: place.name }),
            ...(fact.elsewhere
              ? { facilityCode: `${place.terminal}B`, facilityCodeListProvider: "SMDG" }
              : {}),
            facilityTypeCode: facilityTypeOf(fact, wording),
          },
        }),
    ...(fact.lastFreeDay === null ? {} : { lastFreeDay: fact.lastFreeDay }),
    shipmentDetails: {
      documentReference: isPaper
        ? { typeCode: wording.document, reference: papers.bill }
        : { typeCode: "BKG", reference: papers.booking },
      additionalDocumentReferences: [{ typeCode: "TRD", reference: papers.bill }],
    },
    ...(fact.box === null || isPaper
      ? {}
      : {
          equipmentDetails: {
            equipmentReference: containerNumber(consignment, fact.box),
            ISOEquipmentCode: "45G1",
            ...(fact.onward ? { movementType: "TRANSSHIPMENT" } : {}),
            emptyIndicatorCode: wording.laden === false ? "EMPTY" : "LADEN",
          },
        }),
    ...(wording.mode === null
      ? {}
      : {
          transportDetails: {
            transportCall: {
              modeOfTransport: wording.mode,
              ...(fact.voyage === null
                ? {}
                : { exportVoyageNumberOrReference: { carrierVoyageNumber: fact.voyage } }),
              ...(fact.vessel === null
                ? {}
                : { vesselTransport: { vesselIMONumber: fact.vessel.imo, vesselName: fact.vessel.name } }),
            },
          },
        }),
  };
}

function facilityTypeOf({ place }: Fact, { facilityType }: DcsaCodes): string | null {
  const isInland = place === "ATVIE" || place === "USCHI";
  return facilityType === "POTE" && isInland ? "INTE" : facilityType;
}

function classifierOf(line: Line, { classifier }: Fact): string {
  return classifier === "actual" ? "ACT" : classifier === "estimated" ? "EST" : line.planned;
}

function momentOf(line: Line, ms: number, offsetMinutes: number): string {
  if (line.clock === "utc") return `${wallClock(ms)}Z`;
  const size = Math.abs(offsetMinutes);
  const zone = `${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`;
  return `${wallClock(ms + offsetMinutes * MINUTE_MS)}${offsetMinutes < 0 ? "-" : "+"}${zone}`;
}

/** The days of a world that have been written; it has a few hundred. */
const days = new Map<number, string>();
const DAYS_KEPT_MAX = 5_000;

/** To the second; `toISOString` takes most of the time of an answer. */
function wallClock(ms: number): string {
  const day = Math.floor(ms / DAY_MS);
  let date = days.get(day);
  if (date === undefined) {
    if (days.size >= DAYS_KEPT_MAX) days.clear();
    date = new Date(day * DAY_MS).toISOString().slice(0, 10);
    days.set(day, date);
  }
  const seconds = Math.floor((ms - day * DAY_MS) / 1_000);
  const minutes = Math.floor(seconds / 60);
  return `${date}T${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`;
}

function twoDigits(number: number): string {
  return number < 10 ? `0${number}` : String(number);
}
