/** What was imported of a shipment that is polled, or is re-evaluated because something was imported. */
import { hasOwnTime } from "../../../../freight/sources/as-of.ts";
import type { ClaimedShipment } from "../../../../freight/polling/store/polls.ts";
import { StoreUnavailable } from "../../../../model/errors.ts";
import type { Log } from "../../../../runtime/log.ts";
import { readRecord } from "../../record/record.ts";
import { historyOf, reduceBehind, type Reduction, type ReducePorts } from "../../record/reduce-shipment.ts";
import type { ShipmentRecord } from "../../record/shipment-record.ts";
import type { CarrierEvent } from "../carrier-event.ts";
import { carrierNamed } from "../carriers.ts";
import {
  carrierEvents,
  carrierFreeDays,
  importedEvents,
  importReferencesOf,
  withdrawnImports,
  withImports,
  type StoredStatement,
} from "./merge.ts";
import type { ReadImported } from "./read-imported.ts";

export type IngestPorts = ReducePorts & {
  /** Absent: nothing is imported. */
  readonly readImported?: ReadImported;
  readonly log: Pick<Log, "error" | "warn">;
};

type Imported = {
  readonly record: ShipmentRecord | null;
  /** All that is stored, what was withdrawn among it. */
  readonly stored: readonly StoredStatement[];
  readonly events: readonly CarrierEvent[];
  readonly withdrawn: readonly CarrierEvent[];
};

export const NO_IMPORTS = { stored: [], events: [], withdrawn: [] };

/** Whether something may have been imported under the shipment's own reference. */
export async function mayBeImported(
  { readImported }: IngestPorts,
  { reference }: Pick<ClaimedShipment, "reference">,
): Promise<boolean> {
  if (readImported === undefined) return false;
  const { statements, failures } = await readImported([reference]);
  return statements.length > 0 || failures.length > 0;
}

/** A record keeps what it has ingested. Rejects without one if not all can be read. */
export async function readImports(
  { readImported, log }: IngestPorts,
  claimed: ClaimedShipment,
  record: string | null,
): Promise<Imported> {
  const known = record === null ? null : readRecord(record);
  if (readImported === undefined) return { record: known, ...NO_IMPORTS };
  const { statements, failures } = await readImported(importReferencesOf(claimed, known));
  const [error] = failures;
  if (error !== undefined) {
    if (record === null) throw new StoreUnavailable("imported milestones cannot be read", { cause: error });
    log.warn({ shipment: claimed.id, error }, "imported milestones wait for the next poll");
  }
  return {
    record: known,
    stored: statements,
    events: importedEvents(claimed, statements, known),
    withdrawn: withdrawnImports(claimed, statements),
  };
}

/** The record of imports and of what it has of its carrier; null: nothing was imported. */
export async function ingestImports(
  ports: IngestPorts,
  claimed: ClaimedShipment,
  read: () => Promise<string | null>,
  nowMs: number,
): Promise<Reduction | null> {
  if (ports.readImported === undefined) return null;
  const before = await read();
  const { record, stored, events, withdrawn } = await readImports(ports, claimed, before);
  if (stored.length === 0 || (record === null && events.length === 0)) return null;
  const carrier = claimed.carrier === null ? null : carrierNamed(ports.carriers, claimed.carrier);
  if (carrier !== null && hasOwnTime(carrier)) return null;
  const statements = {
    carrier: claimed.carrier ?? claimed.carrierHint ?? carrierStated(stored) ?? "",
    isFound: claimed.carrier !== null,
    identifierType: claimed.identifierType ?? record?.identifierType ?? null,
    reference: claimed.reference,
    events: withImports(carrierEvents(record), events),
    withdrawn,
    freeDays: carrierFreeDays(record),
    ...(record?.isPrivate === true ? { isPrivate: record.isPrivate } : {}),
    ...(record?.incomplete === true ? { isOfIncomplete: record.incomplete } : {}),
  };
  const history = before === null ? historyOf(statements.events, claimed) : null;
  return reduceBehind(ports, claimed, history, statements, before, { asOfMs: nowMs, nowMs });
}

/** As the latest statement has it. */
function carrierStated(stored: readonly StoredStatement[]): string | null {
  const latest = stored.toSorted(
    (one, other) => (other.event.createdAtMs ?? 0) - (one.event.createdAtMs ?? 0),
  );
  return latest.find(({ carrier }) => carrier !== null)?.carrier ?? null;
}
