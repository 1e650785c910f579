/** Sailings that shipments wait for: their calls in the record of schedules, and who waits for them. */
import { textArray, timestampArray } from "../../../store/binary.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import * as sql from "./statements.ts";

export type CallSearch = {
  readonly carrier: string;
  readonly port: string;
  /** The departure, milliseconds since the epoch. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Any of these, where it is not null. */
  readonly imo: string | null;
  /** Letters and digits, in upper case. */
  readonly name: string | null;
  readonly voyage: string | null;
};

/** Calls of one search; a vessel comes to a port every week at most. */
const CALLS_MAX = 40;

/** Calls as JSON, by the place of the search that found them. */
export async function readAwaitedCalls(
  connection: Connection,
  directory: Cell,
  searches: readonly CallSearch[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await connection.rows(sql.awaitedCallList(directory), [
    textArray(searches.map(({ carrier }) => carrier)),
    textArray(searches.map(({ port }) => port)),
    timestampArray(searches.map(({ fromMs }) => fromMs)),
    timestampArray(searches.map(({ toMs }) => toMs)),
    textArray(searches.map(({ imo }) => imo)),
    textArray(searches.map(({ name }) => name)),
    textArray(searches.map(({ voyage }) => voyage)),
    CALLS_MAX,
  ]);
  const found = new Map<number, string[]>();
  for (const { nth, record } of rows) found.set(nth, [...(found.get(nth) ?? []), record]);
  return found;
}

/** Has the shipments of the cell looked at that wait for any of the sailings. */
export async function wakeAwaitingShipments(
  connection: Connection,
  cell: Cell,
  keys: readonly string[],
  atMs: number,
): Promise<void> {
  await connection.rows(sql.shipmentWakeByCall(cell), [textArray(keys), new Date(atMs)]);
}
