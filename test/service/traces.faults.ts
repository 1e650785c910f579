/** The service with a collector that hangs. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { startCollector } from "../support/otlp-collector.ts";
import { ask, makeDataFolder, until } from "./boathook.ts";
import { raise, serveClient } from "./client.ts";

const folder = makeDataFolder({ withDatabase: true });

const EVENTS = Array.from({ length: 500 }, (_, number) => number);
const ROUNDS = 6;

for (const workers of ["1", "2"])
  test(`with workers: ${workers}, a collector that hangs holds up neither deliveries nor the end`, async (t) => {
    const collector = await startCollector(() => undefined);
    t.after(collector.close);
    const { receiver, service, token, client } = await serveClient(t, folder, "rates", {
      settings: { BOATHOOK_WORKERS: workers, BOATHOOK_OTLP_ENDPOINT: collector.url },
    });
    for (let round = 0; round < ROUNDS; round += 1)
      assert.ok(await raise(service, token, client.accountId, EVENTS));
    await until(() => receiver.arrivals.length === EVENTS.length * ROUNDS, "all arrive");
    assert.ok(collector.requests() > 0);
    await until(async () => {
      const { body } = await ask("GET", `${service.opsUrl}/metrics`, "");
      return /^boathook_spans_total\{outcome="lost"\} [1-9]\d{3}/m.test(body);
    }, "the metrics count lost spans");
    assert.equal((await ask("GET", `${service.opsUrl}/readyz`, "")).status, 200);
    const lines = service.err().split("the collector of traces does not take all spans").length - 1;
    assert.ok(lines >= 1 && lines <= Number(workers), `${lines} lines`);
    // The collector never answers.
    await service.stop();
  });
