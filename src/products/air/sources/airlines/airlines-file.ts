/** The airlines file: which airlines are polled, and how. Airlines differ nowhere else. */
import type { TSchema } from "typebox";

import { fileProblems, validatorOf } from "../../../../model/validation-error.ts";
import { createFileReader } from "../../../../freight/source-catalogue/source-file.ts";
import {
  AirlineSchema,
  SOURCE_SCHEMAS,
  type Airline,
  type AirlineSource,
  type PolledSource,
} from "./airline-schema.ts";
import { shippedCatalogue, type Catalogue } from "../catalogue/catalogue.ts";
import { filledFrom } from "../catalogue/from-catalogue.ts";
import { knownAirline, type KnownAirline } from "../../../../freight/references/awb-prefixes.ts";
import { compileTimePattern, TIME_PATTERN_FORM } from "../../../../freight/places/time-pattern.ts";
import { fillTemplate } from "../../../../freight/references/awb.ts";

export type { Airline };

export const readAirlines = createFileReader<Airline, Catalogue>({
  name: "airlines",
  entry: AirlineSchema,
  entriesMax: 400,
  shipped: shippedCatalogue,
  namedBy: "airline",
  fill: filledFrom,
  problemsOf: (airline, place) =>
    airline.sources.flatMap((source, number) => {
      const inside = `${place}/sources/${number}`;
      const problems = sourceProblems(source, inside);
      return problems.length > 0 ? problems : addressProblems(source, inside);
    }),
  keysOf: ({ prefixes }) => prefixes,
  twice: (prefix) => `prefix ${prefix} is there twice`,
});

/** The airline configured for a waybill's first three digits. */
export function configuredAirline(airlines: readonly Airline[], prefix: string): Airline | null {
  return airlines.find(({ prefixes }) => prefixes.includes(prefix)) ?? null;
}

/** The airline of a waybill's first three digits, configured or known (spec 4.2: prefix_resolution). */
export function resolveAirline(airlines: readonly Airline[], prefix: string): KnownAirline | null {
  const configured = configuredAirline(airlines, prefix);
  return configured === null
    ? knownAirline(prefix)
    : { prefix, iata: configured.iata, name: configured.name };
}

function sourceProblems(source: AirlineSource, place: string): readonly string[] {
  const { kind } = source;
  const schema: TSchema = SOURCE_SCHEMAS[kind];
  const validator = validatorOf(schema);
  return validator.Check(source) ? [] : fileProblems(schema, validator.Errors(source), place);
}

/** What the schemas cannot check: that addresses are URLs, and that the request contains the number. */
function addressProblems(source: AirlineSource, place: string): readonly string[] {
  if (source.kind === "push") return [];
  const unknown = timesOf(source).find((pattern) => compileTimePattern(pattern) === null);
  if (unknown !== undefined)
    return [`${place}/answer/event/times must be ${TIME_PATTERN_FORM}, not ${JSON.stringify(unknown)}`];
  const [name, url] = source.kind === "one-record" ? ["objectUrl", source.objectUrl] : ["url", source.url];
  if (!URL.canParse(fillTemplate(url, ANY_AWB))) return [`${place}/${name} is no URL`];
  const message = messageOf(source);
  // The default message contains the number.
  if (message === undefined || /\{awb\}|\{serial\}/.test(url + message)) return [];
  return [`${place}/${name} has neither {awb} nor {serial}`];
}

function timesOf(source: AirlineSource): readonly string[] {
  return source.kind === "mapped" ? (source.answer.event.times ?? []) : [];
}

/** Undefined: the default message of a status request. */
function messageOf(source: PolledSource): string | undefined {
  if (source.kind === "mapped") return source.message ?? "";
  return source.kind === "fsr" && source.method !== "GET" ? source.message : "";
}

const ANY_AWB = "00000000000";
