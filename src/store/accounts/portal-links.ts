import type { Account } from "../../model/account.ts";
import type { PageRequest } from "../../model/page-request.ts";
import type { MintedLink } from "../../model/portal-link.ts";
import { readUuid } from "../../model/uuid.ts";
import type { Cell } from "../cell.ts";
import type { Connection, Database } from "../database.ts";
import { pruneStep } from "../prune-step.ts";
import { insertChange } from "./changes.ts";
import {
  portalLinkAccount,
  portalLinkFollow,
  portalLinkInsert,
  portalLinkList,
  portalLinkPrune,
  portalLinkRevoke,
} from "./portal-links.sql.ts";

/** Null when there is no such account. */
export async function insertPortalLink(
  db: Connection,
  directory: Cell,
  link: Pick<MintedLink, "id" | "accountId" | "product" | "createdAt" | "endsAt">,
): Promise<MintedLink | null> {
  const { id, accountId, product, createdAt, endsAt } = link;
  return await portalLinkInsert(db, directory, { id, accountId, product, createdAt, endsAt });
}

/** Newest first; links that are over as well, until they are pruned. */
export function listPortalLinks(
  db: Connection,
  directory: Cell,
  accountId: string,
  { afterId, limit }: PageRequest,
): Promise<readonly MintedLink[]> {
  return portalLinkList(db, directory, { accountId, afterId, limit });
}

/** A link that was signed, and whose it says that it is. */
type SignedLink = { readonly linkId: string; readonly accountId: string };

/**
 * The account of a link that somebody follows: from the commit on the link counts as used. Null when it was revoked, or the
 * account removed.
 */
export async function followPortalLink(
  db: Connection,
  directory: Cell,
  { linkId, accountId }: SignedLink,
  at: Date,
  sessionsUntil: Date,
): Promise<Account | null> {
  return await portalLinkFollow(db, directory, { linkId, accountId, at, sessionsUntil });
}

/** The account that the link's sessions are of; null when the link was revoked, or the account removed. */
export async function readPortalLinkAccount(
  db: Connection,
  directory: Cell,
  { linkId, accountId }: SignedLink,
): Promise<Account | null> {
  if (readUuid(linkId) === null) return null;
  return await portalLinkAccount(db, directory, { linkId, accountId });
}

/**
 * The link opens nothing from the commit on, and its sessions end: nodes that remember them are notified. Null when the
 * account has no such link.
 */
export function revokePortalLink(
  database: Database,
  directory: Cell,
  { linkId, accountId }: SignedLink,
  at: Date,
): Promise<MintedLink | null> {
  return database.transaction(async (tx) => {
    const link = await portalLinkRevoke(tx, directory, { linkId, accountId, at });
    if (link === null) return null;
    await insertChange(tx, directory, { kind: "link", subject: linkId }, at);
    return link;
  });
}

/** Links that ended before; true when there are more. */
export function prunePortalLinks(db: Connection, directory: Cell, before: Date): Promise<boolean> {
  return pruneStep((limit) => portalLinkPrune(db, directory, { before, limit }));
}
