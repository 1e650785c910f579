/** Calls at ports for tests of the store: a call of HRNL's service AE1 at Rotterdam unless the fields say otherwise. */
import type { PortCallRow } from "../../src/products/schedules/store/port-calls.ts";
import { idOf, timeOf } from "./store-rows.ts";

export const IMO = "9000001";

/** Its voyage is another one for each id. */
export function callOf(id: number, fields: Partial<PortCallRow> = {}): PortCallRow {
  return {
    ...{ id: idOf(id), carrier: "HRNL", service: "AE1", voyage: `${String(id).padStart(3, "0")}W` },
    ...{ importVoyage: "", port: "NLRTM", nth: 1, vesselImo: null, vesselName: null, terminal: null },
    ...{ status: null, arrivalMs: null, departureMs: null, callsAtMs: timeOf(0), record: `{"n":${id}}` },
    ...{ goneMs: null, dueMs: null, measuredOn: null, onTime: null },
    ...fields,
  };
}
