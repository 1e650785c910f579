/** The client of the AIS feed. */
import type { Clock } from "../../../../runtime/clock.ts";
import type { Log } from "../../../../runtime/log.ts";
import {
  createUpstream,
  type UpstreamAnswer,
  type UpstreamPorts,
} from "../../../../freight/upstream/upstream.ts";
import { readAisAnswer, type AisReading } from "./ais-answer.ts";
import { urlFor, type AisFeed } from "./ais-file.ts";

export type AisAnswer =
  | AisReading
  /** `reason` is a short stable code: `http_503`, `timeout`, `connection` … */
  | { readonly kind: "unavailable" | "not_permitted"; readonly reason: string }
  /** No request was sent, for lack of quota or with the breaker open. */
  | { readonly kind: "postponed"; readonly retryAfterMs: number };

export type AisClient = ReturnType<typeof createAisClient>;

const TIMEOUT_MS_DEFAULT = 10_000;
const ANSWER_BYTES_MAX = 256 * 1024;

/** The name of the upstream. */
export const upstreamOf = ({ name = "" }: Pick<AisFeed, "name">): string => `ais ${name}`;

export function createAisClient(feed: AisFeed, ports: UpstreamPorts & { readonly log: Log }) {
  const { clock, log } = ports;
  const name = upstreamOf(feed);
  const upstream = createUpstream(name, feed, ports);
  const logOutage = createFeedLog(feed, clock, log);
  return {
    /** Never rejects. */
    async fetch(imo: string): Promise<AisAnswer> {
      const answer = await upstream.get(new URL(urlFor(feed, imo)), {
        subject: `vessel ${imo}`,
        headers: feed.headers ?? {},
        timeoutMs: feed.timeoutMs ?? TIMEOUT_MS_DEFAULT,
        bodyBytesMax: ANSWER_BYTES_MAX,
      });
      const read = readUpstream(answer, imo, feed, clock.nowMs());
      logOutage(read);
      if (read.kind === "unreadable") ports.onUpstreamSkipped?.(name, `vessel ${imo}`, [read.problem]);
      return read;
    },
    isBreakerOpen: upstream.isBreakerOpen,
  };
}

function readUpstream(answer: UpstreamAnswer, imo: string, feed: AisFeed, nowMs: number): AisAnswer {
  switch (answer.kind) {
    case "refused":
      return { kind: "postponed", retryAfterMs: answer.retryAfterMs };
    case "not_permitted":
      return { kind: "not_permitted", reason: `oauth_http_${answer.status}` };
    case "failed":
      return { kind: "unavailable", reason: answer.reason };
    case "answered":
      return readStatus(answer.status, answer.body, imo, feed, nowMs);
  }
}

function readStatus(status: number, body: string, imo: string, feed: AisFeed, nowMs: number): AisAnswer {
  if (status === 200) return readAisAnswer(body, imo, feed, nowMs);
  if (status === 204 || status === 404) return { kind: "silent" };
  const kind = status === 401 || status === 403 ? "not_permitted" : "unavailable";
  return { kind, reason: `http_${status}` };
}

/** Logs once that the feed is down, once that it is back, and once that an answer is unreadable. */
function createFeedLog({ name = "AIS" }: AisFeed, clock: Clock, log: Log): (answer: AisAnswer) => void {
  let sinceMs: number | null = null;
  let isUnreadableLogged = false;
  return (answer) => {
    switch (answer.kind) {
      case "unavailable":
      case "not_permitted":
        if (sinceMs !== null) return;
        sinceMs = clock.monotonicMs();
        log.warn(
          { feed: name, reason: answer.reason },
          "the AIS feed does not answer: boxes go on without it",
        );
        return;
      case "unreadable":
        if (isUnreadableLogged) return;
        isUnreadableLogged = true;
        log.warn(
          { feed: name, problem: answer.problem },
          "an answer of the AIS feed cannot be read: check the fields in BOATHOOK_AIS_FILE",
        );
        return;
      case "reported":
      case "silent": {
        if (sinceMs === null) return;
        const seconds = Math.round((clock.monotonicMs() - sinceMs) / 1_000);
        sinceMs = null;
        log.info({ feed: name, seconds }, "the AIS feed answers again");
        return;
      }
      case "postponed":
    }
  };
}
