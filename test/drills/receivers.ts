/** Faults of clients' receivers. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

import { createAuthority, validAround } from "../../src/runtime/certificates.ts";
import { DAY_MS } from "../../src/runtime/durations.ts";
import { ask } from "../service/boathook.ts";
import type { Fault, Shows, Stage } from "./fault.ts";
import { names } from "./names.ts";
import { freePort, sleep } from "./stage.ts";

const MANY = { BOATHOOK_DISABLE_AFTER_FAILURES: "100000" };

/** From now on the client's deliveries go there. */
async function listenAt(stage: Stage, url: string): Promise<void> {
  const { service, client } = stage;
  const webhooks = `${service.publicUrl}/rates/v1/webhooks`;
  const { status, body } = await ask("POST", webhooks, client.key, { url });
  assert.equal(status, 201, JSON.stringify(body));
  await fetch(`${webhooks}/${stage.endpoint}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${client.key}` },
  });
  stage.endpoint = body.data.id;
}

/** An authority that the service knows in place of the receiver's. */
async function ownAuthority(stage: Stage) {
  const authority = await createAuthority(Date.now());
  authorities.set(stage, authority);
  const file = join(stage.dataFolder, "authorities.pem");
  writeFileSync(file, authority.cert);
  return { ...MANY, BOATHOOK_EXTRA_CA_FILE: file };
}
const authorities = new WeakMap<Stage, Awaited<ReturnType<typeof createAuthority>>>();

