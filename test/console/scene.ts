/** A service with something to see: a client whose receiver works, one whose receiver fails, and names that mean harm. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";

import { ask, operatorToken, serve, until, type Serving } from "../service/boathook.ts";
import { newClient, raise, startReceiver } from "../service/client.ts";

/** What a page must show and never do. */
export const HOSTILE = `"><img src=x onerror=alert(1)><script>alert(2)</script>{{7*7}}\u202e'`;

const FAILURES = 2;

export type Scene = {
  readonly service: Serving;
  readonly token: string;
  readonly accountId: string;
  readonly hostileId: string;
  /** Of the endpoint that failures have disabled. */
  readonly offId: string;
  readonly wellId: string;
  readonly deliveredId: string;
  readonly deadId: string;
  /** Of the dead delivery. */
  readonly eventId: string;
  readonly again: (t: TestContext) => Promise<Serving>;
  /** From now on every receiver answers as it should. */
  mend(): void;
};

/** `folder` is a data folder with a database. */
export async function openScene(t: TestContext, folder: string): Promise<Scene> {
  const receiver = await startReceiver(t);
  const settings = {
    ...sourceFiles(folder),
    BOATHOOK_DATA_DIR: folder,
    BOATHOOK_DISABLE_AFTER_FAILURES: String(FAILURES),
    ...receiver.settings,
  };
  const service = await serve(t, settings);
  const token = operatorToken(folder);
  receiver.behave(({ path }) => (path === "broken" ? 503 : 204));
  const client = await newClient(service, token, receiver);
  const wellId = await client.register(service, "rates", "well");
  const offId = await client.register(service, "rates", "broken");
  await ask("PATCH", `${service.publicUrl}/rates/v1/webhooks/${offId}`, client.key, {
    description: HOSTILE,
    event_types: ["index_refreshed"],
  });
  const hostile = await ask("POST", `${service.opsUrl}/v1/accounts`, token, { name: HOSTILE });
  const hostileId: string = hostile.body.id;
  await ask("POST", `${service.opsUrl}/v1/accounts/${hostileId}/keys`, token, {
    prefix: "rates",
    label: HOSTILE,
  });
  assert.ok(await raise(service, token, client.accountId, [1, 2, 3]));
  await loadWrongRates(service, token);
  const find = (query: string) => ask("GET", `${service.opsUrl}/v1/deliveries?${query}`, token);
  await until(async () => {
    const { body } = await ask("GET", `${service.opsUrl}/v1/endpoints/${offId}`, token);
    return body.active === false;
  }, "failures disable the endpoint");
  await until(
    async () => (await find("status=delivered")).body.deliveries.length === 3,
    "three deliveries arrive",
  );
  const delivered = await find(`endpoint_id=${wellId}`);
  const failed = await find(`endpoint_id=${offId}`);
  return {
    service,
    token,
    accountId: client.accountId,
    hostileId,
    offId,
    wellId,
    deliveredId: delivered.body.deliveries[0].id,
    deadId: failed.body.deliveries[0].id,
    eventId: failed.body.deliveries[0].event_id,
    again: (at) => serve(at, { ...settings, BOATHOOK_OPS_LISTEN: new URL(service.opsUrl).host }),
    mend: () => receiver.behave(() => 204),
  };
}

/** A carrier whose name means harm, and a feed at an address where nobody listens. */
function sourceFiles(folder: string): Readonly<Record<string, string>> {
  const write = (name: string, content: unknown): string => {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(content));
    return path;
  };
  const nobody = "http://127.0.0.1:9";
  return {
    BOATHOOK_CARRIERS_FILE: write("carriers.json", [
      {
        scac: "HRNL",
        name: HOSTILE,
        api: "dcsa-tnt-2.2",
        baseUrl: nobody,
        quota: { perMinute: 60, perDay: 1_000 },
      },
    ]),
    BOATHOOK_SCHEDULES_FILE: write("schedules.json", [
      { name: "heron", carrier: "HRNL", kind: "cs-vessel-schedules", url: nobody, ports: ["NLRTM"] },
    ]),
  };
}

/** Lines of which none can be read, and which mean harm. */
async function loadWrongRates({ opsUrl }: Serving, token: string): Promise<void> {
  const { status } = await fetch(`${opsUrl}/v1/rates`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "text/csv" },
    body: `origin,destination,equipment,currency,valid_from,base,total\nCNSHA,"${HOSTILE.replaceAll('"', '""')}",40HC,USD,2026-01-01,1,1\n`,
  });
  assert.equal(status, 400);
}

const STEP_S = 10;

/** An hour of a service that is well but for some minutes, as `GET /v1/history` gives it. */
export function history(nowMs: number) {
  const samples = Array.from({ length: 360 }, (_, index) => {
    const wave = 1 + Math.sin(index / 23) / 2 + Math.sin(index / 7) / 6;
    const isIll = index > 230 && index < 262;
    return {
      at: new Date(nowMs - (359 - index) * STEP_S * 1_000).toISOString(),
      seconds: STEP_S,
      delivered: {
        tracking: Math.round(620 * wave),
        air: Math.round(210 * (2 - wave)),
        schedules: Math.round(90 * wave),
        rates: index % 60 < 6 ? 400 : 20,
      },
      failed_attempts: { tracking: isIll ? Math.round(160 * wave) : Math.round(6 * wave) },
      dead: index % 47 === 0 ? { air: 2 } : {},
      attempt_seconds: { p50: 0.041 * wave, p99: 0.24 * wave },
      arrival_seconds: { p50: 0.052 * wave, p99: isIll ? 2.4 : 0.31 * wave },
      backlog: {
        due: isIll ? 240 : 12,
        claimed: 40,
        waiting: isIll ? (index - 230) * 70 : Math.max(0, 2_200 - Math.max(0, index - 262) * 40),
        parked: index > 250 ? 640 : 580,
      },
    };
  });
  return { step_seconds: STEP_S, samples };
}
