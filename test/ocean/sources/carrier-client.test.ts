/** What stands between a poll and a carrier: what is known, breakers, quotas, hostile answers, port calls. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { asking, BOX, outcome, type Request } from "./asking.ts";

const event = {
  ...{ eventType: "TRANSPORT", transportEventTypeCode: "DEPA", eventClassifierCode: "ACT" },
  eventDateTime: "2026-03-10T19:24:00+09:00",
};

test("an answer that is known is not read again, and any other is", () => {
  let body = [event];
  const reply = () => ({ body });
  return asking({}, reply, async ({ client, carrier }) => {
    const first = await client.fetch(carrier, "container_id", BOX);
    assert.ok(first.kind === "events");
    const again = () => client.fetch(carrier, "container_id", BOX, first.digest);
    assert.equal((await again()).kind, "unchanged");
    body = [event, event];
    assert.equal(outcome(await again()), "2");
  });
});

test("one dead carrier is soon left alone, and costs the others nothing", () =>
  asking(
    [{}, { scac: "TRNC", name: "Tern" }],
    ({ url }) => (url.pathname.startsWith("/api") ? { status: 503 } : { body: [event] }),
    async ({ client, clock, asked, carriers: [heron, tern] }) => {
      const outcomes: string[] = [];
      for (let count = 0; count < 8; count += 1) {
        outcomes.push(outcome(await client.fetch(heron!, "container_id", BOX)));
        assert.equal(outcome(await client.fetch(tern!, "container_id", "TRNU5100028")), "1");
      }
      assert.deepEqual(outcomes, [...Array(5).fill("http_503"), ...Array(3).fill("breaker_open")]);
      assert.deepEqual(["HRNL", "TRNC", "NONE"].map(client.isBreakerOpen), [true, false, false]);
      assert.equal(asked.filter((path) => path.startsWith("/api")).length, 5);
      await clock.advance(5_000);
      assert.equal(outcome(await client.fetch(heron!, "container_id", BOX)), "http_503");
    },
  ));

test("an answer of several pages waits for the quota rather than being broken off", () =>
  asking(
    { quota: { perMinute: 12 } },
    ({ url }) => {
      const page = Number(url.searchParams.get("cursor") ?? 1);
      return { body: [event], headers: page < 3 ? { "next-page": String(page + 1) } : {} };
    },
    async ({ client, clock, carrier }) => {
      assert.equal(outcome(await clock.drive(client.fetch(carrier, "container_id", BOX))), "3");
      const refused = { kind: "unavailable", reason: "quota", retryAfterMs: 5_000 };
      assert.deepEqual(await client.fetch(carrier, "container_id", BOX), refused);
    },
  ));

test("hostile answers are failures with a reason", async () => {
  const calls = Array.from({ length: 300 }, () => event);
  const moves = calls.map((one, index) => ({ ...one, equipmentReference: `HRNU${400_000 + index}` }));
  let body = "";
  const reply = () => ({ body });
  await asking({}, reply, async ({ client, carrier }) => {
    for (const [hostile, expected] of [
      ["<html>maintenance</html>", "not_json"],
      ["", "not_json"],
      ["42", "not_events"],
      ['{"events":{"0":{}}}', "not_events"],
      [`{"events":${"[".repeat(200_000)}${"]".repeat(200_000)}}`, "not_json"],
      [JSON.stringify([...calls, ...moves]), "too_many_events"],
      [JSON.stringify([{ ...event, eventDateTime: "2026-03-10T19:24:00" }]), "unreadable"],
      [JSON.stringify([{ ...event, eventDateTime: "soon" }, event]), "1"],
      [`[${"{},".repeat(50_000)}{}]`, "too_many_events"],
      [`["${"x".repeat(9 * 1024 * 1024)}"]`, "too_large"],
    ] as const) {
      body = hostile;
      assert.equal(outcome(await client.fetch(carrier, "container_id", BOX)), expected, body.slice(0, 50));
    }
  });
});

test("where a carrier serves port calls, those of the vessels that arrive about now come with the answer, asked for in their own version", () => {
  const polled: string[] = [];
  let anchored = true;
  let down = false;
  const arrival = (UNLocationCode: string, eventDateTime: string) => ({
    ...{ ...event, transportEventTypeCode: "ARRI", eventClassifierCode: "EST", eventDateTime },
    transportCall: { modeOfTransport: "VESSEL", UNLocationCode, vessel: { vesselIMONumber: "1200017" } },
  });
  const portCall = (vesselIMONumber: string) => ({
    portCall: { UNLocationCode: "USOAK" },
    portCallService: { portCallServiceTypeCode: "ANCHORAGE", portCallServiceEventTypeCode: "STRT" },
    timestamp: { classifierCode: "ACT", serviceDateTime: "2026-11-02T10:00:00Z" },
    vessel: { vesselIMONumber },
  });
  const reply = ({ url }: Request) => {
    if (!url.pathname.startsWith("/calls/"))
      return { body: [arrival("USOAK", "2026-11-03T00:00:00Z"), arrival("JPYOK", "2026-10-20T00:00:00Z")] };
    polled.push(decodeURIComponent(url.search));
    if (down) return { status: 503 };
    return { body: { events: anchored ? [portCall("1200017"), portCall("9999999")] : [] } };
  };
  const headers = { "API-Version": "2.2" };
  const entry = (url: string) => ({ asOf: "now", headers, portCalls: { baseUrl: `${url}/calls` } });
  return asking(entry, reply, async ({ client, carrier, clock, requests }) => {
    const ask = (known?: Buffer) => client.fetch(carrier, "container_id", BOX, known);
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
    const known = await ask(first.digest);
    assert.equal(known.kind, "unchanged", "what was known stays while there is no answer");
    down = false;
    await clock.advance(60_000);
    assert.equal(outcome(await ask(first.digest)), "2");
    assert.equal(polled.length, 3);
    const versions = requests.map((one) => `${one.url.pathname} ${String(one.headers["api-version"])}`);
    assert.deepEqual(new Set(versions), new Set(["/api/events 2.2", "/calls/events 2.0.0"]));
  });
});
