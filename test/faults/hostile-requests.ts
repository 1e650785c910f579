/** What no client should send, with and without the keys of one who may. */
import { drip, request, say, type Talk } from "./raw-http.ts";
import { OPERATOR_TOKEN, type Client, type ServiceProcess } from "./service.ts";

/** `answers`: it is whole, and so gets an answer; the others may also be cut off. */
export type HostileRequest = {
  readonly name: string;
  readonly url: string;
  readonly talk: Talk;
  readonly answers: boolean;
};

export const WEBHOOKS = "/tracking/v1/webhooks";

const DEEP = 100_000;
const ID = "0199a2b4-7c00-7000-8000-000000000001";

/** Bodies that are refused wherever JSON is taken. */
const BODIES: Readonly<Record<string, string | Buffer>> = {
  "arrays a hundred thousand deep": "[".repeat(DEEP) + "]".repeat(DEEP),
  "objects a hundred thousand deep": `{"a":`.repeat(DEEP) + "1" + "}".repeat(DEEP),
  "arrays that never end": "[".repeat(DEEP),
  "no JSON": "{url: 1}",
  "half of it": `{"url":"https://exam`,
  "two values": `{}{}`,
  "a bare string": `"url"`,
  null: "null",
  "a number": "1e999",
  "invalid UTF-8": Buffer.from([0x7b, 0x22, 0x75, 0x22, 0x3a, 0x22, 0xc3, 0x28, 0x22, 0x7d]),
  "UTF-16": Buffer.from(`{"url":"https://example.com"}`, "utf16le"),
  "an overlong encoding": Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]),
  "a NUL byte": "{\u0000}",
  "__proto__ alone": `{"__proto__":{"url":"https://example.com"}}`,
  "two megabytes": `{"url":"https://example.com","description":"${"x".repeat(2 << 20)}"}`,
};

/** Values that are no good for any text field. */
const TEXTS: Readonly<Record<string, string>> = {
  "an escaped NUL": `"a\\u0000b"`,
  "a lone surrogate": `"\\ud800"`,
  "a number": "1",
  "an object": `{"__proto__":1}`,
  "an array": "[[]]",
};

type Requests = Readonly<Record<string, Talk>>;

export function hostileRequests(
  { publicUrl, opsUrl }: ServiceProcess,
  client: Client,
  endpointId: string,
): readonly HostileRequest[] {
  const key = `authorization: Bearer ${client.key}`;
  const named = (url: string, answers: boolean, requests: Requests): HostileRequest[] =>
    Object.entries(requests).map(([name, talk]) => ({ name, url, talk, answers }));
  return [
    ...named(publicUrl, true, badBodies("POST", WEBHOOKS, key)),
    ...named(publicUrl, true, badBodies("PATCH", `${WEBHOOKS}/${endpointId}`, key)),
    ...named(publicUrl, true, badTexts(key, endpointId)),
    ...named(publicUrl, true, badPaths(key)),
    ...named(publicUrl, false, badHeaders(key)),
    ...named(publicUrl, false, badFraming(key)),
    ...named(publicUrl, false, slowOnes(key)),
    ...named(opsUrl, true, badBodies("POST", "/v1/events", OPERATOR)),
    ...named(opsUrl, true, badBodies("POST", "/v1/accounts", OPERATOR)),
    ...named(opsUrl, true, badEvents(client.accountId)),
    ...named(opsUrl, false, slowOnes(OPERATOR)),
  ];
}

const OPERATOR = `authorization: Bearer ${OPERATOR_TOKEN}`;

function badBodies(method: string, path: string, key: string): Requests {
  return mapped(BODIES, (name, body) => [
    `${method} ${path}: ${name}`,
    say(request(method, path, [key], body)),
  ]);
}

function badTexts(key: string, endpointId: string): Requests {
  const url = `{"constructor":{"prototype":{"url":"https://example.com"}}}`;
  return {
    "a url by another's prototype": say(request("POST", WEBHOOKS, [key], url)),
    ...mapped(TEXTS, (name, value) => [
      `url: ${name}`,
      say(request("POST", WEBHOOKS, [key], `{"url":${value}}`)),
    ]),
    ...mapped(TEXTS, (name, value) => [
      `description: ${name}`,
      say(request("PATCH", `${WEBHOOKS}/${endpointId}`, [key], `{"description":${value}}`)),
    ]),
  };
}

function badEvents(accountId: string): Requests {
  const raise = (fields: string): Talk => {
    const event = `{"product":"tracking","type":"vessel_departed","account_id":"${accountId}",${fields}}`;
    return say(request("POST", "/v1/events", [OPERATOR], `{"events":[${event}]}`));
  };
  const status = `"previous_status":"in_transit","new_status":"at_berth"`;
  const data = (more = "") => `"data":{"container_id":"${ID}",${status}${more}}`;
  return {
    ...mapped(TEXTS, (name, value) => [
      `container: ${name}`,
      raise(`"data":{"container_id":${value},${status}}`),
    ]),
    ...mapped(TEXTS, (name, value) => [`event's time: ${name}`, raise(`${data()},"occurred_at":${value}`)]),
    ...mapped(TEXTS, (name, value) => [`event's key: ${name}`, raise(`${data()},"dedup_key":${value}`)]),
    "data that is deep": raise(data(`,"x":${"[".repeat(70)}${"]".repeat(70)}`)),
    "data that is large": raise(data(`,"x":"${"x".repeat(300_000)}"`)),
    "a thousand and one events": say(
      request("POST", "/v1/events", [OPERATOR], `{"events":[${"{},".repeat(1_000)}{}]}`),
    ),
  };
}

function badPaths(key: string): Requests {
  const get = (path: string): Talk => say(request("GET", path, [key]));
  return {
    "an id with a NUL": get(`${WEBHOOKS}/%00`),
    "an id that is no text": get(`${WEBHOOKS}/%ff%fe`),
    "a broken escape": get(`${WEBHOOKS}/%zz`),
    "a long id": get(`${WEBHOOKS}/${"1".repeat(10_000)}`),
    "a way out": get("/tracking/../../../etc/passwd"),
    "a cursor of nonsense": get(`${WEBHOOKS}?cursor=%00&limit=1e9`),
    "a method that is not offered": say(request("PUT", WEBHOOKS, [key], "{}")),
  };
}

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

function mapped<Value>(
  values: Readonly<Record<string, Value>>,
  make: (name: string, value: Value) => readonly [string, Talk],
): Requests {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => make(name, value)));
}
