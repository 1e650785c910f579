/**
 * Whose an air waybill is, by its first three digits. The table prefixes.csv is kept by hand; what it is
 * made from, and what its last column says, is in docs/decisions/air.md.
 */
import { readFileSync } from "node:fs";

export type KnownAirline = {
  /** Three digits. */
  readonly prefix: string;
  /** IATA, two characters. */
  readonly iata: string;
  readonly name: string;
};

/** Null: a prefix that is not in the table. */
export function knownAirline(prefix: string): KnownAirline | null {
  return knownAirlines().get(prefix) ?? null;
}

/** The whole table, by prefix. */
export function knownAirlines(): ReadonlyMap<string, KnownAirline> {
  airlines ??= parseTable(readFileSync(new URL("./prefixes.csv", import.meta.url), "utf8"));
  return airlines;
}

let airlines: ReadonlyMap<string, KnownAirline> | null = null;

function parseTable(text: string): ReadonlyMap<string, KnownAirline> {
  const rows = text.trimEnd().split("\n").slice(1);
  return new Map(rows.map((row) => [row.slice(0, 3), parseRow(row)]));
}

function parseRow(row: string): KnownAirline {
  const [prefix, iata, name, source, ...more] = row.split(",");
  if (prefix === undefined || iata === undefined || name === undefined) throw invalidRow(row);
  if ((source !== "hand" && source !== "opentraveldata") || more.length > 0) throw invalidRow(row);
  return { prefix, iata, name };
}

function invalidRow(row: string): Error {
  return new Error(`prefixes.csv has a row that is none: ${row}`);
}
