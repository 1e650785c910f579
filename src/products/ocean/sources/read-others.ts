/** Reads the other references of a shipment from where they are known, where a carrier wants some. */
import type { ClaimedShipment } from "../../../freight/polling/store/polls.ts";
import type { Cell } from "../../../store/cell.ts";
import type { Connection } from "../../../store/database.ts";
import { readImports, type IngestPorts } from "./imported/ingest.ts";
import { knownReferences, readGiven, type ReadKnownReferences } from "./known-references.ts";
import { KINDS } from "./question-schema.ts";
import { shipmentReadGiven } from "../../../freight/tracking/store/shipments.sql.ts";

type OthersPorts = IngestPorts & { readonly database: Connection };

/** Once for all carriers that are asked. */
export function othersReader(
  ports: OthersPorts,
  cell: Cell,
  claimed: ClaimedShipment,
  read: () => Promise<string | null>,
): ReadKnownReferences {
  const readAll = async () => {
    const [given, stored] = await Promise.all([shipmentReadGiven(ports.database, cell, claimed.id), read()]);
    const { record, events } = await readImports(ports, claimed, stored);
    return knownReferences(readGiven(given?.given ?? null), events, record);
  };
  let known: ReturnType<ReadKnownReferences> | null = null;
  return () => (known ??= readAll());
}

/** Its last poll lacked a reference that is known by now. */
export async function lacksNoMore(
  { failure }: ClaimedShipment,
  readOthers: ReadKnownReferences,
): Promise<boolean> {
  const needs = KINDS.find((kind) => failure === `needs_${kind}`);
  return needs !== undefined && (await readOthers())[needs].length > 0;
}
