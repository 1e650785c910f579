/** Traces as a collector gets them of a service that runs. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { startCollector, type CollectedSpan, type Collector } from "../support/otlp-collector.ts";
import { ask, until } from "./boathook.ts";
import { run, runClient, TOKEN } from "./running.ts";

const QUICK = { BOATHOOK_RETRY_WAITS: "50ms", BOATHOOK_ATTEMPTS: "2" };

const CALLER = { trace: "4bf92f3577b34da6a3ce929d0e0e4736", span: "00f067aa0ba902b7" };
const TRACEPARENT = `00-${CALLER.trace}-${CALLER.span}-01`;

async function post(url: string, token: string, body: object): Promise<{ readonly status: number }> {
  const { status } = await fetch(url, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      traceparent: TRACEPARENT,
    },
    body: JSON.stringify(body),
  });
  return { status };
}

async function collect(collector: Collector, count: number, ofTrace: (span: CollectedSpan) => boolean) {
  await until(() => collector.spans.filter(ofTrace).length >= count, `${count} spans arrive`);
  return collector.spans.filter(ofTrace);
}

const traceOf = (id: string): string => id.replaceAll("-", "");

/**
 * `name < parent's name`, in the order of their start. Of two that begin within a millisecond, the one that the other is
 * part of comes first.
 */
function tree(spans: readonly CollectedSpan[]): string[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const depthOf = ({ parentId }: CollectedSpan): number => {
    const parent = byId.get(parentId ?? "");
    return parent === undefined ? 0 : 1 + depthOf(parent);
  };
  const names = new Map(spans.map(({ spanId, name }) => [spanId, name]));
  return spans
    .toSorted(
      (one, other) => one.startMs - other.startMs || depthOf(one) - depthOf(other) || one.endMs - other.endMs,
    )
    .map(({ name, parentId }) => `${name} < ${names.get(parentId) ?? parentId}`);
}

