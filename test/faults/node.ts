/**
 * One engine as a process of its own, for the tests that kill and freeze it: the store, the engine and
 * the sender of a real service, with the short leases and waits that such a test needs, and its parent's
 * channel in place of the HTTP API. What it takes is in its first argument (`NodeOptions`).
 *
 *     { call, raise: events } → { call, answer: "accepted" }, or the name of the error
 *     { call, change: … }     → { call, answer: "changed" } once every node has taken it in
 *     { call, gauges: true }  → { call, answer: EngineGauges }
 *     { call, stop: true }    → drains, leaves and ends
 */
import { readFileSync } from "node:fs";

import { addressPolicy } from "../../src/engine/send/address.ts";
import { createSender } from "../../src/engine/send/attempt.ts";
import { DEFAULT_ENGINE_SETTINGS, type EngineSettings } from "../../src/engine/settings.ts";
import { startEngine } from "../../src/engine/start.ts";
import type { RaisedEvent } from "../../src/model/event.ts";
import { jsonLog } from "../../src/runtime/log.ts";
import { startSystemClock } from "../../src/runtime/system-clock.ts";
import { systemDnsLookup } from "../../src/runtime/system-dns-lookup.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import {
  updateEndpoint,
  type EndpointChange,
  type EndpointOwner,
} from "../../src/store/endpoints/endpoints.ts";
import { openStore } from "../../src/store/open.ts";

export type NodeOptions = {
  /** Null: the embedded PostgreSQL in `dataFolder`. */
  readonly databaseUrl: string | null;
  readonly dataFolder: string;
  /** Base64. */
  readonly masterKey: string;
  readonly caFile: string;
  readonly settings: Partial<EngineSettings>;
};

export type NodeCall =
  | { readonly raise: readonly RaisedEvent[] }
  | { readonly change: EndpointChange; readonly owner: EndpointOwner; readonly endpointId: string }
  | { readonly gauges: true }
  | { readonly stop: true };

const options = JSON.parse(process.argv[2]!) as NodeOptions;
const log = jsonLog("info");
const clock = startSystemClock(log);
const random = systemRandom();
const sender = createSender({
  clock,
  policy: addressPolicy(["127.0.0.0/8"]),
  dnsLookup: systemDnsLookup(),
  extraCa: [readFileSync(options.caFile, "utf8")],
  timeoutMs: DEFAULT_ENGINE_SETTINGS.attemptTimeoutMs,
});
const store = await openStore({
  ...options,
  cells: 1,
  connectionsMax: 8,
  connectTimeoutMs: 2_000,
  clock,
  log,
});
const engine = await startEngine(
  { ...DEFAULT_ENGINE_SETTINGS, ...options.settings },
  {
    database: store.database,
    cells: store.cells,
    clock,
    random,
    log,
    masterKeys: [Buffer.from(options.masterKey, "base64")],
    send: sender.send,
    headerTag: (product) => product[0]!.toUpperCase() + product.slice(1),
    pingData: '{"message":"ping"}',
    delivers: true,
  },
);

async function stop(): Promise<void> {
  await engine.stop();
  await sender.close();
  await store.close();
  process.exit(0);
}

async function answer(call: NodeCall): Promise<unknown> {
  if ("raise" in call) {
    const raised = await engine.raise(call.raise);
    return raised.kind === "raised" ? "accepted" : raised.kind;
  }
  if ("change" in call) {
    const cell = store.cells[0];
    await updateEndpoint(
      store.database,
      cell,
      call.owner,
      call.endpointId,
      call.change,
      new Date(clock.nowMs()),
    );
    await engine.endpointChanged(cell, call.owner.accountId, call.endpointId);
    return "changed";
  }
  return "gauges" in call ? engine.gauges() : stop();
}

process.on("message", (message: { call: number } & NodeCall) => {
  const { call } = message;
  answer(message).then(
    (result) => process.send!({ call, answer: result }),
    (cause: Error) => process.send!({ call, answer: cause.name }),
  );
});
process.on("disconnect", () => void stop());
process.send!("ready");
