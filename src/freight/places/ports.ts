/**
 * Where a UN/LOCODE is, and in which time zone: ports, and the inland places that boxes go to. The table
 * ports.csv is made and checked by scripts/write-ports.ts, which says from what.
 */
import { readFileSync } from "node:fs";

export type Port = {
  /** UN/LOCODE. */
  readonly unlocode: string;
  readonly name: string;
  /** ISO 3166-1, two letters. */
  readonly country: string;
  /** Degrees north; the port's or its town's, to some kilometres. */
  readonly latitude: number;
  /** Degrees east. */
  readonly longitude: number;
  /** IANA. */
  readonly timeZone: string;
};

/** Null: a code that is not in the table. There are more UN/LOCODEs than places that containers go to. */
export function portOf(unlocode: string): Port | null {
  ports ??= readPorts(readFileSync(new URL("./ports.csv", import.meta.url), "utf8"));
  return ports.get(unlocode) ?? null;
}

let ports: ReadonlyMap<string, Port> | null = null;

function readPorts(text: string): ReadonlyMap<string, Port> {
  const rows = text.trimEnd().split("\n").slice(1);
  return new Map(rows.map((row) => [row.slice(0, 5), readPort(row)]));
}

function readPort(row: string): Port {
  const [unlocode, name, latitude, longitude, timeZone, ...more] = row.split(",");
  if (unlocode === undefined || name === undefined || timeZone === undefined || more.length > 0) {
    throw new Error(`ports.csv has a row that is none: ${row}`);
  }
  const country = unlocode.slice(0, 2);
  return { unlocode, name, country, latitude: Number(latitude), longitude: Number(longitude), timeZone };
}

/** A UN/LOCODE in capital letters and without spaces; null: it is none. */
export function readUnlocode(written: string | null): string | null {
  const code = written?.toUpperCase().replaceAll(" ", "") ?? "";
  return /^[A-Z]{2}[A-Z0-9]{3}$/.test(code) ? code : null;
}

/** The port's IANA zone; null where it is not known. */
export function zoneOf(unlocode: string | null): string | null {
  return unlocode === null ? null : (portOf(unlocode)?.timeZone ?? null);
}