/** An HTTPS server with such a certificate; its address. */
async function serverWith(stage: Stage, host: string, aroundMs: number): Promise<string> {
  const authority = authorities.get(stage) ?? (await createAuthority(Date.now()));
  const certificate = await authority.issue({ hosts: [host], ...validAround(aroundMs) });
  const server = createServer(certificate, (_request, response) => void response.writeHead(204).end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stage.t.after(() => server.close());
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const listenWell = async (stage: Stage) => listenAt(stage, await serverWith(stage, "127.0.0.1", Date.now()));

export const POSTPONED: Shows = {
  alert: "BoathookAttemptsPostponed",
  metric: /^boathook_attempts_postponed_total\{reason="\w+"\} [1-9]\d*/m,
  log: /error: (attempts cannot be made, and wait[^{]*)/,
};

const failing = (error: string, result = "error"): Shows => ({
  alert: "BoathookDeliveriesFail",
  metric: new RegExp(`^boathook_attempts_total\\{product="rates",result="${result}"\\} [1-9]\\d*`, "m"),
  command: ["status", new RegExp(`^(?:${error}) +\\d+ +\\d+`, "m")],
  linesMax: 0,
});

const resolved = (answer: Partial<typeof names>) => async (stage: Stage) => {
  Object.assign(names, answer);
  stage.t.after(() => void Object.assign(names, { answer: null, isSilent: false }));
  await listenAt(stage, "https://receiver.example/hook");
};

export const RECEIVERS: readonly Fault[] = [
  {
    name: "A receiver refuses connections",
    settings: MANY,
    cause: async (stage) => listenAt(stage, `https://127.0.0.1:${await freePort()}`),
    shows: failing("connection_refused"),
  },
  {
    name: "A receiver does not answer",
    settings: MANY,
    cause: ({ receiver }) => receiver.behave(() => null),
    // It gets few attempts, so what waits for it counts before its failures do.
    shows: { ...failing("timeout"), alert: "BoathookDeliveriesLate" },
  },
  {
    name: "A receiver answers 500",
    settings: MANY,
    cause: ({ receiver }) => receiver.behave(() => 500),
    shows: failing("http_500|500", "5xx"),
  },
  {
    name: "A receiver's certificate is of an unknown authority",
    settings: MANY,
    cause: async (stage) => listenAt(stage, await serverWith(stage, "127.0.0.1", Date.now())),
    shows: failing("tls\\w*|certificate\\w*"),
  },
  {
    name: "A receiver's certificate has expired",
    settings: ownAuthority,
    prepare: listenWell,
    cause: async (stage) =>
      listenAt(stage, await serverWith(stage, "127.0.0.1", Date.now() - 9_000 * DAY_MS)),
    shows: failing("tls\\w*|certificate\\w*"),
  },
  {
    name: "A receiver's certificate is of another host",
    settings: ownAuthority,
    prepare: listenWell,
    cause: async (stage) => listenAt(stage, await serverWith(stage, "other.example", Date.now())),
    shows: failing("tls\\w*|certificate\\w*"),
  },
  {
    name: "A receiver's name does not exist",
    settings: MANY,
    cause: resolved({ answer: null }),
    shows: failing("dns\\w*|name\\w*"),
  },
  {
    name: "Name servers do not answer",
    settings: MANY,
    cause: resolved({ isSilent: true }),
    shows: POSTPONED,
  },
  {
    name: "A receiver's name leads to a private address",
    settings: MANY,
    cause: resolved({ answer: "10.1.2.3" }),
    shows: failing("blocked_address"),
  },
  {
    name: "An endpoint fails 20 times in a row and is disabled",
    cause: ({ receiver }) => receiver.behave(() => 500),
    shows: {
      alert: "BoathookEndpointDisabled",
      metric: /^boathook_endpoints_disabled_total\S* [1-9]\d*/m,
      log: /warn: (an endpoint was disabled[^{]*)/,
      command: ["endpoints list --failing", /\d{4}-\S+Z +(failures +\d+)/],
    },
  },
  {
    name: "Deliveries end undelivered",
    settings: { ...MANY, BOATHOOK_ATTEMPTS: "1" },
    cause: ({ receiver }) => receiver.behave(() => 500),
    shows: {
      alert: "BoathookDeliveriesDie",
      metric: /^boathook_deliveries_total\{product="rates",outcome="dead"\} [1-9]\d*/m,
      linesMax: 0,
    },
  },
  {
    name: "Deliveries end undelivered behind an endpoint that stays inactive",
    settings: { ...MANY, BOATHOOK_PARKED_MAX: "3s", BOATHOOK_SWEEP_INTERVAL: "1s" },
    async prepare({ receiver }) {
      receiver.behave(() => 500);
      await sleep(1_000);
    },
    async cause({ service, client, endpoint }) {
      const url = `${service.publicUrl}/rates/v1/webhooks/${endpoint}`;
      const { status } = await ask("PATCH", url, client.key, { active: false });
      assert.equal(status, 200);
    },
    shows: {
      alert: "BoathookDeliveriesDie",
      metric: /^boathook_deliveries_expired_total\{product="rates"\} [1-9]\d*/m,
      linesMax: 0,
    },
  },
  {
    name: "A receiver answers after four seconds",
    cause: ({ receiver }) => receiver.behave(() => sleep(4_000).then(() => 204)),
    shows: { metric: /^boathook_degraded_endpoint_queues [1-9]\d*/m, linesMax: 0 },
  },
  {
    name: "Events arrive late, by retries",
    settings: { ...MANY, BOATHOOK_RETRY_WAITS: "14s,14s,14s,14s,14s" },
    cause({ receiver }) {
      const seen = new Set<string>();
      receiver.behave(({ id }) => (seen.has(id) ? 204 : (seen.add(id), 503)));
    },
    shows: {
      alert: "BoathookArrivesLate",
      metric: /^boathook_queue_deliveries\{product="rates",state="waiting"\} [1-9]\d*/m,
      linesMax: 0,
    },
  },
  {
    name: "Nobody listens to events",
    cause: async ({ service, client, endpoint }) =>
      fetch(`${service.publicUrl}/rates/v1/webhooks/${endpoint}`, {
        method: "DELETE",
        headers: { authorization: `Bearer ${client.key}` },
      }),
    shows: { metric: /^boathook_unheard_events_total\{product="rates"\} [1-9]\d*/m, linesMax: 0 },
  },
];
