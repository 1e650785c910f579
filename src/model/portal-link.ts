import { HOUR_MS } from "../runtime/durations.ts";

/** A link that signs an account's clients in to a product's portal, without its text, which is not kept. */
export type MintedLink = {
  readonly id: string;
  readonly accountId: string;
  readonly product: string;
  readonly createdAt: Date;
  readonly endsAt: Date;
  /** When it was followed last; null: never. */
  readonly usedAt: Date | null;
  /** When the last of its sessions ends at the latest; null: it has none. */
  readonly sessionsUntil: Date | null;
  readonly revokedAt: Date | null;
};

/** A session of the portal lasts no longer, however much it is used. */
export const PORTAL_SESSION_MS_MAX = 12 * HOUR_MS;

/** How long a link is listed after its end: until the last of its sessions is over, and as long again. */
export const PORTAL_LINK_KEPT_MS = 2 * PORTAL_SESSION_MS_MAX;
