import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";

import type { CarrierAnswer } from "../../../src/products/ocean/sources/carrier-event.ts";
import type { Carrier } from "../../../src/products/ocean/sources/carriers.ts";
import {
  createCarrierClient,
  type CarrierClient,
} from "../../../src/products/ocean/sources/carrier-client.ts";
import { manualClock, type ManualClock } from "../../support/clock.ts";
import { serving } from "../../upstream/serving.ts";
import { HERON, TERN } from "../shipping-lines.ts";

type Reply = {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};
type Scene = {
  readonly client: CarrierClient;
  readonly clock: ManualClock;
  readonly carriers: readonly Carrier[];
  /** Another client, for a carrier that needs its own address in its entry. */
  deskOf(carrier: Carrier): CarrierClient;
};

/** A client of carriers behind real sockets; the path of each begins with its SCAC. */
function atDesk(
  carriers: readonly Carrier[],
  reply: (scac: string, url: URL, request: IncomingMessage) => Reply | Promise<Reply>,
  work: (scene: Scene) => Promise<void>,
): Promise<void> {
  return serving(
    (request, response) => {
      const url = new URL(request.url ?? "/", "http://carriers");
      void Promise.resolve(reply(url.pathname.split("/")[1] ?? "", url, request)).then(
        ({ status = 200, body = [], headers = {} }) => {
          response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
        },
      );
    },
    async ({ url, http }) => {
      const clock = manualClock();
      const served = carriers.map((carrier) => ({ ...carrier, baseUrl: `${url}/${carrier.scac}` }));
      const open = (all: readonly Carrier[]): CarrierClient =>
        createCarrierClient({ carriers: all, http, clock, random: { fraction: () => 1 } });
      await work({ client: open(served), clock, carriers: served, deskOf: (carrier) => open([carrier]) });
    },
  );
}

const event = {
  eventType: "TRANSPORT",
  transportEventTypeCode: "DEPA",
  eventClassifierCode: "ACT",
  eventDateTime: "2026-03-10T19:24:00+09:00",
};
const HERON_3: Carrier = { ...HERON, api: "dcsa-tnt-3.0" };

function stated(answer: CarrierAnswer): string {
  return answer.kind === "unavailable" ? answer.reason : answer.kind;
}

test("a carrier of 3.0 is asked with its version and the types that matter, page by page", async () => {
  const polled: string[] = [];
  const event3 = (id: string) => ({
    eventID: id,
    eventDateTime: "2026-01-16T11:30:00Z",
    eventClassification: {
      eventTypeCode: "TRANSPORT",
      eventClassifierCode: "ACT",
      transportEventTypeCode: "DEPA",
    },
  });
  await atDesk(
    [HERON_3],
    (_, url, request) => {
      polled.push(
        `${url.pathname}${decodeURIComponent(url.search)} ${request.headers["api-version"] as string}`,
      );
      const cursor = url.searchParams.get("cursor");
      if (cursor === null)
        return { body: { events: [event3("1")] }, headers: { "next-page-cursor": "/p2?" } };
      return { body: { events: [event3("2")] } };
    },
    async ({ client, carriers }) => {
      const answer = await client.fetch(carriers[0]!, "booking", "HRN0040001");
      assert.equal(answer.kind === "events" && answer.events.length, 2);
    },
  );
  const first = "/HRNL/events?carrierBookingReference=HRN0040001&eventTypes=SHIPMENT,TRANSPORT,EQUIPMENT";
  assert.deepEqual(polled, [`${first} 3.0.0`, `${first}&cursor=/p2? 3.0.0`]);
});

test("a carrier's own parameters are sent, and an empty one takes away a default", async () => {
  let polled = "";
  await atDesk(
    [{ ...HERON_3, parameters: { eventTypes: "", limit: "50" } }],
    (_, url) => {
      polled = url.search;
      return {};
    },
    async ({ client, carriers }) => {
      assert.equal(stated(await client.fetch(carriers[0]!, "container_id", "HRNU4000017")), "not_found");
    },
  );
  assert.equal(polled, "?equipmentReference=HRNU4000017&limit=50");
});

