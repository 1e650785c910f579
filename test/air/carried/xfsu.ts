/** Status messages of Cargo-XML for tests, with the elements in the order of IATA's schema. */

/** An element with the prefix of its kind; nothing without content. */
export function tag(name: string, content: string | null = null, attributes = ""): string {
  return content === null || content === "" ? "" : `<ram:${name}${attributes}>${content}</ram:${name}>`;
}

export type Head = {
  readonly awb?: string;
  readonly pieces?: string;
  readonly weight?: string;
  readonly split?: string;
  readonly totalPieces?: string;
  readonly totalWeight?: string;
  readonly version?: string;
  readonly purpose?: string;
};

const SPACES = 'xmlns:rsm="iata:statusmessage:1" xmlns:ram="iata:datamodel:3"';

/** Of 020-12345675 from FRA to JFK, ten pieces of 250.5 kg, unless something else is given. */
export function xfsu(statuses: string, head: Head = {}): string {
  const { awb = "020-12345675", pieces = "10", weight = "250.5", split = "T", version = "3.00" } = head;
  const { totalPieces = "10", totalWeight = "", purpose = "Creation" } = head;
  return `<?xml version="1.0" encoding="UTF-8"?>
<rsm:StatusMessage ${SPACES}>
  <rsm:MessageHeaderDocument>
    <ram:ID>FSU-1</ram:ID><ram:Name>Status Message</ram:Name><ram:TypeCode>XFSU</ram:TypeCode>
    <ram:IssueDateTime>2026-11-16T09:00:00</ram:IssueDateTime>
    <ram:PurposeCode>${purpose}</ram:PurposeCode>${tag("VersionID", version)}
  </rsm:MessageHeaderDocument>
  <rsm:BusinessHeaderDocument><ram:ID>1</ram:ID></rsm:BusinessHeaderDocument>
  <rsm:MasterConsignment>
    ${tag("GrossWeightMeasure", weight, ' unitCode="KGM"')}
    ${tag("TotalGrossWeightMeasure", totalWeight, ' unitCode="KGM"')}
    ${tag("PieceQuantity", pieces)}${tag("TotalPieceQuantity", totalPieces)}
    ${tag("TransportSplitDescription", split)}
    <ram:TransportContractDocument>${tag("ID", awb)}<ram:Name>Air Waybill</ram:Name><ram:TypeCode>740</ram:TypeCode></ram:TransportContractDocument>
    <ram:OriginLocation><ram:ID>FRA</ram:ID><ram:Name>Frankfurt</ram:Name></ram:OriginLocation>
    <ram:FinalDestinationLocation><ram:ID>JFK</ram:ID></ram:FinalDestinationLocation>
    ${statuses}
  </rsm:MasterConsignment>
</rsm:StatusMessage>
`;
}

/** Ten pieces of 250.5 kg. */
export const ALL = quantity("10", "250.5", "T");

export function quantity(pieces: string, weight: string, split: string, unit = "KGM"): string {
  return (
    tag("GrossWeightMeasure", weight, ` unitCode="${unit}"`) +
    tag("PieceQuantity", pieces) +
    tag("TransportSplitDescription", split)
  );
}

/** `rest`: what follows the quantity. */
export function status(code: string, amount: string, ...rest: readonly string[]): string {
  const consignment = tag("AssociatedStatusConsignment", amount + rest.join(""));
  return `<ram:ReportedStatus>${tag("ReasonCode", code)}${consignment}</ram:ReportedStatus>`;
}

export type Moved = {
  readonly flight?: string;
  readonly departs?: string;
  readonly departsIs?: string;
  readonly scheduledDeparture?: string;
  readonly arrives?: string;
  readonly arrivesIs?: string;
  readonly scheduledArrival?: string;
  readonly carrier?: string;
  readonly from?: string;
  readonly to?: string;
  readonly at?: string;
  readonly time?: string;
};

export function movement(moved: Moved): string {
  const place = (code: string | undefined, end: string): string =>
    code === undefined
      ? ""
      : tag(
          "SpecifiedLocation",
          tag("ID", code) + tag("TypeCode", "Airport") + tag("FlightStatusTypeCode", end),
        );
  const { departs, arrives, time } = moved;
  return tag(
    "SpecifiedLogisticsTransportMovement",
    tag("ID", moved.flight) +
      tag("ScheduledArrivalEvent", tag("ScheduledOccurrenceDateTime", moved.scheduledArrival)) +
      tag(
        "ArrivalEvent",
        tag("ArrivalOccurrenceDateTime", arrives) +
          tag("ArrivalDateTimeTypeCode", arrives === undefined ? "" : (moved.arrivesIs ?? "A")),
      ) +
      tag(
        "DepartureEvent",
        tag("DepartureOccurrenceDateTime", departs) +
          tag("DepartureDateTimeTypeCode", departs === undefined ? "" : (moved.departsIs ?? "A")) +
          tag("ScheduledOccurrenceDateTime", moved.scheduledDeparture),
      ) +
      tag("CarrierParty", tag("PrimaryID", moved.carrier, ' schemeAgencyID="1"')) +
      place(moved.from, "Departure") +
      place(moved.to, "Arrival") +
      place(moved.at, "") +
      tag(
        "SpecifiedEvent",
        tag("OccurrenceDateTime", time) + tag("DateTimeTypeCode", time === undefined ? "" : "A"),
      ),
  );
}

export const party = (role: string, name: string, carrier = ""): string =>
  tag(role, tag("PrimaryID", carrier) + tag("Name", name));
