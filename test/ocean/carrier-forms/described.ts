/** Carriers whose answers nobody here has seen: written from what is published, and from what we suppose. */
import {
  boxOf,
  CLASSIFIERS,
  documentOf,
  imoOf,
  inUtc,
  referencesOf,
  siteOf,
  statedOf,
  townOf,
  utcTime,
  vesselOf,
  type CarrierForm,
  type Statement,
} from "./statement.ts";

/**
 * Track & Trace 2.2 as CMA CGM describes it: no document events, a move's meaning in words (discharged in
 * transshipment), estimates of vessel calls and plans of all calls, inland moves for the parties of the booking only.
 * Envelope, order and time form are the standard's.
 */
export const cmaCgm: CarrierForm = {
  leavesOut: ({ kind }) => kind === "shipment",
  answer: (statements) =>
    statements.map((statement) => {
      const { code, classifier, place, mode, vessel, voyage, booking, local } = statement;
      return {
        ...statedOf(statement),
        eventID: `${code}${local}${place?.port ?? ""}${classifier}`,
        description: describe(statement),
        ...referencesOf(["BKG", booking]),
        ...boxOf(statement, "22G1"),
        transportCall: {
          ...siteOf(statement),
          modeOfTransport: mode,
          exportVoyageNumber: voyage,
          importVoyageNumber: voyage,
          ...(vessel !== null && { vessel: { vesselName: vessel, vesselIMONumber: Number(imoOf(vessel)) } }),
          ...(place !== null && { location: { locationName: townOf(place), UNLocationCode: place.port } }),
        },
      };
    }),
};

function describe({ code, movement, laden }: Statement): string {
  if (code === "DISC") return movement === "transshipment" ? "Discharged in transshipment" : "Discharged";
  if (code === "LOAD") return "Loaded on board";
  if (code === "GTIN") return laden === false ? "Container empty returned" : "Gate in at port terminal";
  if (code !== "GTOT") return "Vessel call";
  return laden === false ? "Empty picked-up at depot" : "Gate out to consignee";
}

/**
 * COSCO's tracking as an adapter would translate it to 2.2. It has an interface of its own: places by its own codes and
 * names, no UN/LOCODE, and, as its users say, no vessel calls. Adapter and field names are our assumption.
 */
export const cosco: CarrierForm = {
  leavesOut: ({ kind }) => kind === "transport",
  answer: (statements) => ({
    data: statements.map((statement) => {
      const { kind, place, mode, vessel, voyage, booking } = statement;
      return {
        ...statedOf(statement),
        ...documentOf(statement),
        ...referencesOf(["BKG", booking]),
        ...(place !== null && {
          eventLocation: { locationName: townOf(place), facilityCode: place.facility },
        }),
        ...(kind !== "shipment" && {
          transportCall: {
            facilityTypeCode: place?.facilityType,
            modeOfTransport: mode,
            carrierVoyageNumber: voyage,
            ...(vessel !== null && { vessel: { vesselName: vessel } }),
          },
        }),
        ...boxOf(statement, null),
      };
    }),
  }),
};

/**
 * Track & Trace 2.2 as Evergreen describes it: `PLAN` in its examples, SMDG terminals, no word of transshipment. Users of
 * its tracking say that it has days without times; they are written as midnights of the place.
 */
export const evergreen: CarrierForm = {
  answer: (statements) => ({
    data: statements.map((given) => {
      const { kind, code, classifier, place, mode, voyage, booking } = given;
      const statement =
        kind === "shipment" ? given : { ...given, local: `${given.local.slice(0, 10)}T00:00:00` };
      return {
        ...statedOf(statement, { planned: "PLAN" }),
        eventID: [booking, code, classifier, statement.local, place?.port].join("/"),
        ...documentOf(statement),
        ...boxOf(statement, "42G1"),
        ...(kind === "transport" && { delayReasonCode: null, changeRemark: null }),
        ...referencesOf(["BKG", booking]),
        ...(kind !== "shipment" && {
          transportCall: {
            carrierVoyageNumber: voyage,
            ...siteOf(statement),
            facilityCodeListProvider: "SMDG",
            modeOfTransport: mode,
            ...vesselOf(statement),
          },
        }),
      };
    }),
  }),
};

/**
 * Track & Trace 2.2 as HMM describes it: found by booking and container together, all three kinds of event, no type of
 * container, a last free day beside the list (it has an Arrival Notice, too). The description is public in part; no
 * empty indicator, the list `items` and REQ for estimates are our assumption.
 */
