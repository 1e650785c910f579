import type { Account, ApiKey } from "../../model/account.ts";
import type { Cell } from "../cell.ts";
import type { Connection } from "../database.ts";
import * as sql from "./statements.ts";

/** Whoever carries a key that is good. */
export type Caller = { readonly keyId: string; readonly account: Account };

/** The caller whose key has this SHA-256; null when there is none, or it was revoked. */
export async function readCaller(
  connection: Connection,
  directory: Cell,
  hash: Buffer,
): Promise<Caller | null> {
  const rows = await connection.rows(sql.keyAccount(directory), [hash]);
  const row = rows[0];
  if (row === undefined) return null;
  const { keyId, ...account } = row;
  return { keyId, account };
}

/** Null when there is no such account. */
export async function insertKey(
  connection: Connection,
  directory: Cell,
  key: Pick<ApiKey, "id" | "accountId" | "prefix" | "label" | "createdAt"> & { readonly hash: Buffer },
): Promise<ApiKey | null> {
  const rows = await connection.rows(sql.keyInsert(directory), [
    key.id,
    key.accountId,
    key.prefix,
    key.label,
    key.hash,
    key.createdAt,
  ]);
  return rows[0] ?? null;
}

/** The account's keys, revoked ones as well, newest first. */
export function listKeys(connection: Connection, directory: Cell, accountId: string): Promise<ApiKey[]> {
  return connection.rows(sql.keyList(directory), [accountId]);
}

/** The key is worth nothing from the commit on. Null when there is no such key. */
export async function revokeKey(
  connection: Connection,
  directory: Cell,
  id: string,
  at: Date,
): Promise<ApiKey | null> {
  const rows = await connection.rows(sql.keyRevoke(directory), [id, at]);
  return rows[0] ?? null;
}
