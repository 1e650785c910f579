/** Of one delivery and one endpoint, what the operator asks beside the client's log. */
import { firstUuidOf } from "../../model/uuid.ts";
import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import { attemptCountSteps, deliverySigning } from "./search.sql.ts";

/** What a delivery's body is made of and what signs it; null when there is none, or its endpoint is gone. */
export function readSigning(db: Connection, cell: Cell, id: string) {
  return deliverySigning(db, cell, id);
}

/** Attempts by steps of time from a moment on; a null code: they arrived. */
export type StepsWanted = {
  readonly startMs: number;
  readonly stepS: number;
  /** How long before the first step a delivery may have been created that was attempted since. */
  readonly createdBeforeMs: number;
};

/** The newest deliveries of an endpoint whose attempts are counted. */
export const COUNTED_MAX = 10_000;

/** `read`: of how many deliveries; {@link COUNTED_MAX}: there may be more. */
export function countAttemptSteps(
  db: Connection,
  cell: Cell,
  endpointId: string,
  { startMs, stepS, createdBeforeMs }: StepsWanted,
) {
  const fromId = firstUuidOf(startMs - createdBeforeMs);
  return attemptCountSteps(db, cell, { endpointId, fromId, start: startMs, stepS, countedMax: COUNTED_MAX });
}
