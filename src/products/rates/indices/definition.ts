/** Reads the definition of an index from JSON (docs/rates.md). */
import { isUtf8 } from "node:buffer";

import { isObject } from "../../../model/json.ts";
import { createRepeatedCheck } from "../../../model/repeated.ts";
import { DAY_MS } from "../../../runtime/durations.ts";
import { ValidationError, mustBe, readDay, textOf, type ReadField } from "../../../freight/tables/field.ts";
import { fieldsReader, parseExactJson, unknownFields } from "../../../freight/tables/rows.ts";
import type { StoredIndex } from "../store/rate-indices.ts";
import { readSource } from "../currencies/exchange-fields.ts";
import { parseDecimal, PERCENT_DIGITS } from "../decimal.ts";
import { laneKey, laneText, type Lane } from "../lanes/lane.ts";
import { readEquipment } from "../lanes/equipment.ts";
import { readCarrierOrMarket, readCurrency, readPlace } from "../lanes/rate-fields.ts";

/** `baseValue` in hundredths of a point. */
export type IndexDefinition = Pick<
  StoredIndex,
  "id" | "name" | "currency" | "baseDate" | "weekday" | "hourUtc"
> & {
  readonly baseValue: bigint;
  /** Whose rates convert the lanes of other currencies; null: the only source there is. */
  readonly exchangeSource: string | null;
  readonly lanes: readonly WeightedLane[];
};

/** `weight` is a number of containers, in ten-thousandths. */
export type WeightedLane = { readonly lane: Lane; readonly weight: bigint };

export type IndexDefinitionResult =
  | { readonly kind: "index"; readonly index: IndexDefinition }
  /** `message` says everything to change. */
  | { readonly kind: "invalid"; readonly message: string };

/** One answer lists all of them. */
export const INDICES_MAX = 200;
const LANES_MAX = 500;
const NAME_LENGTH_MAX = 200;
export const WEIGHT_DIGITS = 4;
const BASE_VALUE_DEFAULT = "1000";
const HOUR_DEFAULT = 12;
/** An index with a day is computed once a week. */
export const WEEK_MS = 7 * DAY_MS;

export const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
export const ON_DEMAND = "none";

const FIELDS = [
  ...["id", "name", "currency", "base_date", "base_value", "day", "hour_utc", "exchange_source", "lanes"],
];
const LANE_FIELDS = ["origin", "destination", "equipment", "carrier", "currency", "weight"];

