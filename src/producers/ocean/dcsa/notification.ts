/**
 * What a carrier pushes to those who subscribed to its events: the same events as its answers hold,
 * signed as Track & Trace 2.2 has it. 3.0 leaves the authentication open; it is the same here.
 */
import { createHmac, timingSafeEqual } from "node:crypto";

import { equipmentAmongReferences, equipmentNumber } from "./equipment.ts";
import { laidFlat } from "./event.ts";
import { eventList } from "./parse.ts";
import { field, isObject, text, type JsonObject, type Spelling } from "./spelling.ts";

/**
 * Whether `Notification-Signature: sha256=<hex>` is the HMAC of the body, byte for byte, under one of the
 * secrets, which the subscription was given in base64.
 */
export function isSigned(signature: string | undefined, body: Buffer, secrets: readonly string[]): boolean {
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

/** Types of documents that shipments are tracked by. */
const TRACKED = new Set(["BKG", "CBR", "TRD"]);

/** The references that the events name, upper-case letters and digits; null: these are no events. */
export function referencesIn(notification: unknown, spelling: Spelling): readonly string[] | null {
  const list = eventList(notification, spelling);
  if (list === null) return null;
  const found = new Set<string>();
  for (const raw of list) {
    if (!isObject(raw)) continue;
    for (const written of namedBy(raw, spelling)) {
      const reference = equipmentNumber(written ?? "");
      if (reference !== "" && reference.length <= REFERENCE_LENGTH_MAX) found.add(reference);
    }
    if (found.size >= REFERENCES_MAX) break;
  }
  return [...found].slice(0, REFERENCES_MAX);
}

function namedBy(raw: JsonObject, own: Spelling): readonly (string | null)[] {
  const laid = laidFlat(raw, own);
  if (laid === null) return [];
  const { flat, spelling } = laid;
  const documents = field(flat, "documentReferences", spelling);
  const papers = (Array.isArray(documents) ? documents : []).filter(isObject);
  return [
    text(flat, "equipmentReference", spelling),
    ...equipmentAmongReferences(flat, spelling),
    tracked(text(flat, "documentTypeCode", spelling), text(flat, "documentID", spelling)),
    ...papers.map((paper) =>
      tracked(
        text(paper, "documentReferenceType", spelling),
        text(paper, "documentReferenceValue", spelling),
      ),
    ),
  ];
}

function tracked(type: string | null, reference: string | null): string | null {
  return type !== null && TRACKED.has(type.toUpperCase()) ? reference : null;
}
