import type { Listener } from "../../../http/listener.ts";
import type { FeedUpdate } from "../calls/call-statement.ts";
import type { FeedProblem } from "../sources/read-context.ts";
import type { Feed } from "../sources/feed-schema.ts";
import { readPushed } from "../sources/read-answer.ts";
import { runInSlices } from "../../../runtime/time-slices.ts";
import { refuse } from "../../../operator/errors.ts";
import { operatorOnly } from "../../../operator/operator.ts";
import type { OperatorContext, OperatorRoutes } from "../../../operator/ports.ts";
import { readScope, ScopeQuery } from "./read-scope.ts";

/** The name of what is pushed for a feed. */
export const pushesOf = (feed: string): string => `schedules ${feed} pushes`;

/** The largest request, in bytes. */
const SCHEDULES_BODY_BYTES_MAX = 8 * 1024 * 1024;

export type PushedSchedules = {
  readonly feeds: readonly Feed[];
  /** Resolves when the update is durable. */
  readonly ingest: (update: FeedUpdate) => Promise<void>;
};

/** Instead of a question. */
const PUSHED = "pushed";

/** Problems that a refusal repeats. */
const PROBLEMS_NAMED_MAX = 3;

/**
 * `POST /v1/schedules/{feed}` (docs/schedules.md): the body is what the feed's kind answers with. 202 once all of
 * it that can be read is durable; with the operator's token, or with the feed's own secret.
 */
export function pushedSchedulesRoute(
  app: Listener,
  ports: OperatorContext,
  { feeds, ingest }: PushedSchedules,
): void {
  const { clock, onPushed } = ports;
  const feedOf = (params: unknown): Feed | undefined =>
    feeds.find(({ name }) => name === (params as { readonly feed: string }).feed);
  const options = {
    schema: { summary: "Push sailing schedules of a feed", querystring: ScopeQuery },
    bodyLimit: SCHEDULES_BODY_BYTES_MAX,
    onRequest: operatorOnly(ports, {
      name: "the feed's secret",
      of: ({ params }) => feedOf(params)?.secret,
    }),
  };
  app.post("/v1/schedules/:feed", options, async (request, reply) => {
    const feed = feedOf(request.params);
    if (feed === undefined) {
      const message = "there is no such feed in the schedules file (BOATHOOK_SCHEDULES_FILE)";
      return refuse(reply, { code: "NOT_FOUND", message });
    }
    const scope = readScope(request.query, feed.carrier);
    if (!scope.ok) return refuse(reply, { code: "INVALID_REQUEST", message: scope.message });
    const nowMs = clock.nowMs();
    const pushed = await runInSlices(readPushed(feed, request.body, nowMs), clock);
    const note = (isRead: boolean, subject: string | null, problems: readonly string[]): void =>
      onPushed?.(pushesOf(feed.name), { subject, isRead, problems });
    if (typeof pushed === "string") {
      note(false, null, [pushed]);
      return refuse(reply, { code: "INVALID_REQUEST", message: pushed });
    }
    const { calls, ways, problems, isComplete } = pushed;
    const isRead = calls.length > 0 || problems.length === 0;
    note(
      isRead,
      `${calls.length} calls`,
      problems.map(({ path, message }) => `${path} ${message}`),
    );
    if (!isRead) {
      return refuse(reply, { code: "INVALID_REQUEST", message: nothingIngested(problems) });
    }
    const complete = isComplete ? scope.complete : null;
    const update: FeedUpdate = {
      feed: feed.name,
      atMs: nowMs,
      calls,
      complete,
      // A push says nothing of other ways.
      ...(ways.length === 0
        ? {}
        : { routings: { carrier: feed.carrier, asked: PUSHED, ways, isWhole: false } }),
    };
    await ingest(update);
    return reply.code(202).send({ accepted: calls.length, complete: complete !== null, problems });
  });
}

function nothingIngested(problems: readonly FeedProblem[]): string {
  const named = problems.slice(0, PROBLEMS_NAMED_MAX).map(({ path, message }) => `${path} ${message}`);
  return `nothing of the body can be taken: ${named.join("; ")}`;
}

export function scheduleOperatorRoutes(pushed: PushedSchedules): OperatorRoutes {
  // A pusher may have the feed's own secret instead of the operator's token.
  return { open: [(app, ports) => pushedSchedulesRoute(app, ports, pushed)] };
}
