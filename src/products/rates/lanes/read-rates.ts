/** A file of lane rates, JSON or CSV → rates, and what is wrong with the lines that are none (docs/rates.md). */
import type { SlicedWork } from "../../../runtime/time-slices.ts";
import { textOf } from "../../../freight/tables/field.ts";
import {
  fieldsReader,
  parseRows,
  unknownFields,
  type Row,
  type Table,
  type TableFormat,
} from "../../../freight/tables/rows.ts";
import { digitsOf } from "../currency.ts";
import { formatDecimal } from "../decimal.ts";
import { readEquipment } from "./equipment.ts";
import { offeredLaneKey, type LaneRate } from "./lane.ts";
import { readLayer } from "./layers.ts";
import { readCommodity, readContract, readKind, withKind } from "./offer.ts";
import {
  amountReader,
  readCarrierOrMarket,
  readCurrency,
  readDate,
  readDateOrNull,
  readPlace,
} from "./rate-fields.ts";
import { readSurcharges } from "./read-surcharges.ts";
import { totalOf } from "./surcharges.ts";
import { readTerms, TERM_FIELDS, termProblems } from "./terms.ts";

const REQUIRED_FIELDS = ["origin", "destination", "equipment", "currency", "valid_from", "base"];

const RATES: Table = {
  name: "rates",
  fields: [
    ...REQUIRED_FIELDS,
    ...["carrier", "kind", "contract", "commodity", "layer", "valid_to", "surcharges", "total"],
    ...TERM_FIELDS,
  ],
  required: REQUIRED_FIELDS,
  outputOnly: ["id", "lane_id", "loaded_at", "not_in_total"],
  exactNumbers: true,
  takesSemicolons: true,
};

/** `line` is that of {@link Row}. */
export type RateProblem = { readonly line: number; readonly message: string };

export type ReadRates =
  | {
      readonly kind: "rates";
      /** Lines with something in them, good or not; without a heading. */
      readonly lines: number;
      /** No two of them have the same lane, layer and first day. */
      readonly rates: readonly LaneRate[];
      /** In the order of the lines; a line with several errors has one problem. */
      readonly problems: readonly RateProblem[];
    }
  /** Nothing of it can be read. `message` says what to change. */
  | { readonly kind: "unreadable"; readonly message: string };

export type RatesBounds = { readonly bytesMax: number; readonly linesMax: number };

/** A command has a process of its own. */
export const FILE_BOUNDS: RatesBounds = { bytesMax: 128 * 1024 * 1024, linesMax: 500_000 };

/** A request shares its process with deliveries, and parsing JSON yields no time. */
export const REQUEST_BOUNDS: RatesBounds = { bytesMax: 8 * 1024 * 1024, linesMax: 20_000 };

export function* readRates(
  bytes: Buffer,
  format: TableFormat,
  { bytesMax, linesMax }: RatesBounds,
): SlicedWork<ReadRates> {
  if (bytes.length > bytesMax) return unreadable(`there are more than ${bytesMax} bytes; load it in parts`);
  const written = yield* parseRows(bytes, format, RATES);
  if (written.kind === "unreadable") return unreadable(written.problems.join("; "));
  const rates: LaneRate[] = [];
  const problems: RateProblem[] = [];
  const lineOf = new Map<string, number>();
  for (const row of written.rows) {
    yield;
    if (row === null) continue;
    const { line, fields } = row;
    if (rates.length + problems.length === linesMax) {
      return unreadable(`there are more than ${linesMax} rates; load it in parts`);
    }
    const rate = readRate(fields, written.decimalComma);
    const key =
      typeof rate === "string" ? "" : `${offeredLaneKey(rate.lane)}\t${rate.layer} ${rate.validFrom}`;
    const before = lineOf.get(key);
    if (typeof rate === "string") problems.push({ line, message: rate });
    else if (before === undefined) {
      rates.push(rate);
      lineOf.set(key, line);
    } else
      problems.push({
        line,
        message: `the same lane, layer and valid_from as line ${before}: leave one out`,
      });
  }
  const lines = rates.length + problems.length;
  return lines === 0 ? unreadable("there is no rate in it") : { kind: "rates", lines, rates, problems };
}

function unreadable(message: string): ReadRates {
  return { kind: "unreadable", message };
}

/** The rate, or all that is wrong with it. */
function readRate(fields: Row["fields"], decimalComma: boolean): LaneRate | string {
  if (typeof fields === "string") return fields;
  const found = [...unknownFields(RATES, Object.keys(fields))];
  const read = fieldsReader(fields, found);
  const lane = {
    origin: read("origin", readPlace),
    destination: read("destination", readPlace),
    equipment: read("equipment", readEquipment),
    carrier: read("carrier", readCarrierOrMarket),
    currency: read("currency", readCurrency),
    kind: read("kind", readKind),
    contract: read("contract", readContract),
    commodity: read("commodity", readCommodity),
  };
  const layer = read("layer", readLayer);
  const validFrom = read("valid_from", readDate);
  const validTo = read("valid_to", readDateOrNull);
  const terms = readTerms(fields, read);
  // Undefined where it could not be read.
  const currency: string | undefined = lane.currency;
  const readAmount = amountReader(currency ?? null, decimalComma);
  const base = read("base", readAmount);
  const surcharges = read("surcharges", (written) =>
    readSurcharges(written, {
      ...{ currency, base, decimalComma },
      amountsOf: (of) => (of === currency ? readAmount : amountReader(of, decimalComma)),
    }),
  );
  const stated = read("total", (written) => (textOf(written) === undefined ? null : readAmount(written)));
  if (found.length > 0) return found.join("; ");
  const total = totalOf(base, surcharges);
  const rate = { lane: withKind(lane), layer, validFrom, validTo, base, surcharges, total, terms };
  const problems = problemsOf(rate, stated);
  return problems.length > 0 ? problems.join("; ") : rate;
}

/** What is wrong with a rate of which each field is right. `stated`: the total of the file; null: none. */
function problemsOf(rate: LaneRate, stated: bigint | null): readonly string[] {
  const { lane, layer, validFrom, validTo, base, total, terms } = rate;
  const found = [...termProblems(terms)];
  if (lane.origin === lane.destination) found.push("origin and destination are the same");
  if (lane.kind === "spot" && lane.contract !== null) found.push(CONTRACT_OF_SPOT);
  if (validTo !== null && validTo < validFrom) found.push("valid_to is before valid_from");
  if (layer === "promotion" && validTo === null) found.push(OPEN_PROMOTION);
  if (base < 0n || total < 0n) found.push("base and total must not be below zero");
  if (stated !== null && stated !== total) {
    const amount = formatDecimal(total, digitsOf(lane.currency));
    found.push(`total must be ${amount}, which base and surcharges come to`);
  }
  return found;
}

const OPEN_PROMOTION = "valid_to is missing: a promotion ends, and gives the standard rate back";
const CONTRACT_OF_SPOT = "contract is of contract rates: leave it out of a spot rate, or change kind";
