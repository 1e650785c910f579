/** Headers, framing and dripping that no client should send, to a running service: refused or cut off, never a 5xx, never a hang. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { killLeftDatabase } from "./postgres.ts";
import { request, say, talkTo, drip, type Talk } from "./raw-http.ts";
import {
  newClient,
  register,
  startServe,
  OPERATOR_TOKEN,
  type Client,
  type ServiceProcess,
} from "./service.ts";
import { draw, give } from "./load.ts";
import { folderFor, openScene, well } from "./scene.ts";
import { until } from "./until.ts";

type HostileRequest = {
  readonly name: string;
  readonly url: string;
  readonly talk: Talk;
};

const WEBHOOKS = "/tracking/v1/webhooks";

type Requests = Readonly<Record<string, Talk>>;

function hostileRequests({ publicUrl, opsUrl }: ServiceProcess, client: Client): readonly HostileRequest[] {
  const key = `authorization: Bearer ${client.key}`;
  const named = (url: string, requests: Requests): HostileRequest[] =>
    Object.entries(requests).map(([name, talk]) => ({ name, url, talk }));
  return [
    ...named(publicUrl, badHeaders(key)),
    ...named(publicUrl, badFraming(key)),
    ...named(publicUrl, slowOnes(key)),
    ...named(opsUrl, slowOnes(OPERATOR)),
  ];
}

const OPERATOR = `authorization: Bearer ${OPERATOR_TOKEN}`;

function badHeaders(key: string): Requests {
  const get = (...headers: readonly string[]): Talk => say(request("GET", WEBHOOKS, headers));
  return {
    "a key of odd bytes": get("authorization: Bearer \u00ff\u00fe"),
    "an endless key": get(`authorization: Bearer ${"k".repeat(12_000)}`),
    "two keys": get("authorization: Bearer a", "authorization: Bearer b"),
    "an unheard-of version": get(key, "api-version: \u00e9"),
    "a large header": get(key, `x-a: ${"x".repeat(20_000)}`),
    "ten thousand headers": get(key, ...Array.from({ length: 10_000 }, (_, number) => `x-${number}: 1`)),
    "a header with a NUL": get(key, "x-a: a\u0000b"),
    "a header without a name": get(key, ": nameless"),
    "no host": say(`GET ${WEBHOOKS} HTTP/1.1\r\n${key}\r\n\r\n`),
  };
}

function badFraming(key: string): Requests {
  const post = (headers: readonly string[], body: string | Buffer = ""): Talk =>
    say(request("POST", WEBHOOKS, [key, ...headers], body));
  const cutShort =
    (text: string): Talk =>
    (socket) =>
      void socket.end(text);
  return {
    "an unheard-of method": say(request("BREW", WEBHOOKS, [key])),
    "two lengths": post(["content-length: 3"], "{}"),
    "a length and chunks": post(["transfer-encoding: chunked"], "{}"),
    "a length below nothing": post(["content-length: -1"]),
    "another kind of body": post(["content-type: text/xml"], "<a/>"),
    "a compressed body": post(["content-encoding: gzip"], Buffer.from([0x1f, 0x8b, 8, 0])),
    "no HTTP": say("\u0016\u0003\u0001 hello\r\n\r\n"),
    "HTTP of old": say("GET /\r\n\r\n"),
    "a chunk of nonsense": say(begun(key, CHUNKED), "zz\r\n{}\r\n0\r\n\r\n"),
    "a chunk too large to be": say(begun(key, CHUNKED), "fffffffffffffffff\r\n{}\r\n"),
    "a chunk cut short": cutShort(`${begun(key, CHUNKED)}ff\r\n{"url":`),
    "a body cut short": cutShort(`${begun(key, LONG)}{`),
    "headers cut short": cutShort(`POST ${WEBHOOKS} HTTP/1.1\r\nhos`),
  };
}

/** They take as long as a request may take, all of them at once. */
function slowOnes(key: string): Requests {
  const head = `POST ${WEBHOOKS} HTTP/1.1\r\nhost: a\r\n`;
  return {
    "headers that drip": drip(head, "x-a: b\r\n", DRIP_EVERY_MS),
    "a body that drips": drip(begun(key, LONG), " ", DRIP_EVERY_MS),
    "chunks that drip": drip(begun(key, CHUNKED), "1\r\n \r\n", DRIP_EVERY_MS),
    "silence after half of the headers": say(head),
  };
}

const DRIP_EVERY_MS = 200;
const CHUNKED = "transfer-encoding: chunked";
const LONG = "content-length: 9999";

/** The head of a request whose body follows. */
function begun(key: string, framing: string): string {
  return `POST ${WEBHOOKS} HTTP/1.1\r\nhost: a\r\n${key}\r\ncontent-type: application/json\r\n${framing}\r\n\r\n`;
}

/** Longer than the limits for a request to arrive (15 s) and for its check (2.5 s). */
const ANSWER_MS_MAX = 20_000;

test("hostile input is refused or cut off, and the service goes on", async (t) => {
  const scene = await openScene(t);
  const dataFolder = folderFor(t);
  killLeftDatabase(t, dataFolder);
  const service = await startServe(t, scene, { BOATHOOK_DATA_DIR: dataFolder });
  const client = await newClient(service);
  await register(scene, service, client, well);
  const { opsUrl } = service;
  const wrong: string[] = [];
  await Promise.all(
    hostileRequests(service, client).map(async ({ name, url, talk }) => {
      const { statuses, open, text } = await talkTo(url, talk, ANSWER_MS_MAX);
      const isRefused = statuses.every((status) => status >= 400 && status < 500);
      if (open) wrong.push(`${name}: neither answered nor closed`);
      else if (statuses.length > 1 || !isRefused) wrong.push(`${name}: ${text.slice(0, 400)}`);
    }),
  );
  assert.deepEqual(wrong, []);

  await t.test("everything still works", async () => {
    assert.equal((await fetch(`${opsUrl}/readyz`)).status, 200);
    assert.equal(await give(scene, service, draw(scene, 1)), true);
    await until(
      () => scene.receiver.arrivals.some((arrival) => arrival.answered === 200),
      "a delivery arrives",
    );
    await service.stop();
  });
});
