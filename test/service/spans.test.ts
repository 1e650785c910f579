/** What of a trace is recorded, and what a collector that fails costs. */
import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { describe, test, type TestContext } from "node:test";

import { Registry } from "prom-client";

import type { Engine } from "../../src/engine/engine.ts";
import type { RaisedEvent } from "../../src/model/event.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { traceDeliveries } from "../../src/service/traces/delivery-spans.ts";
import { traceCallers } from "../../src/service/traces/request-spans.ts";
import { openSpans } from "../../src/service/traces/spans.ts";
import { recordingLog } from "../support/log.ts";
import { startCollector } from "../support/otlp-collector.ts";
import { realClock } from "../support/real-clock.ts";
import { column } from "../support/columns.ts";

const random = systemRandom();
const CALLER = "4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7";
const ASKED = { method: "POST", route: "/v1/events", path: "/v1/events" };

type Answer = Parameters<typeof startCollector>[0];

async function opened(t: TestContext, share: number, answer?: Answer) {
  const collector = await startCollector(answer);
  t.after(collector.close);
  const registry = new Registry();
  const log = recordingLog();
  const ports = { clock: realClock, random, log, registry };
  const spans = openSpans(collector.url, share, ports);
  const callers = traceCallers(spans, realClock);
  const counted = async (outcome: string) =>
    Number(new RegExp(`outcome="${outcome}"\\} (\\d+)`).exec(await registry.metrics())?.[1]);
  return {
    collector,
    spans,
    callers,
    log,
    counted,
    deliveries: traceDeliveries({ ...ports, ...callers, spans }),
  };
}

function event(type: string): RaisedEvent {
  return { product: "rates", accountId: "a", type, data: "{}", occurredAtMs: 0 };
}

test("the operator's callers decide whether their requests are recorded, for others the share does", async (t) => {
  const { collector, spans, callers } = await opened(t, 0);
  for (const [listener, flag] of [
    ["ops", "01"],
    ["ops", "00"],
    ["api", "01"],
  ] as const) {
    const headers = { traceparent: `00-${CALLER}-${flag}` };
    callers.ofRequests[listener]({ ...ASKED, route: `${listener} ${flag}`, headers }).answered(202);
  }
  callers.ofRequests.ops({ ...ASKED, headers: { traceparent: "00-nonsense" } }).answered(202);
  await spans.close();
  assert.deepEqual(column(collector.spans, "name"), ["POST ops 01"]);
});

test("of deliveries every node traces the same share", async (t) => {
  const [one, other] = [await opened(t, 0.25), await opened(t, 0.25)];
  const ids = Array.from({ length: 4_000 }, () => random.uuid(1_800_000_000_000).replaceAll("-", ""));
  const chosen = ids.filter(one.spans.isSampled);
  assert.deepEqual(chosen, ids.filter(other.spans.isSampled));
  assert.ok(chosen.length > 850 && chosen.length < 1_150, `${chosen.length} of 4,000`);
});

test("events of several requests that share a commit link each to its own, later ones to none", async (t) => {
  const { collector, spans, callers, deliveries } = await opened(t, 1);
  const gathered: RaisedEvent[] = [];
  const commit = Promise.withResolvers<void>();
  const engine = callers.instrument({
    async raise(events: readonly RaisedEvent[]) {
      gathered.push(...events);
      await commit.promise;
      return { kind: "raised", accepted: 1, duplicates: 0, deliveries: 1 };
    },
  } as unknown as Engine);
  const requests = ["one", "two"].map((name) => {
    const trace = callers.ofRequests.ops({ ...ASKED, route: name, headers: {} });
    const raised = Promise.withResolvers<unknown>();
    let inside = AsyncLocalStorage.snapshot();
    trace.within(() => {
      raised.resolve(engine.raise([event(name)]));
      inside = AsyncLocalStorage.snapshot();
    });
    return { trace, raised: raised.promise, inside };
  });
  commit.resolve();
  requests[0]!.inside(() => raiseAll(gathered.splice(0)));
  await Promise.all(requests.map(({ raised }) => raised));
  for (const { trace } of requests) trace.answered(202);
  await requests[0]!.inside(() => engine.raise([event("later")]));
  raiseAll(gathered);
  await spans.close();

  function raiseAll(events: readonly RaisedEvent[]): void {
    const made = new Map([...events, event("nobody's")].map((one) => [one, 1]));
    deliveries.raised(
      made,
      Array.from(made, () => random.uuid(Date.now())),
    );
  }
  const named = (name: string) => collector.spans.find((span) => span.name === name)!;
  for (const name of ["one", "two"]) {
    const request = named(`POST ${name}`);
    const raising = collector.spans.find(({ parentId }) => parentId === request.spanId)!;
    const delivery = named(`raise ${name}`);
    assert.deepEqual(delivery.links, [`${request.traceId}/${raising.spanId}`]);
    assert.deepEqual(raising.links, [`${delivery.traceId}/${delivery.spanId}`]);
  }
  for (const name of ["nobody's", "later"]) assert.deepEqual(named(`raise ${name}`).links, []);
});

type Failing = readonly [what: string, count: number, lostMin: number, answer: NonNullable<Answer>];

describe(
  "a collector costs spans, a bounded number of them and one line in the log",
  { concurrency: true },
  () => {
    const failing: readonly Failing[] = [
      ["never answers", 10_000, 10_000, () => undefined],
      ["closes the connection", 600, 600, (response) => void response.destroy()],
      // Four connections get a batch each, and 200, if not to the end.
      [
        "answers a byte a second",
        3_000,
        900,
        (response) => void setInterval(() => response.write("x"), 1_000).unref(),
      ],
      ["refuses all", 600, 600, (response) => void response.writeHead(400, "no".repeat(4_000)).end("no")],
      [
        "asks to wait an hour",
        600,
        600,
        (response) => void response.writeHead(503, { "retry-after": "3600" }).end(),
      ],
      [
        "redirects",
        600,
        600,
        (response) => void response.writeHead(307, { location: "http://127.0.0.1:1/" }).end(),
      ],
    ];
    for (const [what, count, lostMin, answer] of failing)
      test(`that ${what}`, async (t) => {
        const { spans, collector, log, counted } = await opened(t, 1, answer);
        let begun = 0;
        for (let tries = 0; tries < count; tries += 1) {
          const span = spans.begin("one", {}, null);
          if (span === null) continue;
          begun += 1;
          spans.end(span, Date.now());
        }
        assert.equal(begun, Math.min(count, 8_192));
        // Waiting for the collector would take an hour, or for ever.
        await spans.close();
        assert.ok(collector.requests() > 0);
        const lost = await counted("lost");
        assert.equal(lost + (await counted("exported")), count);
        assert.ok(lost >= lostMin, `${lost} are lost`);
        assert.deepEqual(
          log.lines.map(({ level, message }) => `${level} ${message}`),
          ["warn the collector of traces does not take all spans"],
        );
        assert.ok(JSON.stringify(log.lines).length < 500);
      });
  },
);
