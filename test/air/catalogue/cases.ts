/** Each airline and provider of the catalogue that can be polled, with its server as it behaves by its documents. */
import assert from "node:assert/strict";

import type { Airline } from "../../../src/products/air/sources/airlines/airline-schema.ts";
import { readAirlines } from "../../../src/products/air/sources/airlines/airlines-file.ts";
import {
  shippedCatalogue,
  type CatalogueEntry,
} from "../../../src/products/air/sources/catalogue/catalogue.ts";
import { manualClock } from "../../support/clock.ts";
import { secretOf } from "../../source-check/given.ts";
import { DOCUMENTED, type Documented } from "./documented.ts";

export type Case = {
  readonly name: string;
  readonly entry: CatalogueEntry;
  readonly documented: Documented;
};

/** One without documented behaviour fails here. */
export const CASES: readonly Case[] = shippedCatalogue()
  .filter(({ unsupported }) => unsupported === undefined)
  .map((entry) => {
    const documented = DOCUMENTED[entry.code];
    if (documented === undefined) throw new Error(`${entry.code}: how does it behave by its documents?`);
    return { name: entry.code, entry, documented };
  });

/** What a user would write, but for where the servers are. */
export function airlineFor(
  { entry, documented: { named, added = {} } }: Case,
  url: string,
  given: (need: string) => string = secretOf,
): Airline {
  const needs = Object.keys(entry.signIn[0]!.needs);
  const fields = Object.fromEntries(
    needs.map((need) => [need, need.endsWith("Url") ? `${url}/${need.slice(0, -3)}` : given(need)]),
  );
  const read = readAirlines(JSON.stringify([{ ...named, ...fields, ...added }]));
  assert.ok(read.kind === "entries", JSON.stringify(read));
  const [airline] = read.entries as readonly [Airline];
  const sources = airline.sources.map((source) => {
    assert.ok(source.kind === "mapped");
    const { origin } = new URL(source.url.replaceAll(/[{}]/g, ""));
    return { ...source, url: source.url.replace(origin, url) };
  });
  return { ...airline, sources };
}

/** The time of all checks, shortly after the guide's answers. */
export const NOW_MS = manualClock().nowMs();
