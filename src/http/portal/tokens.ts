/**
 * What a browser holds in place of an API key, and what an operator hands out in its place. Both are signed with a key
 * that is made from the master key, so that every process knows them, and are kept nowhere. Of a link the directory knows
 * whether it was followed and revoked.
 *
 *     link ─┐
 *     key ──┴─▶ session ─▶ session (renewed while it is used, up to PORTAL_SESSION_MS_MAX) ─▶ over
 */
import { createHmac, timingSafeEqual } from "node:crypto";

import type { MasterKeys } from "../../engine/secret.ts";
import { PORTAL_SESSION_MS_MAX } from "../../model/portal-link.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Random } from "../../runtime/random.ts";

export type PortalLink = {
  /** Of the link itself: what its sessions ask is counted together. */
  readonly linkId: string;
  readonly product: string;
  readonly accountId: string;
  readonly endsAtMs: number;
};

export type PortalSession = Omit<PortalLink, "linkId"> & {
  readonly openedBy: { readonly keyHash: Buffer } | { readonly linkId: string };
  /** From then on it is renewed no more. */
  readonly lastEndMs: number;
};

/** `over`: it was good once. */
type Reading<Token> = Token | "over" | "forged";

export type PortalTokens = {
  writeLink(of: Pick<PortalLink, "product" | "accountId">, lifeMs: number): PortalLink & { text: string };
  readLink(text: string): Reading<PortalLink>;
  openSession(of: Pick<PortalSession, "product" | "accountId" | "openedBy">): OpenedSession;
  renewSession(session: PortalSession): OpenedSession;
  readSession(text: string): Reading<PortalSession>;
};

export type OpenedSession = PortalSession & { readonly text: string };

const FORM = /^(link|session)\.([\w-]{1,600})\.([\w-]{43})$/;

type Ports = {
  readonly clock: Pick<Clock, "nowMs">;
  readonly random: Pick<Random, "uuid">;
};

export function createPortalTokens(
  masterKeys: MasterKeys,
  sessionMs: number,
  { clock, random }: Ports,
): PortalTokens {
  const keys = masterKeys.map((key) => createHmac("sha256", key).update("tokens of the portal").digest());

  function write(kind: "link" | "session", said: object): string {
    const signed = `${kind}.${Buffer.from(JSON.stringify(said)).toString("base64url")}`;
    return `${signed}.${signatureOf(signed, keys[0]!)}`;
  }

  /** What was signed as that kind. */
  function read(wanted: "link" | "session", text: string): Said | "over" | "forged" {
    const [, kind, payload = "", signature = ""] = FORM.exec(text) ?? [];
    if (kind !== wanted) return "forged";
    if (!keys.some((key) => isSame(signature, signatureOf(`${kind}.${payload}`, key)))) return "forged";
    const said = JSON.parse(Buffer.from(payload, "base64url").toString()) as Said;
    return said.end > clock.nowMs() ? said : "over";
  }

  function session(of: Omit<PortalSession, "endsAtMs">): OpenedSession {
    const { product, accountId, openedBy, lastEndMs } = of;
    const endsAtMs = Math.min(clock.nowMs() + sessionMs, lastEndMs);
    const by =
      "keyHash" in openedBy ? { key: openedBy.keyHash.toString("base64url") } : { link: openedBy.linkId };
    const said: Said = { product, account: accountId, end: endsAtMs, last: lastEndMs, ...by };
    return { ...of, endsAtMs, text: write("session", said) };
  }

  return {
    writeLink({ product, accountId }, lifeMs) {
      const nowMs = clock.nowMs();
      const link = { linkId: random.uuid(nowMs), product, accountId, endsAtMs: nowMs + lifeMs };
      const said: Said = { product, account: accountId, end: link.endsAtMs, link: link.linkId };
      return { ...link, text: write("link", said) };
    },
    readLink(text) {
      const said = read("link", text);
      if (typeof said === "string") return said;
      const { product, account, end, link = "" } = said;
      return { product, accountId: account, endsAtMs: end, linkId: link };
    },
    openSession: (of) => session({ ...of, lastEndMs: clock.nowMs() + PORTAL_SESSION_MS_MAX }),
    renewSession: session,
    readSession(text) {
      const said = read("session", text);
      if (typeof said === "string") return said;
      const { product, account, end, last = end, key, link = "" } = said;
      const openedBy = key === undefined ? { linkId: link } : { keyHash: Buffer.from(key, "base64url") };
      return { product, accountId: account, endsAtMs: end, lastEndMs: last, openedBy };
    },
  };
}

/** Times in milliseconds since the epoch. */
type Said = {
  readonly product: string;
  readonly account: string;
  readonly end: number;
  readonly last?: number;
  /** The SHA-256 of the key in base64url, or the link's id. */
  readonly key?: string;
  readonly link?: string;
};

function signatureOf(text: string, key: Buffer): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}

/** Both have the length of a signature. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
