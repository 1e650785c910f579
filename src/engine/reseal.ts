/**
 * Rotation of the master key: seals every secret again that another key sealed. Each batch is a statement of its
 * own, so an interrupted rotation continues when it runs again. Deliveries go on: the secrets stay the same.
 */
import { StoreUnavailable } from "../model/errors.ts";
import type { Random } from "../runtime/random.ts";
import { sideBySide } from "../runtime/side-by-side.ts";
import type { Cell } from "../store/cell.ts";
import type { Connection } from "../store/database.ts";
import { readSealedSecrets, replaceSeals, type SealedSecret } from "../store/endpoints/secrets.ts";
import { secretCountSeals } from "../store/endpoints/secrets.sql.ts";
import { fingerprintsOf, isAmong, isSealedUnder, resealSecret, type MasterKeys } from "./secret.ts";

export type Resealed = {
  readonly resealed: number;
  /** Secrets that were under the current key already. */
  readonly current: number;
  /** Secrets that no key opens, left unchanged. `reason` is that of the first. */
  readonly unopened: number;
  readonly reason: string | null;
};

const BATCH_MAX = 500;

export async function resealSecrets(
  connection: Connection,
  cells: readonly Cell[],
  keys: MasterKeys,
  random: Random,
): Promise<Resealed> {
  let [resealed, current, unopened] = [0, 0, 0];
  let reason: string | null = null;

  function reseal(secret: SealedSecret): readonly (SealedSecret & { readonly fresh: Buffer })[] {
    try {
      return [{ ...secret, fresh: resealSecret(secret.sealed, secret, keys, random) }];
    } catch (cause) {
      unopened += 1;
      reason ??= (cause as Error).message;
      return [];
    }
  }

  for (const cell of cells) {
    for (let afterId: string | null = null; ;) {
      const page = await readSealedSecrets(connection, cell, { afterId, limit: BATCH_MAX });
      const stale = page.filter(({ sealed }) => !isSealedUnder(sealed, keys));
      const fresh = stale.flatMap(reseal);
      if (fresh.length > 0) resealed += await replaceSeals(connection, cell, fresh);
      current += page.length - stale.length;
      afterId = page.at(-1)?.endpointId ?? null;
      if (page.length < BATCH_MAX) break;
    }
  }
  return { resealed, current, unopened, reason };
}

/** Cells that are asked at the same time. */
const ASKED_MAX = 8;

/** Counts the endpoints whose secret no master key opens; nothing can be sent to them. */
export async function countUnopened(
  connection: Connection,
  cells: readonly Cell[],
  keys: readonly Buffer[],
): Promise<{ readonly unopened: number; readonly unreachable: readonly Cell[] }> {
  const counted = await sideBySide(cells, ASKED_MAX, (cell) => secretCountSeals(connection, cell));
  const known = fingerprintsOf(keys);
  let unopened = 0;
  for (const one of counted) {
    if (one.status === "rejected" && !(one.reason instanceof StoreUnavailable)) throw one.reason;
    for (const { fingerprint, count } of one.status === "fulfilled" ? one.value : []) {
      if (!isAmong(fingerprint, known)) unopened += count;
    }
  }
  return { unopened, unreachable: cells.filter((_, index) => counted[index]!.status === "rejected") };
}
