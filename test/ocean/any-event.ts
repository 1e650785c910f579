/** Statements as a carrier could make them, likely and unlikely ones. */
import fc from "fast-check";

import type { CarrierEvent, Movement, Place } from "../../src/products/ocean/sources/carrier-event.ts";
import { event, march, documentEvent } from "./event.ts";

const HOUR_MS = 3_600_000;

const CODES = {
  equipment: [
    ...["LOAD", "DISC", "GTIN", "GTOT", "STUF", "STRP", "PICK", "DROP", "INSP", "RSEA", "RMVD"],
    ...["AVPU", "AVDO", "CROS", "CUSI", "CUSR", "CUSS", "XXXX"],
  ],
  transport: ["ARRI", "DEPA"],
  shipment: [
    ...["RECE", "DRFT", "PENA", "PENU", "REJE", "APPR", "ISSU", "SURR", "SUBM", "VOID", "CONF", "REQS"],
    ...["CMPL", "HOLD", "RELS", "CANC", "CACF", "CADC", "DECL"],
  ],
};

const DOCUMENTS = ["CBR", "BKG", "SHI", "SRM", "TRD", "ARN", "VGM", "CAS", "CUS", "DGD", "OOG", "XXX"];
const FACILITIES = ["POTE", "DEPO", "INTE", "RAMP", "CLOC", "OFFD", "COFS", "BOCR", "ANCH", "BRTH", "PBPL"];
const VESSELS = [
  { name: "HERON DAWN", imo: "9074729" },
  { name: "TERN SOLSTICE", imo: null },
  { name: null, imo: "9321483" },
];

const nothing = fc.constant(null);

const place: fc.Arbitrary<Place | null> = fc.option(
  fc.record(
    {
      unlocode: fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom("CNTAO", "SGSIN", "NLRTM", "DEHAM", "DEMUC", "ZZZZZ") },
        { weight: 1, arbitrary: nothing },
      ),
      name: fc.option(fc.constantFrom("Qingdao", "Rotterdam"), { freq: 1 }),
      facility: nothing,
      facilityType: fc.option(fc.constantFrom(...FACILITIES)),
    },
    { noNullPrototype: true },
  ),
  { freq: 9 },
);

/** Few moments, so that many statements share one. */
const moment = fc.integer({ min: 0, max: 120 }).map((count) => march(1) + count * 6 * HOUR_MS);

export const anyEvent: fc.Arbitrary<CarrierEvent> = fc
  .constantFrom<CarrierEvent["kind"][]>("equipment", "equipment", "transport", "shipment")
  .chain((kind): fc.Arbitrary<CarrierEvent> => {
    const onPaper = kind === "shipment";
    return fc.record<Omit<Required<CarrierEvent>, "isoCode" | "early" | "source">>(
      {
        kind: fc.constant(kind),
        code: fc.constantFrom(...CODES[kind]),
        classifier: fc.constantFrom("actual", "actual", "estimated", "planned"),
        at: moment.map((ms) => ({ ms, offsetMinutes: null, local: new Date(ms).toISOString().slice(0, 19) })),
        createdAtMs: fc.option(moment),
        place: onPaper ? nothing : place,
        mode: onPaper ? nothing : fc.constantFrom("vessel", "vessel", "rail", "truck", "barge", null),
        vessel: onPaper ? nothing : fc.option(fc.constantFrom(...VESSELS)),
        voyage: nothing,
        equipment: kind === "equipment" ? fc.constantFrom("CSQU3054383", "HRNU4000017") : nothing,
        laden: kind === "equipment" ? fc.constantFrom(true, true, false, null) : nothing,
        movement: fc.option(fc.constantFrom<Movement[]>("export", "transshipment", "import"), { freq: 1 }),
        documentType: onPaper ? fc.constantFrom(...DOCUMENTS) : nothing,
        documents: fc.constant([]),
      },
      { noNullPrototype: true },
    );
  });

const heron = { vessel: { name: "HERON DAWN", imo: "9074729" } };
const tern = { vessel: { name: "TERN SOLSTICE", imo: null } };
const empty = { laden: false };
const rail = { mode: "rail" } as const;

/** A whole life, by two vessels and a train. */
const LIFE: readonly CarrierEvent[] = [
  event("GTOT", "CNTAO", march(1), empty),
  event("GTIN", "CNTAO", march(2)),
  event("LOAD", "CNTAO", march(3), heron),
  event("DEPA", "CNTAO", march(4), heron),
  event("ARRI", "SGSIN", march(8), heron),
  event("DISC", "SGSIN", march(9), heron),
  event("LOAD", "SGSIN", march(11), tern),
  event("DEPA", "SGSIN", march(12), tern),
  event("ARRI", "NLRTM", march(18), tern),
  event("DISC", "NLRTM", march(19), tern),
  documentEvent("CUS", "HOLD", march(19, 15)),
  documentEvent("CUS", "RELS", march(20)),
  documentEvent("SRM", "RELS", march(20, 15)),
  event("LOAD", "NLRTM", march(21), rail),
  event("DISC", "DEMUC", march(22), rail),
  event("GTIN", "DEMUC", march(22, 18), rail),
  event("GTOT", "DEMUC", march(23)),
  event("GTIN", "DEMUC", march(25), empty),
];

/** Part of a life, some of it only expected, in any order. */
const partOfLife = fc
  .subarray([...LIFE], { minLength: 6 })
  .chain((part) =>
    fc.tuple(
      fc.shuffledSubarray(part, { minLength: part.length }),
      fc.array(fc.constantFrom("actual", "actual", "actual", "estimated", "planned"), {
        minLength: part.length,
        maxLength: part.length,
      }),
    ),
  )
  .map(([part, classifiers]) =>
    part.map((one, index) => ({ ...one, classifier: classifiers[index] ?? "actual" })),
  );

const noise = fc.array(anyEvent, { maxLength: 25 });

/** What a carrier says of a shipment: nonsense, part of a life, or both. */
export const anyEvents: fc.Arbitrary<CarrierEvent[]> = fc.oneof(
  noise,
  partOfLife,
  fc
    .tuple(partOfLife, fc.array(anyEvent, { maxLength: 5 }))
    .chain(([life, more]) =>
      fc.shuffledSubarray([...life, ...more], { minLength: life.length + more.length }),
    ),
);
