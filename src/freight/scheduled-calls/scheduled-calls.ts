/**
 * Calls of vessels at ports as a schedule states them. One product provides them, and another waits for them: their
 * manifests say so, and neither knows the other. Times are milliseconds since the epoch.
 */
import type { Cell, Cells } from "../../store/cell.ts";
import type { Connection } from "../../store/database.ts";
import type { ProductCells } from "../../store/homes/product-cells.ts";

/** Null where nobody states it. */
export type VesselNames = { readonly imo: string | null; readonly name: string | null };

export type ScheduledCall = {
  readonly vessel: VesselNames;
  /** On which the vessel leaves, else on which it came; null: not known. */
  readonly voyage: string | null;
  /** All departures that are stated for it. */
  readonly departuresMs: readonly number[];
  /** Null: nobody says. */
  readonly expectedMs: number | null;
  readonly departedMs: number | null;
  /** Why the vessel does not call; null: it does. */
  readonly cancelled: "blanked" | "slid" | "omitted" | "missing" | null;
};

/** Finds the departures of a carrier from a port within a time, by any of the three names that is not null. */
export type CallSearch = {
  /** SCAC. */
  readonly carrier: string;
  /** UN/LOCODE. */
  readonly port: string;
  /** The departure's. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly imo: string | null;
  /** Letters and digits, in upper case. */
  readonly name: string | null;
  readonly voyage: string | null;
};

/** The calls that each search finds, in their order. */
export type FindScheduledCalls = (
  connection: Connection,
  cells: ProductCells,
  searches: readonly CallSearch[],
) => Promise<readonly (readonly ScheduledCall[])[]>;

/** What a call is known by. */
export type CallNames = {
  readonly carrier: string;
  readonly port: string;
  readonly vessel: VesselNames;
  readonly voyage: string | null;
};

/** A call that is new, or of which the expected departure or the state has changed. */
export type ChangedCall = {
  readonly departureMs: number;
  /** As it was, where it was known, and as it is. */
  readonly names: readonly CallNames[];
};

/**
 * Receives changed calls in the transaction of the cell that changes them, `source`, so that neither is there without
 * the other: what it has to say to `cells` of accounts goes to the outbox of `source`.
 */
export type OnCallsChanged = (
  tx: Connection,
  source: Cell,
  cells: Cells,
  changes: readonly ChangedCall[],
  atMs: number,
) => Promise<void>;
