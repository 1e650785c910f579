/** Why the last look at a shipment had no answer, as clients are told. */
export type Failure = {
  /** Stable: `not_found`, `wrong_carrier`, `not_permitted`, `unavailable`. */
  readonly code: string;
  /** A sentence for people: what it means, and what happens next or should be done. */
  readonly message: string;
};

const SENTENCES: Readonly<Record<string, string>> = {
  not_found:
    "No carrier that was asked knows this reference yet. Check that it is written right; it is asked for again with growing waits, for two weeks.",
  wrong_carrier:
    "The carrier that you named does not know this reference, or is not one that is asked here. Stop tracking it and start again without the carrier, or with the right one.",
  not_permitted:
    "The carrier refused our credentials. Whoever runs this service has to put them right; nothing is for you to do.",
};

const UNAVAILABLE =
  "The carrier could not be asked just now. It is asked again with growing waits, and what is shown is what was known before.";

const UNAVAILABLE_PREFIX = "unavailable_";

/** `stored` is a code of the record: `not_found`, `unavailable_timeout` … */
export function failureOf(stored: string | null): Failure | null {
  if (stored === null) return null;
  // What exactly was down concerns whoever runs the service; it is in the log and the operator's list.
  if (stored.startsWith(UNAVAILABLE_PREFIX)) return { code: "unavailable", message: UNAVAILABLE };
  return { code: stored, message: SENTENCES[stored] ?? "The carrier had no answer. It is asked again." };
}
