/**
 * Rotation of the master key: every sealed secret that another key sealed is sealed anew under the
 * current one. Batch by batch, each a statement of its own, so that one that is broken off goes on where
 * it stopped when it is run again. Deliveries go on meanwhile: the secrets stay the same.
 */
import type { Random } from "../runtime/random.ts";
import type { Cell } from "../store/cell.ts";
import type { Connection } from "../store/database.ts";
import { readSealedSecrets, replaceSeals } from "../store/secrets.ts";
import { isSealedUnder, resealSecret, type MasterKeys } from "./secret.ts";

export type Resealed = {
  readonly resealed: number;
  /** Those that were under the current key before. */
  readonly current: number;
};

const BATCH_MAX = 500;

/** Rejects when a secret was sealed under a key that is not among `keys`; those before it are done then. */
export async function resealSecrets(
  connection: Connection,
  cells: readonly Cell[],
  keys: MasterKeys,
  random: Random,
): Promise<Resealed> {
  let resealed = 0;
  let current = 0;
  for (const cell of cells) {
    for (let afterId: string | null = null; ; ) {
      const page = await readSealedSecrets(connection, cell, { afterId, limit: BATCH_MAX });
      const stale = page.filter(({ sealed }) => !isSealedUnder(sealed, keys));
      const fresh = stale.map((secret) => ({ ...secret, fresh: resealSecret(secret.sealed, secret, keys, random) }));
      if (fresh.length > 0) resealed += await replaceSeals(connection, cell, fresh);
      current += page.length - stale.length;
      afterId = page.at(-1)?.endpointId ?? null;
      if (page.length < BATCH_MAX) break;
    }
  }
  return { resealed, current };
}
