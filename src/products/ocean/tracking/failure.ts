/** Why the last poll of a shipment had no answer, as clients see it. */
import { knownAirline } from "../../../freight/references/awb-prefixes.ts";
import { awbOf, formatAwb, readAwb } from "../../../freight/references/awb.ts";

type Failure = {
  /** Stable: `not_found`, `wrong_carrier`, `not_permitted`, `unavailable`. */
  readonly code: string;
  readonly message: string;
};

const SENTENCES: Readonly<Record<string, string>> = {
  not_found:
    "No carrier that was asked knows this reference yet. Check that it is written right; it is asked for again with growing waits, for two weeks.",
  wrong_carrier:
    "The carrier that you named does not know this reference, but another one does. Stop tracking it and start again without the carrier, or with the right one.",
  not_permitted:
    "The carrier refused our credentials. The operator of this service has to correct them; you need do nothing.",
};

const NOT_ASKED_HERE: Failure = {
  code: "wrong_carrier",
  message:
    "This service does not poll the carrier that you named, and no carrier that it polls knows this reference. Stop tracking it and start again without the carrier, or with the right one. If the carrier is right, ask the operator of this service to add it.",
};

const UNAVAILABLE =
  "The carrier is unavailable. It is polled again with growing waits; until then, the last known state is shown.";

const UNAVAILABLE_PREFIX = "unavailable_";

/** `stored` is a code of the record: `not_found`, `wrong_carrier_not_asked`, `unavailable_timeout` … */
export function failureOf(stored: string | null, reference: string): Failure | null {
  if (stored === null) return null;
  if (stored === "not_found") return { code: stored, message: `${SENTENCES[stored]}${airHint(reference)}` };
  if (stored === "wrong_carrier_not_asked") return NOT_ASKED_HERE;
  // The exact reason is for the operator, in the log and the operator's list.
  if (stored.startsWith(UNAVAILABLE_PREFIX)) return { code: "unavailable", message: UNAVAILABLE };
  return { code: stored, message: SENTENCES[stored] ?? "The carrier had no answer. It is polled again." };
}

/** Some bills of lading have eleven digits too, so the hint follows only if no carrier knows the reference. */
function airHint(reference: string): string {
  const isAwb = /^[0-9]{11}$/.test(reference) && readAwb(reference).kind === "awb";
  const airline = isAwb ? knownAirline(awbOf(reference).prefix) : null;
  if (airline === null) return "";
  return ` If it is the air waybill ${formatAwb(reference)} of ${airline.name}, ask for that at /air/track/${reference}.`;
}
