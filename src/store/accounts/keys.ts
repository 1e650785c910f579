import type { ApiKey } from "../../model/account.ts";
import type { Cell } from "../cell.ts";
import type { Connection, Database } from "../database.ts";
import { insertChange } from "./changes.ts";
import { keyAccount, keyInsert, keyRevoke } from "./keys.sql.ts";

/** The valid key with this SHA-256, and its account; null when there is none, or it was revoked. */
export async function readCaller(db: Connection, directory: Cell, hash: Buffer) {
  const row = await keyAccount(db, directory, hash);
  if (row === null) return null;
  const { keyId, ...account } = row;
  return { keyId, account };
}

/** Null when there is no such account. */
export async function insertKey(
  db: Connection,
  directory: Cell,
  key: Omit<ApiKey, "revokedAt"> & { readonly hash: Buffer },
): Promise<ApiKey | null> {
  const { id, accountId, prefix, label, hash, createdAt } = key;
  return await keyInsert(db, directory, { id, accountId, prefix, label, hash, createdAt });
}

/** The key is invalid from the commit on; nodes that remember it are notified. Null when there is no such key. */
export function revokeKey(database: Database, directory: Cell, id: string, at: Date): Promise<ApiKey | null> {
  return database.transaction(async (tx) => {
    const key = await keyRevoke(tx, directory, { id, at });
    if (key === null) return null;
    await insertChange(tx, directory, { kind: "key", subject: id }, at);
    return key;
  });
}