export const hmm: CarrierForm = {
  answer: (statements) => {
    const lastFreeDate = statements.find(({ lastFreeDay }) => lastFreeDay !== null)?.lastFreeDay;
    const items = statements.map((statement) => {
      const { kind, code, mode, voyage, box, booking, local } = statement;
      return {
        ...statedOf(statement, { estimated: "REQ" }),
        eventID: `${kind}${code}${local}`,
        ...documentOf(statement),
        ...(kind !== "shipment" && {
          transportCall: {
            ...siteOf(statement),
            modeOfTransport: mode,
            carrierVoyageNumber: voyage,
            ...vesselOf(statement),
          },
        }),
        ...(kind === "equipment" && { equipmentReference: box }),
        ...referencesOf(["BKG", booking]),
      };
    });
    const freeTimes = [{ typeCodes: ["DEM"], calculationBasis: "CD", lastFreeDate }];
    return { items, ...(lastFreeDate !== undefined && { freeTimes }) };
  },
};

/**
 * Track & Trace 2.2 as we suppose ONE to write it. Public are its membership, an early API and a tracking page whose
 * times are wall clocks of the place without an offset. The form of its answer is behind a login: envelope, a list of
 * references for the container and missing event ids are our assumption.
 */
export const one: CarrierForm = {
  answer: (statements) => ({ events: statements.map(eventOfOne), count: statements.length }),
};

function eventOfOne(statement: Statement): object {
  const { kind, code, classifier, place, mode, vessel, voyage, box, laden, booking, local } = statement;
  const { statedMs, lastFreeDay, document } = statement;
  return {
    eventType: kind.toUpperCase(),
    [`${kind}EventTypeCode`]: code,
    eventClassifierCode: CLASSIFIERS[classifier],
    eventDateTime: kind === "shipment" ? `${local}Z` : local.replace("T", " "),
    eventCreated: utcTime(statedMs),
    references: kind === "equipment" ? [{ referenceType: "EQ", referenceValue: box }] : [],
    ...(kind === "shipment" && { documentTypeCode: document, documentId: booking }),
    ...(kind === "equipment" && laden !== null && { emptyIndicatorCode: laden ? "FULL" : "EMPTY" }),
    ...(lastFreeDay !== null && { lastFreeDate: lastFreeDay }),
    ...referencesOf(["BKG", booking]),
    ...(place !== null && {
      eventLocation: {
        UNLocationCode: place.port,
        locationName: townOf(place),
        facilityCode: place.facility,
        facilityType: place.facilityType,
      },
      transportCall: {
        modeOfTransportCode: mode,
        ...(voyage !== null && { carrierVoyageNumber: voyage }),
        ...(vessel !== null && { vessel: { vesselName: vessel } }),
      },
    }),
  };
}

/**
 * Track & Trace 2.2 as we suppose Yang Ming to write it. Public is the version only. Our assumption: vessels without a
 * name or number, which only the voyage distinguishes; document events without a classifier; codes that the standard does
 * not have.
 */
export const yangMing: CarrierForm = {
  answer: (statements, atMs) => [...statements.map(eventOfYangMing), internalMove(statements, atMs)],
};

function eventOfYangMing(statement: Statement): object {
  const { kind, place, mode, voyage, booking } = statement;
  const { eventClassifierCode, ...stated } = statedOf(statement);
  const common = { ...stated, ...referencesOf(["CBR", booking]) };
  if (kind === "shipment") return { ...common, ...documentOf(statement) };
  return {
    ...common,
    eventClassifierCode,
    transportCall: {
      modeOfTransport: mode,
      exportVoyageNumber: voyage,
      facilityTypeCode: place?.facilityType,
      location: {
        UNLocationCode: place?.port,
        ...(place !== null && { locationName: townOf(place) }),
        facilityCode: place?.facility,
      },
    },
    ...boxOf(statement, null, "FULL"),
  };
}

/** A weighing within the terminal of the last move, by a code that nobody knows. */
function internalMove(statements: readonly Statement[], atMs: number): object {
  const last = statements.findLast(({ kind, classifier }) => kind === "equipment" && classifier === "actual");
  if (last === undefined) return { eventType: "IOT" };
  return eventOfYangMing({ ...last, code: "WGHT", statedMs: atMs, mode: null, vessel: null, voyage: null });
}

/**
 * Track & Trace 2.2 as we suppose ZIM to write it: all times in plain UTC. Public are its adoption of the standard and a
 * portal behind a login; programs that read its tracking page find times in UTC and no numbers of vessels.
 */
export const zim: CarrierForm = {
  answer: (statements) => ({
    data: statements.map((statement) => {
      const { kind, place, mode, vessel, voyage, booking } = statement;
      return {
        ...statedOf(statement),
        eventDateTime: inUtc(statement),
        ...documentOf(statement),
        ...boxOf(statement, null),
        ...referencesOf(["BKG", booking], ["TRD", `TESU${booking}`]),
        ...(kind !== "shipment" && {
          transportCall: {
            ...siteOf(statement),
            modeOfTransport: mode,
            exportVoyageNumber: voyage,
            ...(vessel !== null && { vessel: { vesselName: vessel } }),
            ...(place !== null && { location: { locationName: townOf(place) } }),
          },
        }),
      };
    }),
  }),
};
