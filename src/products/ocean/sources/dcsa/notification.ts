/**
 * A carrier's callback: the events of its answers, signed as in Track & Trace 2.2. 3.0 leaves the authentication
 * open, so the same signature is required.
 */
import { createHmac, timingSafeEqual } from "node:crypto";

import { type JsonObject, isObject } from "../../../../model/json.ts";
import { readImo } from "../ais/navigational-status.ts";
import { plainReference, TRACKED_DOCUMENT_TYPES } from "../../timeline/transport-documents.ts";
import { callOf, equipmentAmongReferences, flattenEvent, readVessel } from "./event.ts";
import { eventList } from "./parse.ts";
import { field, text, type Spelling } from "../../../../freight/dcsa/spelling.ts";

/** Whether `Notification-Signature: sha256=<hex>` is the HMAC of the body under one of the base64 secrets. */
export function hasValidSignature(
  signature: string | undefined,
  body: Buffer,
  secrets: readonly string[],
): boolean {
  const hex = /^sha256=([0-9a-f]{64})$/i.exec(signature?.trim() ?? "")?.[1];
  if (hex === undefined) return false;
  const claimed = Buffer.from(hex, "hex");
  return secrets.some((secret) => {
    const right = createHmac("sha256", Buffer.from(secret, "base64")).update(body).digest();
    return timingSafeEqual(right, claimed);
  });
}

/** Of one callback; more real ones are larger than a request may be. */
export const EVENTS_MAX = 5_000;
const REFERENCES_MAX = 2_000;
/** DCSA's limit. */
const REFERENCE_LENGTH_MAX = 35;

/** The plain references that the events name; null: there is no list of events. */
export function referencesIn(
  notification: unknown,
  spelling: Spelling,
): readonly string[] | "too_many" | null {
  const list = eventList(notification, spelling);
  if (list === null) return null;
  if (list.length > EVENTS_MAX) return "too_many";
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

const VESSELS_MAX = 50;

/** The IMO numbers of vessels whose calls name no container. */
export function vesselsIn(notification: unknown, spelling: Spelling): readonly string[] {
  const found = new Set<string>();
  for (const raw of eventList(notification, spelling) ?? []) {
    const flattened = isObject(raw) ? flattenEvent(raw, spelling) : null;
    if (flattened === null || containersOf(flattened.flat, flattened.spelling).length > 0) continue;
    const call = callOf(flattened.flat, flattened.spelling);
    const imo = readImo(readVessel(call, flattened.spelling)?.imo ?? null);
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
  const flattened = flattenEvent(raw, own);
  if (flattened === null) return [];
  const { flat, spelling } = flattened;
  const list = field(flat, "documentReferences", spelling);
  const documents = (Array.isArray(list) ? list : []).filter(isObject);
  return [
    ...containersOf(flat, spelling),
    trackedReference(text(flat, "documentTypeCode", spelling), text(flat, "documentID", spelling)),
    ...documents.map((document) =>
      trackedReference(
        text(document, "documentReferenceType", spelling),
        text(document, "documentReferenceValue", spelling),
      ),
    ),
  ];
}

function trackedReference(type: string | null, reference: string | null): string | null {
  return type !== null && TRACKED_DOCUMENT_TYPES.has(type.toUpperCase()) ? reference : null;
}
