/** A movement of Cargo-XML → the flight, its leg and times, and the place and time of the status. */
import type { LocalTime } from "../../../../freight/places/local-time.ts";
import type { TimeIndicator } from "../../timeline/air-event.ts";
import { elementsAt, textAt, type ReportElement, type XmlElement } from "../carried/xml.ts";
import type { Movement } from "../event-form.ts";
import { designatorIn, isCarrier, type Designator } from "../imp/flight.ts";
import { quoted } from "../imp/problem.ts";
import { readDateTime } from "../one-record/values.ts";

const INDICATORS: Readonly<Record<string, TimeIndicator>> = { A: "actual", E: "estimated", S: "scheduled" };

/** FlightStatusTypeCode, as words or their first letters. */
const END_OF_LEG = { from: /^(?:DEP|ORI|LOAD|BOARD)/, to: /^(?:ARR|DES|UNLOAD|OFF)/ };

/** Null: the element is missing, and the status has neither a place nor a time. */
export function readMovement(movement: XmlElement, report: ReportElement): Movement {
  const designator = readDesignator(movement, report);
  const [leaves, arrives] = [
    elementsAt(movement, "DepartureEvent")[0],
    elementsAt(movement, "ArrivalEvent")[0],
  ];
  const { from, to, station } = readPlaces(movement, leaves, arrives, report);
  const departs = flightTime(
    leaves,
    "DepartureOccurrenceDateTime",
    "DepartureDateTimeTypeCode",
    from,
    report,
  );
  const scheduled = timeAt(leaves, "ScheduledOccurrenceDateTime", from, report);
  const planned = elementsAt(movement, "ScheduledArrivalEvent")[0];
  const lands =
    flightTime(arrives, "ArrivalOccurrenceDateTime", "ArrivalDateTimeTypeCode", to, report) ??
    scheduledTime(timeAt(arrives, "ScheduledOccurrenceDateTime", to, report)) ??
    scheduledTime(timeAt(planned, "ScheduledOccurrenceDateTime", to, report));
  const departure = departs ?? scheduledTime(scheduled);
  const [happens] = elementsAt(movement, "SpecifiedEvent");
  const carrier = textAt(movement, "CarrierParty", "PrimaryID")?.toUpperCase() ?? "";
  return {
    designator,
    carrier: isCarrier(carrier) ? carrier : null,
    from,
    to,
    station,
    departure: departure?.at ?? null,
    departureIs: departure?.is ?? null,
    date: (scheduled ?? departure?.at)?.local.slice(0, "YYYY-MM-DD".length) ?? null,
    arrival: lands?.at ?? null,
    arrivalIs: lands?.is ?? null,
    isTimed: textAt(happens ?? NOTHING, "OccurrenceDateTime") !== null,
    occurrence: (place) => timeAt(happens, "OccurrenceDateTime", place, report),
    occurrenceIs: INDICATORS[textAt(happens ?? NOTHING, "DateTimeTypeCode")?.toUpperCase() ?? ""] ?? null,
  };
}

const NOTHING: XmlElement = {
  name: "",
  uri: "",
  attributes: new Map(),
  children: [],
  text: "",
  line: 1,
  column: 1,
};

/** Of a status without a movement. */
export const NO_MOVEMENT: Movement = readMovement(NOTHING, () => undefined);

/** Some write the carrier apart: `400` of carrier LH. */
function readDesignator(movement: XmlElement, report: ReportElement): Designator | null {
  const [id] = elementsAt(movement, "ID");
  const written = id?.text.trim().toUpperCase() ?? "";
  if (id === undefined || written === "") return null;
  const carrier = textAt(movement, "CarrierParty", "PrimaryID")?.toUpperCase() ?? "";
  const read = designatorIn(written) ?? designatorIn(carrier + written);
  if (read === null && !isCarrier(written))
    report(id, `a flight such as LH400 is expected here, not ${quoted(written)}`);
  return read;
}

function readPlaces(
  movement: XmlElement,
  leaves: XmlElement | undefined,
  arrives: XmlElement | undefined,
  report: ReportElement,
): Pick<Movement, "from" | "to" | "station"> {
  const places = elementsAt(movement, "SpecifiedLocation").flatMap((location) => {
    const code = textAt(location, "ID")?.toUpperCase() ?? "";
    if (/^[A-Z]{3}$/.test(code))
      return [{ code, end: textAt(location, "FlightStatusTypeCode")?.toUpperCase() ?? "" }];
    report(location, `an airport of three letters is expected here, not ${quoted(code)}`);
    return [];
  });
  const named = (pattern: RegExp): string | null => places.find(({ end }) => pattern.test(end))?.code ?? null;
  const other = places.filter(({ end }) => !END_OF_LEG.from.test(end) && !END_OF_LEG.to.test(end));
  const [first, second] = other.length > 1 ? other : [];
  return {
    from: named(END_OF_LEG.from) ?? codeAt(leaves, "OccurrenceDepartureLocation") ?? first?.code ?? null,
    to: named(END_OF_LEG.to) ?? codeAt(arrives, "OccurrenceArrivalLocation") ?? second?.code ?? null,
    station: other.length === 1 ? other[0]!.code : null,
  };
}

/** The IATA code of an airport or a city. */
export function codeAt(element: XmlElement | undefined, name: string): string | null {
  const code = element === undefined ? "" : (textAt(element, name, "ID")?.toUpperCase() ?? "");
  return /^[A-Z]{3}$/.test(code) ? code : null;
}

type FlightTime = { readonly at: LocalTime; readonly is: TimeIndicator | null };

function flightTime(
  event: XmlElement | undefined,
  name: string,
  indicator: string,
  station: string | null,
  report: ReportElement,
): FlightTime | null {
  const at = timeAt(event, name, station, report);
  const is = INDICATORS[textAt(event ?? NOTHING, indicator)?.toUpperCase() ?? ""] ?? null;
  return at === null ? null : { at, is };
}

function scheduledTime(at: LocalTime | null): FlightTime | null {
  return at === null ? null : { at, is: "scheduled" };
}

/** A date-time with its offset; without one, of the station's clock. */
function timeAt(
  element: XmlElement | undefined,
  name: string,
  station: string | null,
  report: ReportElement,
): LocalTime | null {
  const [found] = element === undefined ? [] : elementsAt(element, name);
  const text = found?.text.trim() ?? "";
  if (found === undefined || text === "") return null;
  const at = readDateTime(text, station);
  if (at === null)
    report(found, `a date and a time such as 2026-11-15T14:30:00 are expected here, not ${quoted(text)}`);
  return at;
}