test("a request is traced to the settlement of what it raised, each attempt with its result", async (t) => {
  const collector = await startCollector();
  t.after(collector.close);
  const { receiver, service, client, endpoint } = await runClient(t, "rates", {
    path: "hook/secret?token=secret",
    settings: { ...QUICK, BOATHOOK_OTLP_ENDPOINT: collector.url },
  });
  const failedOnce = new Set<string>();
  receiver.behave(({ id, data }) => {
    if (data.number === 2) return 500;
    if (failedOnce.has(id)) return 204;
    failedOnce.add(id);
    return 503;
  });
  const events = [1, 2].map((number) => ({
    product: "rates",
    account_id: client.accountId,
    type: "index_refreshed",
    data: { index_id: "europe", dated: "2026-10-30", value: "1042.17", number },
  }));
  assert.equal((await post(`${service.opsUrl}/v1/events`, TOKEN, { events })).status, 202);
  await until(() => receiver.arrivals.length === 4, "each is tried twice");
  const [first, second] = [1, 2].map(
    (number) => receiver.arrivals.find(({ data }) => data.number === number)!.id,
  );

  const asked = await collect(collector, 2, ({ traceId }) => traceId === CALLER.trace);
  assert.deepEqual(tree(asked), [`POST /v1/events < ${CALLER.span}`, "raise < POST /v1/events"]);
  const request = asked.find(({ kind }) => kind === 2)!;
  assert.deepEqual(request.attributes, {
    "http.request.method": "POST",
    "http.route": "/v1/events",
    "url.path": "/v1/events",
    "url.scheme": "http",
    "http.response.status_code": 202,
  });
  assert.equal(request.resource["service.name"], "boathook");
  const raising = asked.find(({ name }) => name === "raise")!;
  assert.deepEqual(raising.attributes, {
    "boathook.events.accepted": 2,
    "boathook.events.duplicates": 0,
    "boathook.deliveries": 2,
  });
  const ids = [first!, second!].map(traceOf);
  assert.deepEqual(raising.links.toSorted(), ids.map((id) => `${id}/${id.slice(16)}`).toSorted());

  const delivered = await collect(collector, 5, ({ traceId }) => traceId === ids[0]);
  assert.deepEqual(tree(delivered), [
    "raise index_refreshed < ",
    "POST < raise index_refreshed",
    "settle < POST",
    "POST < raise index_refreshed",
    "settle < POST",
  ]);
  const root = delivered.find(({ kind }) => kind === 4)!;
  assert.deepEqual(root.links, [`${CALLER.trace}/${raising.spanId}`]);
  assert.deepEqual(root.attributes, {
    "boathook.delivery.id": first,
    "boathook.event.type": "index_refreshed",
    "boathook.product": "rates",
    "boathook.account.id": client.accountId,
  });
  const [failed, repeated] = delivered
    .filter(({ kind }) => kind === 3)
    .toSorted((a, b) => a.startMs - b.startMs);
  const { port } = new URL(receiver.url);
  assert.deepEqual(failed!.attributes, {
    ...root.attributes,
    "boathook.endpoint.id": endpoint,
    "http.request.method": "POST",
    "url.full": `${receiver.url}/REDACTED`,
    "server.address": "127.0.0.1",
    "server.port": Number(port),
    "http.response.status_code": 503,
    "error.type": "http_503",
  });
  assert.deepEqual([failed!.failed, repeated!.failed], [true, false]);
  assert.equal(repeated!.attributes["http.request.resend_count"], 1);
  assert.equal(repeated!.attributes["error.type"], undefined);
  const settled = delivered.filter(({ name }) => name === "settle").toSorted((a, b) => a.startMs - b.startMs);
  assert.deepEqual(
    settled.map(({ parentId, attributes, failed: isDead }) => [
      parentId,
      attributes["boathook.delivery.status"],
      isDead,
    ]),
    [
      [failed!.spanId, "pending", false],
      [repeated!.spanId, "delivered", false],
    ],
  );
  assert.match(String(settled[0]!.attributes["boathook.delivery.due_at"]), /^2\d{3}-.*Z$/);

  const dead = await collect(collector, 5, ({ traceId }) => traceId === ids[1]);
  assert.deepEqual(
    dead
      .filter(({ name }) => name === "settle")
      .map(({ attributes, failed: isDead }) => [attributes["boathook.delivery.status"], isDead]),
    [
      ["pending", false],
      ["dead", true],
    ],
  );

  // A client's request; its caller's trace goes on as well.
  receiver.behave(() => 204);
  const path = `/rates/v1/webhooks/${endpoint}/test`;
  assert.equal((await post(`${service.publicUrl}${path}`, client.key, {})).status, 202);
  const ping = await collect(
    collector,
    2,
    ({ traceId, attributes, startMs }) =>
      traceId === CALLER.trace && startMs > request.endMs && attributes["url.path"] !== "/v1/events",
  );
  const tested = ping.find(({ kind }) => kind === 2);
  assert.equal(tested!.name, "POST /rates/v1/webhooks/:id/test");
  assert.equal(tested!.attributes["url.path"], path);
  const pinged = await collect(
    collector,
    3,
    ({ traceId }) => traceId === traceOf(receiver.arrivals.at(-1)!.id),
  );
  assert.deepEqual(tree(pinged), ["raise ping < ", "POST < raise ping", "settle < POST"]);
  assert.deepEqual(pinged.find(({ kind }) => kind === 4)!.links, [
    `${CALLER.trace}/${ping.find(({ name }) => name === "raise")!.spanId}`,
  ]);

  // Neither what monitors ask, nor what is refused for want of a key, nor any secret.
  assert.equal((await post(`${service.opsUrl}/v1/events`, "wrong", {})).status, 401);
  assert.equal((await ask("GET", `${service.opsUrl}/readyz`, "")).status, 200);
  const { body: metrics } = await ask("GET", `${service.opsUrl}/metrics`, "");
  assert.match(metrics, /^boathook_spans_total\{outcome="exported"\} [1-9]/m);
  assert.match(metrics, /^boathook_spans_total\{outcome="lost"\} 0$/m);
  await service.stop();
  assert.deepEqual(
    collector.spans.filter(
      ({ name, attributes }) =>
        /healthz|readyz|metrics/.test(name) || attributes["http.response.status_code"] === 401,
    ),
    [],
  );
  const sent = Buffer.concat(collector.bodies).toString("latin1");
  assert.ok(!sent.includes("secret") && !sent.includes(TOKEN) && !sent.includes(client.key));
});

test("an attempt after a restart belongs to the trace that another process began", async (t) => {
  const collector = await startCollector();
  t.after(collector.close);
  const { receiver, service, served, on, client, endpoint } = await runClient(t, "rates", {
    settings: { ...QUICK, BOATHOOK_OTLP_ENDPOINT: collector.url, BOATHOOK_RETRY_WAITS: "1h" },
  });
  receiver.behave(() => 503);
  const path = `/rates/v1/webhooks/${endpoint}/test`;
  assert.equal((await post(`${service.publicUrl}${path}`, client.key, {})).status, 202);
  await until(() => receiver.arrivals.length === 1, "the first attempt");
  await service.stop();
  receiver.behave(() => 204);
  await on.queryEach(on.cells, "update cell.queue set due_at = now()");
  await run(t, served);
  const trace = traceOf(receiver.arrivals[0]!.id);
  const spans = await collect(collector, 5, ({ traceId }) => traceId === trace);
  assert.deepEqual(tree(spans), [
    "raise ping < ",
    "POST < raise ping",
    "settle < POST",
    "POST < raise ping",
    "settle < POST",
  ]);
  assert.equal(new Set(spans.map(({ resource }) => resource["service.instance.id"])).size, 2);
});
