/** How an endpoint's attempts ended, over time. */
import Type, { type Static } from "typebox";

import type { Listener } from "../http/listener.ts";
import { UtcDateTime } from "../model/data-types.ts";
import { readUuid } from "../model/uuid.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../runtime/durations.ts";
import { COUNTED_MAX, countAttemptSteps } from "../store/search/deliveries.ts";
import { endpointFind } from "../store/endpoints/endpoints.sql.ts";
import { IdPath, NO_ENDPOINT } from "./endpoints.ts";
import { refuse } from "./errors.ts";
import { findInCells } from "./find-in-cells.ts";
import type { OperatorPorts } from "./ports.ts";

/** Steps of each range, the last one not over yet. */
const RANGES = {
  day: { stepMs: HOUR_MS / 2, steps: 48 },
  week: { stepMs: 4 * HOUR_MS, steps: 42 },
  month: { stepMs: DAY_MS, steps: 30 },
} as const;

type Range = keyof typeof RANGES;

/** All waits of a delivery together, as they are set by default, and more. */
const RETRIED_MS_MAX = 12 * HOUR_MS;

const Health = Type.Object(
  {
    step_seconds: Type.Integer(),
    is_complete: Type.Boolean({
      description: `false: only the newest ${COUNTED_MAX.toLocaleString("en")} deliveries are counted`,
    }),
    steps: Type.Array(
      Type.Object({
        at: { ...UtcDateTime, description: "when it begins" },
        delivered: Type.Integer(),
        failed: Type.Integer({ description: "attempts" }),
      }),
    ),
    failures: Type.Array(Type.Object({ code: Type.String(), attempts: Type.Integer() }), {
      description: "most frequent first",
    }),
  },
  { title: "EndpointHealth" },
);

type EndpointHealth = Static<typeof Health>;

/** `GET /v1/endpoints/{id}/health`: from the deliveries and failed attempts that are kept */
export function endpointHealthRoute(app: Listener, ports: OperatorPorts): void {
  const { database, clock, parkedMs } = ports;
  const ranges = Object.keys(RANGES) as Range[];
  const schema = {
    summary: "Read how an endpoint has answered",
    params: IdPath,
    querystring: Type.Object({ range: Type.Optional(Type.Enum(ranges, { default: "day" })) }),
    response: { 200: Health },
  };
  app.get("/v1/endpoints/:id/health", { schema }, async (request, reply) => {
    const id = readUuid(request.params.id);
    const { range = "day" } = request.query;
    const { stepMs, steps } = RANGES[range];
    const startMs = (Math.floor(clock.nowMs() / stepMs) - steps + 1) * stepMs;
    const wanted = { startMs, stepS: stepMs / SECOND_MS, createdBeforeMs: RETRIED_MS_MAX + parkedMs };
    const read =
      id === null
        ? null
        : await findInCells(ports, async (cell) =>
            (await endpointFind(database, cell, id)) === null
              ? null
              : countAttemptSteps(database, cell, id, wanted),
          );
    if (read === null) return refuse(reply, NO_ENDPOINT);
    return healthOf(read.found, startMs, RANGES[range]);
  });
}

function healthOf(
  rows: Awaited<ReturnType<typeof countAttemptSteps>>,
  startMs: number,
  { stepMs, steps }: (typeof RANGES)[Range],
): EndpointHealth {
  const counted = Array.from({ length: steps }, (_, step) => ({
    at: new Date(startMs + step * stepMs).toISOString(),
    delivered: 0,
    failed: 0,
  }));
  const codes = new Map<string, number>();
  for (const { step, code, attempts } of rows) {
    // A node's clock may be a little ahead.
    const its = counted[Math.min(step, steps - 1)]!;
    if (code === null) its.delivered += attempts;
    else {
      its.failed += attempts;
      codes.set(code, (codes.get(code) ?? 0) + attempts);
    }
  }
  return {
    step_seconds: stepMs / SECOND_MS,
    is_complete: (rows[0]?.read ?? 0) < COUNTED_MAX,
    steps: counted,
    failures: [...codes]
      .map(([code, attempts]) => ({ code, attempts }))
      .toSorted((a, b) => b.attempts - a.attempts),
  };
}
