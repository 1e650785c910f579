/** The carriers file: which APIs are polled, and how. The only place where carriers differ. */
import { Type } from "typebox";
import { Compile } from "typebox/compile";

import { readUpstreamFile } from "../../../freight/upstream/upstream-file.ts";
import { CarrierSchema, type Carrier } from "./carrier-schema.ts";

export type { Carrier };

const schema = Compile(Type.Array(CarrierSchema, { maxItems: 200 }));

export type ReadCarriers =
  | { readonly kind: "carriers"; readonly carriers: readonly Carrier[] }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

export function readCarriers(text: string): ReadCarriers {
  const read = readUpstreamFile("carriers", text, schema, (carriers) => [
    ...unusableUrls(carriers),
    ...twice(carriers),
  ]);
  return read.kind === "invalid" ? read : { kind: "carriers", carriers: read.value };
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
