/**
 * What a browser holds in place of the operator's token. A session is signed with a key that is made from the token, so
 * that every process with the token knows it, and another token ends it. It says no more than its number and its end; a
 * process remembers the sessions that were signed out.
 */
import { createHmac } from "node:crypto";

import type { FastifyRequest } from "fastify";

import type { Clock } from "../../runtime/clock.ts";
import { HOUR_MS } from "../../runtime/durations.ts";
import type { Random } from "../../runtime/random.ts";
import { isSame } from "../token.ts";

export type Sessions = {
  /** The cookie of a new session, as a header. */
  open(request: FastifyRequest): string;
  /** Signs out; returns the header that removes the cookie. */
  end(request: FastifyRequest): string;
  /** True for a request of the console's own pages within a session. */
  admits(request: FastifyRequest): boolean;
};

const SESSION_MS_MAX = 12 * HOUR_MS;
const ID_BYTES = 16;
/** Those signed out and not yet over; beyond it the one that was signed out first is forgotten. */
const ENDED_MAX = 10_000;

const VALUE = /^([\w-]{22})\.(\d{1,15})\.([\w-]{43})$/;

export function createSessions(
  operatorToken: string,
  { clock, random }: { readonly clock: Pick<Clock, "nowMs">; readonly random: Pick<Random, "bytes"> },
): Sessions {
  const key = createHmac("sha256", operatorToken).update("a session of the console").digest();
  const ended = new Set<string>();
  const sign = (said: string): string => createHmac("sha256", key).update(said).digest("base64url");

  /** Its id, if it was signed with this token and goes on. */
  function sessionOf(request: FastifyRequest): string | null {
    const [, id = "", endsAt = "", signature = ""] = VALUE.exec(cookieOf(request)) ?? [];
    if (id === "" || !isSame(signature, sign(`${id}.${endsAt}`))) return null;
    return Number(endsAt) > clock.nowMs() && !ended.has(id) ? id : null;
  }

  return {
    open(request) {
      const said = `${random.bytes(ID_BYTES).toString("base64url")}.${clock.nowMs() + SESSION_MS_MAX}`;
      return cookie(request, `${said}.${sign(said)}`, SESSION_MS_MAX / 1_000);
    },
    end(request) {
      const id = sessionOf(request);
      if (id !== null) ended.add(id);
      for (const first of ended) if (ended.size > ENDED_MAX) ended.delete(first);
      return cookie(request, "", 0);
    },
    admits: (request) => isOwnPage(request) && sessionOf(request) !== null,
  };
}

/**
 * True unless the browser says that another page sent the request. Another port of this host is the same site, so that
 * `SameSite` alone does not keep its pages out. Where a browser says nothing, only reading is admitted.
 */
export function isOwnPage({ method, headers }: FastifyRequest): boolean {
  const site = headers["sec-fetch-site"];
  const isReading = method === "GET" || method === "HEAD";
  if (site !== undefined) return site === "same-origin" || (site === "none" && isReading);
  if (headers.origin === undefined) return isReading;
  return URL.parse(headers.origin)?.host === headers.host;
}

/** Cookies belong to a host with all its ports: the port keeps those of two services apart. */
function nameOf({ socket }: FastifyRequest): string {
  return `boathook_session_${socket.localPort ?? 0}`;
}

function cookieOf(request: FastifyRequest): string {
  const name = `${nameOf(request)}=`;
  const pairs = (request.headers.cookie ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(name))?.slice(name.length) ?? "";
}

/** A proxy may have ended TLS: what the browser sees is the origin of its page. */
function cookie(request: FastifyRequest, value: string, seconds: number): string {
  const secure = request.headers.origin?.startsWith("https:") === true ? "; Secure" : "";
  return `${nameOf(request)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}`;
}
