/** The carriers file: whose APIs are asked, and how. The only place where carriers differ. */
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import type { TLocalizedValidationError } from "typebox/error";

import { CarrierSchema, type Carrier } from "./carrier-schema.ts";

export type { Carrier };

const compiled = Compile(Type.Array(CarrierSchema, { maxItems: 200 }));

export type ReadCarriers =
  | { readonly kind: "carriers"; readonly carriers: readonly Carrier[] }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

/** Reads the carriers file's text. The problems name places and rules, never values: those are secrets. */
export function readCarriers(text: string): ReadCarriers {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "invalid", problems: ["the carriers file is no JSON"] };
  }
  if (!compiled.Check(value)) return { kind: "invalid", problems: problemsOf(compiled.Errors(value)) };
  const problems = [...unusableUrls(value), ...twice(value)];
  return problems.length === 0 ? { kind: "carriers", carriers: value } : { kind: "invalid", problems };
}

/** Problems told at once. */
const PROBLEMS_MAX = 20;

/** By place and rule, never by value. */
export function problemsOf(errors: readonly TLocalizedValidationError[]): readonly string[] {
  // A field that is not known draws two errors; that of keyword `boolean` has its name in the path.
  return errors
    .filter(({ keyword }) => keyword !== "boolean")
    .slice(0, PROBLEMS_MAX)
    .map(problem);
}

function problem(error: TLocalizedValidationError): string {
  const place = error.instancePath || "/";
  if (error.keyword !== "additionalProperties") return `${place} ${error.message}`;
  // Anything else may be a secret in the wrong place.
  const names = error.params.additionalProperties.filter((name) => /^[A-Za-z][\w-]{0,39}$/.test(name));
  return `${place} has fields that are not known${names.length === 0 ? "" : `: ${names.join(", ")}`}`;
}

function unusableUrls(carriers: readonly Carrier[]): readonly string[] {
  return carriers.flatMap(({ baseUrl, oauth, portCalls }, index) =>
    [
      { place: "baseUrl", url: baseUrl },
      { place: "oauth/tokenUrl", url: oauth?.tokenUrl },
      { place: "portCalls/baseUrl", url: portCalls?.baseUrl },
    ].flatMap(({ place, url }) =>
      url === undefined || URL.canParse(url) ? [] : [`/${index}/${place} is no URL`],
    ),
  );
}

function twice(carriers: readonly Carrier[]): readonly string[] {
  const found = carriers.find(
    ({ scac }, index) => carriers.findIndex((other) => other.scac === scac) !== index,
  );
  return found === undefined ? [] : [`carrier ${found.scac} is there twice`];
}

/** All beginnings of bills of lading by which a reference is told to be one. */
export function billPrefixes(carriers: readonly Carrier[]): readonly string[] {
  return carriers.flatMap(billPrefixesOf);
}

function billPrefixesOf({ scac, billPrefixes: own }: Carrier): readonly string[] {
  return [...(scac.length === 4 ? [scac] : []), ...(own ?? [])];
}
