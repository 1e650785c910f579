/** The carriers file: which APIs are polled, and how. The only place where carriers differ. */
import { Type } from "typebox";
import { Compile } from "typebox/compile";

import { fileProblems } from "../../../freight/upstream/file-problems.ts";
import { CarrierSchema, type Carrier } from "./carrier-schema.ts";

export type { Carrier };

const FileSchema = Type.Array(CarrierSchema, { maxItems: 200 });
const compiled = Compile(FileSchema);

export type ReadCarriers =
  | { readonly kind: "carriers"; readonly carriers: readonly Carrier[] }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

/** The problems name places and rules, never values: those are secrets. */
export function readCarriers(text: string): ReadCarriers {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "invalid", problems: ["the carriers file is not JSON"] };
  }
  if (!compiled.Check(value))
    return { kind: "invalid", problems: fileProblems(FileSchema, compiled.Errors(value)) };
  const problems = [...unusableUrls(value), ...twice(value)];
  return problems.length === 0 ? { kind: "carriers", carriers: value } : { kind: "invalid", problems };
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
  return found === undefined ? [] : [`carrier ${found.scac} is listed twice`];
}

/** The prefixes that identify a reference as a bill of lading. */
export function billPrefixes(carriers: readonly Carrier[]): readonly string[] {
  return carriers.flatMap(({ scac, billPrefixes: own = [] }) => (scac.length === 4 ? [scac, ...own] : own));
}