test("an answer that is known is not read again, and any other is", async () => {
  let list = [event];
  await atDesk(
    [HERON],
    () => ({ body: list }),
    async ({ client, carriers }) => {
      const first = await client.fetch(carriers[0]!, "container_id", "HRNU4000017");
      assert.ok(first.kind === "events");
      assert.equal(first.digest.length, 32);
      const again = await client.fetch(carriers[0]!, "container_id", "HRNU4000017", first.digest);
      assert.equal(again.kind, "unchanged");
      list = [event, event];
      const more = await client.fetch(carriers[0]!, "container_id", "HRNU4000017", first.digest);
      assert.equal(more.kind === "events" && more.events.length, 2);
    },
  );
});

test("one dead carrier is soon left alone, and costs the others nothing", async () => {
  let polled = 0;
  await atDesk(
    [HERON, TERN],
    (scac) => {
      if (scac !== "HRNL") return { body: [event] };
      polled += 1;
      return { status: 503 };
    },
    async ({ client, clock, carriers: [heron, tern] }) => {
      const outcomes: string[] = [];
      for (let count = 0; count < 8; count += 1) {
        outcomes.push(stated(await client.fetch(heron!, "container_id", "HRNU4000017")));
        assert.equal(stated(await client.fetch(tern!, "container_id", "TRNU5100028")), "events");
      }
      assert.deepEqual(outcomes, [...Array(5).fill("http_503"), ...Array(3).fill("breaker_open")]);
      assert.deepEqual(
        [client.isBreakerOpen("HRNL"), client.isBreakerOpen("TRNC"), client.isBreakerOpen("NONE")],
        [true, false, false],
      );
      assert.equal(polled, 5);
      await clock.advance(5_000);
      assert.equal(stated(await client.fetch(heron!, "container_id", "HRNU4000017")), "http_503");
    },
  );
});

test("an answer of several pages waits for the quota rather than being broken off", async () => {
  await atDesk(
    [{ ...HERON, quota: { perMinute: 12 } }],
    (_, url) => {
      const page = Number(url.searchParams.get("cursor") ?? 1);
      return { body: [event], headers: page < 3 ? { "next-page": String(page + 1) } : {} };
    },
    async ({ client, clock, carriers: [heron] }) => {
      const asking = client.fetch(heron!, "container_id", "HRNU4000017");
      let answer: CarrierAnswer | null = null;
      void asking.then((done) => (answer = done));
      // Time stands still while a request is in flight.
      while (answer === null) await (clock.pending() > 0 ? clock.advance(5_000) : setImmediate());
      assert.equal(stated(await asking), "events");
      assert.deepEqual(await client.fetch(heron!, "container_id", "HRNU4000017"), {
        kind: "unavailable",
        reason: "quota",
        retryAfterMs: 5_000,
      });
    },
  );
});

test("a client id, an API key and a token go with every request", async () => {
  const seen: (string | string[] | undefined)[][] = [];
  await serving(
    (_, response) => void response.end('{"access_token":"the-token","expires_in":3600}'),
    async (tokens) => {
      const oauth = { tokenUrl: `${tokens.url}/token`, clientId: "id", clientSecret: "secret" };
      await atDesk(
        [{ ...HERON, headers: { "X-Client-Id": "boathook", "Api-Key": "k" }, oauth }],
        (_, _url, { headers }) => {
          seen.push([headers["x-client-id"], headers["api-key"], headers.authorization]);
          return { body: [event] };
        },
        async ({ client, carriers }) => {
          assert.equal(stated(await client.fetch(carriers[0]!, "container_id", "HRNU4000017")), "events");
        },
      );
    },
  );
  assert.deepEqual(seen, [["boathook", "k", "Bearer the-token"]]);
});

