/**
 * Where a UN/LOCODE is, and in which time zone: ports, and the inland places that boxes go to. The table
 * ports.csv is made and checked by scripts/write-ports.ts, which says from what.
 */
import { readTable } from "./table.ts";

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
  return table().get(unlocode) ?? null;
}

export function allPorts(): readonly Port[] {
  return [...table().values()];
}

let ports: ReadonlyMap<string, Port> | null = null;

function table(): ReadonlyMap<string, Port> {
  return (ports ??= readPorts());
}

function readPorts(): ReadonlyMap<string, Port> {
  const rows = readTable("./ports.csv", ["unlocode", "name", "latitude", "longitude", "time_zone"]);
  return new Map(rows.map((row) => [row[0]!, readPort(row)]));
}

function readPort([unlocode, name, latitude, longitude, timeZone]: readonly string[]): Port {
  const country = unlocode!.slice(0, 2);
  const point = { latitude: Number(latitude), longitude: Number(longitude) };
  return { unlocode: unlocode!, name: name!, country, ...point, timeZone: timeZone! };
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
