/**
 * What a carrier pushes to those who subscribed to its events: the same events as its answers hold,
 * signed as Track & Trace 2.2 has it. 3.0 leaves the authentication open; it is the same here.
 */
import { createHmac, timingSafeEqual } from "node:crypto";

import { type JsonObject, isObject } from "../../../../model/json.ts";
import { readImo } from "../ais/navigational-status.ts";
import { plainReference, TRACKED_DOCUMENT_TYPES } from "../../timeline/transport-documents.ts";
import { equipmentAmongReferences } from "./equipment.ts";
import { flattenEvent } from "./event.ts";
import { eventList } from "./parse.ts";
import { field, object, text, type Spelling } from "../../../../freight/dcsa/spelling.ts";

/**
 * Whether `Notification-Signature: sha256=<hex>` is the HMAC of the body, byte for byte, under one of the
 * secrets, which the subscription was given in base64.
 */
export function hasValidSignature(
  signature: string | undefined,
  body: Buffer,
  secrets: readonly string[],
): boolean {
  const hex = /^\s*sha256=([0-9a-f]{64})\s*$/i.exec(signature ?? "")?.[1];
  if (hex === undefined) return false;
  const claimed = Buffer.from(hex, "hex");
  return secrets.some((secret) => {
    const right = createHmac("sha256", Buffer.from(secret, "base64")).update(body).digest();
    return timingSafeEqual(right, claimed);
  });
}

/** Containers, bills of lading and bookings taken from one notification. */
const REFERENCES_MAX = 2_000;
/** DCSA allows 35; anything longer is no reference of ours. */
const REFERENCE_LENGTH_MAX = 35;

/** The references that the events name, upper-case letters and digits; null: these are no events. */
export function referencesIn(notification: unknown, spelling: Spelling): readonly string[] | null {
  const list = eventList(notification, spelling);
  if (list === null) return null;
  const found = new Set<string>();
  for (const raw of list) {
    if (!isObject(raw)) continue;
    for (const written of referencesOf(raw, spelling)) {
      const reference = plainReference(written ?? "");
      if (reference !== "" && reference.length <= REFERENCE_LENGTH_MAX) found.add(reference);
    }
    if (found.size >= REFERENCES_MAX) break;
  }
  return [...found].slice(0, REFERENCES_MAX);
}

/** Vessels taken from one notification. */
const VESSELS_MAX = 50;

/** The IMO numbers of the vessels whose calls are told without a container that they concern. */
export function vesselsIn(notification: unknown, spelling: Spelling): readonly string[] {
  const found = new Set<string>();
  for (const raw of eventList(notification, spelling) ?? []) {
    const laid = isObject(raw) ? flattenEvent(raw, spelling) : null;
    if (laid === null || containersOf(laid.flat, laid.spelling).length > 0) continue;
    const vessel = object(object(laid.flat, "transportCall", laid.spelling), "vessel", laid.spelling);
    const imo = readImo(text(vessel, "vesselIMONumber", laid.spelling));
    if (imo !== null) found.add(imo);
    if (found.size === VESSELS_MAX) break;
  }
  return [...found];
}

function containersOf(flat: JsonObject, spelling: Spelling): readonly string[] {
  const own = text(flat, "equipmentReference", spelling);
  return [...(own === null ? [] : [own]), ...equipmentAmongReferences(flat, spelling)];
}

function referencesOf(raw: JsonObject, own: Spelling): readonly (string | null)[] {
  const laid = flattenEvent(raw, own);
  if (laid === null) return [];
  const { flat, spelling } = laid;
  const documents = field(flat, "documentReferences", spelling);
  const papers = (Array.isArray(documents) ? documents : []).filter(isObject);
  return [
    ...containersOf(flat, spelling),
    trackedReference(text(flat, "documentTypeCode", spelling), text(flat, "documentID", spelling)),
    ...papers.map((paper) =>
      trackedReference(
        text(paper, "documentReferenceType", spelling),
        text(paper, "documentReferenceValue", spelling),
      ),
    ),
  ];
}

function trackedReference(type: string | null, reference: string | null): string | null {
  return type !== null && TRACKED_DOCUMENT_TYPES.has(type.toUpperCase()) ? reference : null;
}
