/** Voyages between ports for the tests of connections, and ways as the route shows them. */
import type { Said } from "../schedules/statements.ts";
import { callOn } from "./schedules-service.ts";

export type ShownWay = Readonly<{
  carrier: string | null;
  routing: string;
  transshipments: readonly { readonly port: string; readonly wait_hours: number }[];
  transit_days: number;
  uncertain: boolean;
  legs: readonly {
    readonly voyage: string;
    readonly departure: { readonly port: string; readonly estimated: string };
    readonly arrival: { readonly port: string };
  }[];
}>;

export const VESSELS = ["9321483", "9321495", "9074729", "9811000", "9839430"];

/** The calls of a vessel's voyage: port and day of arrival; it leaves a day later. */
export function voyage(
  vessel: number,
  number: string,
  calls: readonly (readonly [string, number])[],
  more: Said = {},
) {
  return calls.map(([port, day]) =>
    callOn(port, day, {
      vessel: { imo: VESSELS[vessel]!, name: `VESSEL ${vessel}`, isDummy: false },
      service: { code: `S${vessel}`, name: null, universal: null },
      voyage: { import: number, export: number },
      portName: null,
      ...more,
    }),
  );
}