test("hostile answers are failures with a reason", async () => {
  const calls = Array.from({ length: 300 }, () => event);
  const moves = Array.from({ length: 300 }, (_, index) => ({
    ...event,
    equipmentReference: `HRNU${400_000 + index}`,
  }));
  const deep = `{"events":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
  for (const [body, outcome] of [
    ["<html>maintenance</html>", "not_json"],
    ["", "not_json"],
    ["42", "not_events"],
    ['{"events":{"0":{}}}', "not_events"],
    [deep, "not_json"],
    [JSON.stringify([...calls, ...moves]), "too_many_events"],
    [JSON.stringify([{ ...event, eventDateTime: "2026-03-10T19:24:00" }]), "unreadable"],
    [JSON.stringify([{ ...event, eventDateTime: "soon" }, event]), "events"],
    [`[${"{},".repeat(100_000)}{}]`, "too_many_events"],
    [`["${"x".repeat(9 * 1024 * 1024)}"]`, "too_large"],
  ] as const) {
    await atDesk(
      [HERON],
      () => ({ body }),
      async ({ client, carriers }) => {
        assert.equal(stated(await client.fetch(carriers[0]!, "container_id", "HRNU4000017")), outcome);
      },
    );
  }
});

test("where a carrier serves port calls, those of the vessels that arrive about now come with the answer", async () => {
  const polled: string[] = [];
  let anchored = true;
  let down = false;
  const arrival = (UNLocationCode: string, eventDateTime: string) => ({
    ...event,
    transportEventTypeCode: "ARRI",
    eventClassifierCode: "EST",
    eventDateTime,
    transportCall: { modeOfTransport: "VESSEL", UNLocationCode, vessel: { vesselIMONumber: "1200017" } },
  });
  const portCall = (vesselIMONumber: string) => ({
    portCall: { UNLocationCode: "USOAK" },
    portCallService: { portCallServiceTypeCode: "ANCHORAGE", portCallServiceEventTypeCode: "STRT" },
    timestamp: { classifierCode: "ACT", serviceDateTime: "2026-11-02T10:00:00Z" },
    vessel: { vesselIMONumber },
  });
  await atDesk(
    [HERON],
    (_, url) => {
      if (!url.pathname.includes("/calls/")) {
        return { body: [arrival("USOAK", "2026-11-03T00:00:00Z"), arrival("JPYOK", "2026-10-20T00:00:00Z")] };
      }
      polled.push(decodeURIComponent(url.search));
      if (down) return { status: 503 };
      return { body: { events: anchored ? [portCall("1200017"), portCall("9999999")] : [] } };
    },
    async ({ clock, carriers: [heron], deskOf }) => {
      const carrier = { ...heron!, asOf: "now", portCalls: { baseUrl: `${heron!.baseUrl}/calls` } } as const;
      const client = deskOf(carrier);
      const ask = (known?: Buffer) => client.fetch(carrier, "container_id", "HRNU4000017", known);
      const [first, beside] = await Promise.all([ask(), ask()]);
      assert.ok(first.kind === "events" && beside.kind === "events");
      assert.deepEqual(
        first.events.map(({ code, place }) => [code, place?.facilityType]),
        [
          ["ARRI", null],
          ["ARRI", null],
          ["ARRI", "ANCH"],
        ],
      );
      const question =
        "?vesselIMONumber=1200017&UNLocationCode=USOAK&eventTimestampMin=2026-10-19T12:00:00.000Z";
      assert.deepEqual(polled, [question], "once for both");
      assert.equal((await ask(first.digest)).kind, "unchanged");
      [anchored, down] = [false, true];
      await clock.advance(10 * 60_000);
      assert.equal(
        (await ask(first.digest)).kind,
        "unchanged",
        "what was known stays while there is no answer",
      );
      down = false;
      await clock.advance(60_000);
      const after = await ask(first.digest);
      assert.equal(after.kind === "events" && after.events.length, 2);
      assert.equal(polled.length, 3);
    },
  );
});
