/**
 * Answers that keep the vessels in lists of their own, beside the events: `transportCall` has each port call of the
 * booking with its vessel and voyage, `transport` each leg with the calls at its two ends (as HMM documents it).
 */
import { field, object, text, type Spelling } from "../../../../freight/dcsa/spelling.ts";
import { type JsonObject, isObject } from "../../../../model/json.ts";
import { callOf, readVessel, readVoyage } from "./event.ts";

/** An event of the page with the vessel of its leg, where it names none itself. */
export function withListedCall(page: unknown, spelling: Spelling): (raw: unknown) => unknown {
  const calls = isObject(page) ? listAt(page, "transportCall", spelling) : [];
  if (!isObject(page) || calls.length === 0) return (raw) => raw;
  const legs = listAt(page, "transport", spelling).map((transport) => legOf(transport, calls, spelling));
  return (raw) => {
    if (!isObject(raw)) return raw;
    const own = callOf(raw, spelling);
    const isByVessel = text(own, "modeOfTransport", spelling)?.toUpperCase() === "VESSEL";
    if (!isByVessel || readVessel(own, spelling) !== null) return raw;
    const port = text(own, "UNLocationCode", spelling);
    const isHere = (call: JsonObject): boolean =>
      port !== null && text(call, "UNLocationCode", spelling) === port;
    const leg = setsOut(raw, spelling)
      ? legs.findLast(({ from }) => isHere(from))
      : legs.find(({ to }) => isHere(to));
    const sailed = leg?.sailed ?? calls.filter(isHere).map((call) => sailedBy(call, spelling))[0];
    return sailed === undefined ? raw : { ...raw, transportCall: { ...own, ...sailed } };
  };
}

type Leg = { readonly from: JsonObject; readonly to: JsonObject; readonly sailed: JsonObject };

function sailedBy(call: JsonObject, spelling: Spelling): JsonObject {
  const vessel = object(call, "vessel", spelling);
  return { vessel, carrierVoyageNumber: readVoyage(call, spelling) };
}

/** The voyage is that of the call where the leg begins: the number may change at its end. */
function legOf(transport: JsonObject, calls: readonly JsonObject[], spelling: Spelling): Leg {
  const callWith = (id: string | null): JsonObject =>
    calls.find((call) => id !== null && text(call, "transportCallID", spelling) === id) ?? {};
  const from = callWith(text(transport, "loadTransportCallID", spelling));
  const named = {
    vesselName: text(transport, "transportName", spelling),
    vesselIMONumber: text(transport, "vesselIMONumber", spelling),
  };
  const to = callWith(text(transport, "dischargeTransportCallID", spelling));
  const { vessel, ...voyage } = sailedBy(from, spelling);
  return { from, to, sailed: { ...voyage, vessel: { ...named, ...(vessel as JsonObject) } } };
}

/** The box is loaded, or its vessel departs. */
function setsOut(raw: JsonObject, spelling: Spelling): boolean {
  const code = text(raw, "equipmentEventTypeCode", spelling) ?? text(raw, "transportEventTypeCode", spelling);
  return code?.toUpperCase() === "LOAD" || code?.toUpperCase() === "DEPA";
}

const LISTED_MAX = 200;

/** A list, or the only one itself. */
function listAt(page: JsonObject, name: string, spelling: Spelling): readonly JsonObject[] {
  const value = field(page, name, spelling);
  return (Array.isArray(value) ? value : [value]).slice(0, LISTED_MAX).filter(isObject);
}
