/** Reads the parameters of the public routes. */
import { readImoNumber } from "../../../freight/references/imo-number.ts";
import { dayIn } from "../../../freight/places/local-time.ts";
import { zoneOf } from "../../../freight/places/ports.ts";
import { utcDay } from "../../../model/instant.ts";
import {
  ValidationError,
  mustBe,
  readDayOrNone,
  textOf,
  type ReadField,
} from "../../../freight/tables/field.ts";

export type QueryResult<T> =
  | { readonly kind: "valid"; readonly value: T }
  /** `message` names the parameter. */
  | { readonly kind: "invalid"; readonly message: string };

type Parameters = { readonly [name: string]: unknown };

/** `read` takes each parameter by its name; an error in one names `query.<name>`. */
export function readQuery<T>(
  parameters: Parameters,
  read: (field: <V>(name: string, as: ReadField<V>) => V) => T,
): QueryResult<T> {
  try {
    const value = read((name, as) => {
      try {
        return as(parameters[name]);
      } catch (error) {
        if (error instanceof ValidationError) throw new ValidationError(`query.${name} ${error.message}`);
        throw error;
      }
    });
    return { kind: "valid", value };
  } catch (error) {
    if (error instanceof ValidationError) return { kind: "invalid", message: error.message };
    throw error;
  }
}

export const readPort: ReadField<string> = (written) => {
  const text = textOf(written)?.toUpperCase();
  if (text === undefined || !/^[A-Z]{2}[A-Z2-9]{3}$/.test(text)) {
    throw mustBe("a UN/LOCODE such as NLRTM", written);
  }
  return text;
};

/** Null: any. */
const orAny =
  (read: (text: string, written: unknown) => string): ReadField<string | null> =>
  (written) => {
    const text = textOf(written);
    return text === undefined ? null : read(text, written);
  };

export const readCarrierOrAny = orAny((text, written) => {
  if (!/^[A-Z]{2,4}$/i.test(text)) throw mustBe("a SCAC, two to four letters", written);
  return text.toUpperCase();
});

export const readVesselOrAny = orAny((text) => {
  const read = readImoNumber(text);
  if (read.kind === "invalid") throw new ValidationError(read.message);
  return read.imo;
});

/** Characters. */
const SERVICE_LENGTH_MAX = 100;

export const readServiceOrAny = orAny((text, written) => {
  if (text.length > SERVICE_LENGTH_MAX || /\p{Cc}/u.test(text)) {
    throw mustBe("a service's code, or its name where it has none", written);
  }
  return text;
});

/** A day that has begun, by UTC. */
export const readPastDayOrNull =
  (nowMs: number): ReadField<string | null> =>
  (written) => {
    const day = readDayOrNone(written);
    const today = utcDay(nowMs);
    if (day !== null && day > today) throw mustBe(`${today} or a day before it`, written);
    return day;
  };

export const DAYS_DEFAULT = 28;
export const DAYS_MAX = 92;

/** From the first day to the last, both included, by the port's calendar. */
export function windowAt(
  port: string,
  from: string | null,
  to: string | null,
  nowMs: number,
): { readonly fromMs: number; readonly beforeMs: number } {
  const zone = zoneOf(port) ?? "UTC";
  const first = Temporal.PlainDate.from(from ?? dayIn(zone, nowMs));
  const last = to === null ? first.add({ days: DAYS_DEFAULT - 1 }) : Temporal.PlainDate.from(to);
  const days = first.until(last, { largestUnit: "day" }).days + 1;
  if (days < 1)
    throw new ValidationError(`query.to must be ${first.toString()} or later, not before query.from`);
  if (days > DAYS_MAX) {
    const latest = first.add({ days: DAYS_MAX - 1 });
    throw new ValidationError(
      `query.to must be ${latest.toString()} or earlier: ${DAYS_MAX} days are the most of one query`,
    );
  }
  const startMs = (day: Temporal.PlainDate): number => day.toZonedDateTime(zone).epochMilliseconds;
  return { fromMs: startMs(first), beforeMs: startMs(last.add({ days: 1 })) };
}
