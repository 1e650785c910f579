/**
 * What the console's pages hold in place of the operator's token. A session is signed with a key that is made from the
 * token, so that every process with the token knows it, and another token ends it. It says no more than its number and
 * its end; sessions that were signed out are in the directory.
 */
import { createHmac } from "node:crypto";

import { StoreUnavailable } from "../../model/errors.ts";
import { HOUR_MS } from "../../runtime/durations.ts";
import type { Random } from "../../runtime/random.ts";
import { endSession, hasSessionEnded } from "../../store/accounts/ended-sessions.ts";
import type { NodeContext } from "../../store/node-context.ts";
import { isSame } from "../token.ts";

export type Sessions = {
  /** The token of a new session. */
  open(): string;
  /** Signs out, on all nodes. Throws `StoreUnavailable`. */
  end(token: string): Promise<void>;
  /** Null: no session's token. While the directory does not answer, a session that was signed out is `open`, too. */
  stateOf(token: string): Promise<"open" | "over" | null>;
};

type SessionPorts = Pick<NodeContext, "database" | "cells" | "clock"> & {
  readonly random: Pick<Random, "bytes">;
};

export const SESSION_MS_MAX = 12 * HOUR_MS;
const ID_BYTES = 16;

const TOKEN = /^([\w-]{22})\.(\d{1,15})\.([\w-]{43})$/;

export function createSessions(
  operatorToken: string,
  { database, cells, clock, random }: SessionPorts,
): Sessions {
  const key = createHmac("sha256", operatorToken).update("a session of the console").digest();
  const sign = (said: string): string => createHmac("sha256", key).update(said).digest("base64url");

  /** If it was signed with this operator's token. */
  function sessionOf(token: string): { readonly id: string; readonly endsAtMs: number } | null {
    const [, id = "", endsAt = "", signature = ""] = TOKEN.exec(token) ?? [];
    if (id === "" || !isSame(signature, sign(`${id}.${endsAt}`))) return null;
    return { id, endsAtMs: Number(endsAt) };
  }

  return {
    open() {
      const said = `${random.bytes(ID_BYTES).toString("base64url")}.${clock.nowMs() + SESSION_MS_MAX}`;
      return `${said}.${sign(said)}`;
    },
    async end(token) {
      const session = sessionOf(token);
      if (session !== null) await endSession(database, cells[0], session, clock.nowMs());
    },
    async stateOf(token) {
      const session = sessionOf(token);
      if (session === null) return null;
      if (session.endsAtMs <= clock.nowMs()) return "over";
      const hasEnded = await hasSessionEnded(database, cells[0], session.id).catch((cause: unknown) => {
        // The console shows what is wrong.
        if (cause instanceof StoreUnavailable) return false;
        throw cause;
      });
      return hasEnded ? "over" : "open";
    },
  };
}
