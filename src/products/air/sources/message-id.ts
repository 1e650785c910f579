/**
 * What tells one message from another: its words, not what carries it. A message that comes bare, by e-mail and in a
 * provider's JSON is one; the same words in two envelopes of one kind that were made apart are two, since an airline may
 * book back to a flight, or deliver two parts alike.
 */
import { createHash } from "node:crypto";

/** The digest of the words, in hexadecimal; then, of an envelope that says when it was made, its kind and its digest. */
export type MessageId = string & { readonly brand: unique symbol };

/** Enough to tell the messages of one waybill apart. */
const WORDS_CHARS = 16;
const ENVELOPE_CHARS = 8;

/** @param envelope - the letter of its kind, and what differs between two of it; null: it has none. */
export function messageId(words: string, envelope: string | null): MessageId {
  const made =
    envelope === null ? "" : `${envelope.slice(0, 1)}${digestOf(envelope).slice(0, ENVELOPE_CHARS)}`;
  return `${digestOf(words).slice(0, WORDS_CHARS)}${made}` as MessageId;
}

/** What the ids of all messages begin with that say the same as one: of its words, and of the kind of its envelope. */
export function startsOf(id: MessageId): { readonly words: string; readonly kind: string } {
  const kind = id.slice(0, WORDS_CHARS + 1);
  // No id has this.
  return { words: id.slice(0, WORDS_CHARS), kind: kind.length > WORDS_CHARS ? kind : `${kind}-` };
}

/** Whether one of the known says it already. */
export function isKnown(id: MessageId, known: Iterable<string>): boolean {
  const { words, kind } = startsOf(id);
  for (const other of known) {
    if (other.startsWith(words) && (other === id || !other.startsWith(kind))) return true;
  }
  return false;
}

/** Whether nothing else says it of the waybill, which something does from now on. */
export function isNew(known: Map<string, string[]>, awb: string, id: MessageId): boolean {
  const place = `${awb} ${startsOf(id).words}`;
  const others = known.get(place) ?? [];
  if (isKnown(id, others)) return false;
  known.set(place, [...others, id]);
  return true;
}

export function digestOf(bytes: Buffer | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
