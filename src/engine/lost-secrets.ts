/** Which nodes can open which secrets, by the fingerprints that nodes register (store/nodes). */
import type { Cell } from "../store/cell.ts";
import type { Connection } from "../store/database.ts";
import { readSealedSecrets, type SealedSecret } from "../store/endpoints/secrets.ts";
import { listKnownNodes, type KnownNode } from "../store/nodes/known-nodes.ts";
import { fingerprintOf, fingerprintsOf, isAmong, type MasterKeys } from "./secret.ts";

const BATCH_MAX = 500;

/** Nodes that could not open what is sealed under the current key, one of each process. */
export async function nodesWithoutKey(
  db: Connection,
  cells: readonly Cell[],
  [current]: MasterKeys,
): Promise<readonly KnownNode[]> {
  const wanted = fingerprintsOf([current]);
  const lacking = (await nodesOf(db, cells)).filter(({ masterKeys }) => !isAmong(wanted, masterKeys));
  return [...new Map(lacking.map((node) => [node.process ?? `${node.host} ${node.id}`, node])).values()];
}

export type LostSecret = SealedSecret & {
  readonly cell: Cell;
  /** A node has the key that this process lacks. */
  readonly isKnownToNode: boolean;
};

/** The secrets that none of the keys opens. */
export async function findLostSecrets(
  db: Connection,
  cells: readonly Cell[],
  keys: readonly Buffer[],
): Promise<readonly LostSecret[]> {
  const known = fingerprintsOf(keys);
  const ofNodes = Buffer.concat((await nodesOf(db, cells)).map(({ masterKeys }) => masterKeys));
  const lost: LostSecret[] = [];
  for (const cell of cells) {
    for (let afterId: string | null = null; ;) {
      const page = await readSealedSecrets(db, cell, { afterId, limit: BATCH_MAX });
      for (const secret of page) {
        const sealedBy = fingerprintOf(secret.sealed);
        if (!isAmong(sealedBy, known))
          lost.push({ ...secret, cell, isKnownToNode: isAmong(sealedBy, ofNodes) });
      }
      afterId = page.at(-1)?.endpointId ?? null;
      if (page.length < BATCH_MAX) break;
    }
  }
  return lost;
}

async function nodesOf(db: Connection, cells: readonly Cell[]): Promise<readonly KnownNode[]> {
  const nodes: KnownNode[] = [];
  for (const cell of cells) nodes.push(...(await listKnownNodes(db, cell)));
  return nodes;
}