export const INDEX_ID = /^[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?$/;

export function readIndexDefinition(bytes: Buffer): IndexDefinitionResult {
  if (!isUtf8(bytes)) return invalid("it is not valid UTF-8; save it as UTF-8");
  let value: unknown;
  try {
    value = parseExactJson(bytes.toString("utf8"));
  } catch (error) {
    return invalid(`it is no JSON: ${(error as Error).message}`);
  }
  if (!isObject(value)) return invalid(`it must be an object with ${FIELDS.join(", ")}`);
  const errors: string[] = [];
  const index = indexFrom(value, errors);
  return errors.length === 0 ? { kind: "index", index } : invalid(errors.join("; "));
}

function invalid(message: string): IndexDefinitionResult {
  return { kind: "invalid", message };
}

/** Complete only if there are no `errors`. */
function indexFrom(value: Readonly<Record<string, unknown>>, errors: string[]): IndexDefinition {
  errors.push(...unknownFields({ fields: FIELDS, outputOnly: [] }, Object.keys(value)));
  const read = fieldsReader(value, errors);
  const currency = read("currency", readCurrency);
  const lanes = read("lanes", (written) => readLanes(written, currency, errors));
  const exchangeSource = read("exchange_source", readSourceOrNull);
  if (errors.length === 0 && exchangeSource !== null && foreignCurrencies(lanes, currency).length === 0)
    errors.push(`exchange_source must be left out: all lanes are in ${currency}`);
  return {
    id: read("id", readId),
    name: read("name", readName),
    currency,
    baseDate: read("base_date", readDay),
    baseValue: read("base_value", readBaseValue),
    weekday: read("day", readWeekday),
    hourUtc: read("hour_utc", readHour),
    exchangeSource,
    lanes,
  };
}

/** The currencies of lanes that are not in that of the index, in alphabetical order. */
export function foreignCurrencies(
  lanes: readonly { readonly lane: Lane }[],
  indexCurrency: string,
): readonly string[] {
  const currencies = new Set(lanes.map(({ lane }) => lane.currency));
  currencies.delete(indexCurrency);
  return [...currencies].toSorted();
}

const readSourceOrNull: ReadField<string | null> = (written) =>
  textOf(written) === undefined ? null : readSource(written);

const readId: ReadField<string> = (written) => {
  const text = textOf(written);
  if (text === undefined || !INDEX_ID.test(text)) {
    throw mustBe("small letters, digits and hyphens, at most 50, such as asia-europe-40hc", written);
  }
  return text;
};

const readName: ReadField<string> = (written) => {
  const text = textOf(written);
  const isGood = text !== undefined && text.length <= NAME_LENGTH_MAX && text.isWellFormed();
  // oxlint-disable-next-line no-control-regex -- what the store cannot keep, or a terminal would obey
  if (!isGood || /[\u0000-\u001f\u007f]/.test(text)) {
    throw mustBe(`one line of at most ${NAME_LENGTH_MAX} characters`, written);
  }
  return text;
};

const readBaseValue: ReadField<bigint> = (written) => {
  const value = parseDecimal(textOf(written) ?? BASE_VALUE_DEFAULT, PERCENT_DIGITS);
  if (value === null || value <= 0n) {
    throw mustBe("a number above 0 with at most two decimals, such as 1000", written);
  }
  return value;
};

const readWeekday: ReadField<number | null> = (written) => {
  const text = textOf(written)?.toLowerCase() ?? "friday";
  if (text === ON_DEMAND) return null;
  const weekday = WEEKDAYS.indexOf(text) + 1;
  if (weekday === 0) throw mustBe(`one of ${WEEKDAYS.join(", ")}, or ${ON_DEMAND}`, written);
  return weekday;
};

const readHour: ReadField<number> = (written) => {
  const text = textOf(written) ?? String(HOUR_DEFAULT);
  if (!/^\d{1,2}$/.test(text) || Number(text) > 23) throw mustBe("a whole number from 0 to 23", written);
  return Number(text);
};

function readLanes(written: unknown, currency: string, errors: string[]): readonly WeightedLane[] {
  if (!Array.isArray(written) || written.length === 0 || written.length > LANES_MAX) {
    throw new ValidationError(`must be a list of 1 to ${LANES_MAX} lanes`);
  }
  const lanes = written.map((one: unknown, index) => readLane(one, currency, `lanes[${index}]: `, errors));
  if (errors.length > 0) return [];
  const isRepeated = createRepeatedCheck();
  const twice = lanes.find(({ lane }) => isRepeated(laneKey(lane)));
  if (twice !== undefined) throw new ValidationError(`name ${laneText(twice.lane)} twice`);
  return lanes;
}

function readLane(written: unknown, currency: string, where: string, errors: string[]): WeightedLane {
  if (!isObject(written)) {
    errors.push(`${where}must be an object`);
    return undefined as never;
  }
  const found = [...unknownFields({ fields: LANE_FIELDS, outputOnly: [] }, Object.keys(written))];
  const read = fieldsReader(written, found);
  const lane = {
    origin: read("origin", readPlace),
    destination: read("destination", readPlace),
    equipment: read("equipment", readEquipment),
    carrier: read("carrier", readCarrierOrMarket),
    currency: read("currency", (own) => (textOf(own) === undefined ? currency : readCurrency(own))),
  };
  const weight = read("weight", readWeight);
  errors.push(...found.map((problem) => where + problem));
  return { lane, weight };
}

const readWeight: ReadField<bigint> = (written) => {
  const weight = parseDecimal(textOf(written) ?? "", WEIGHT_DIGITS);
  if (weight === null || weight <= 0n) {
    throw mustBe(`a number above 0 with at most ${WEIGHT_DIGITS} decimals`, written);
  }
  return weight;
};
