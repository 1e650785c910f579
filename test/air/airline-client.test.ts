import assert from "node:assert/strict";
import { test } from "node:test";

import type { AirlineSource } from "../../src/products/air/sources/airlines/airline-schema.ts";
import { atDesk, AWB, FSA, fsr, oneRecord, said, type Asked, type Reply } from "./with-client.ts";

test("a status request is sent as a message, and the answer is the waybill's statement", async () => {
  await atDesk(
    fsr(),
    () => ({ body: FSA }),
    async ({ ask, asked }) => {
      const answer = await ask();
      assert.ok(answer.kind === "statement");
      assert.deepEqual(answer.problems, []);
      const { awb, origin, destination, pieces, weightKg, events } = answer.statement;
      assert.deepEqual([awb, origin, destination, pieces, weightKg], [AWB, "DXB", "FRA", 10, 250]);
      assert.deepEqual(
        events.map(({ code, station, at }) => [code, station, at?.local]),
        [["RCS", "DXB", "2026-11-01T09:30:00"]],
      );
      const [{ method, url, body, request }] = asked as [Asked];
      assert.deepEqual([method, url, body], ["POST", "/fsr", "FSR\r\n176-12345675\r\n"]);
      assert.equal(request.headers["content-type"], "text/plain; charset=utf-8");
      assert.equal((await ask(answer.digest)).kind, "unchanged");
    },
  );
});

test("a message of the airline's own, its headers and its token go with the request", async () => {
  const message = '{"number":"{awb}","{other}":1}';
  const source = (url: string): readonly AirlineSource[] => [
    {
      kind: "fsr",
      url: `${url}/fsr/{prefix}`,
      message,
      contentType: "application/json",
      answer: { format: "json", at: "result.fsa" },
      headers: { ACCEPT: "application/vnd.falcon+json", "Api-Key": "k" },
      oauth: { tokenUrl: `${url}/token`, clientId: "id", clientSecret: "secret" },
    },
  ];
  const reply = ({ url }: Asked): Reply =>
    url === "/token"
      ? { body: { access_token: "t0ken", expires_in: 60 } }
      : { body: { result: { fsa: [FSA] } } };
  await atDesk(source, reply, async ({ ask, asked }) => {
    assert.equal(said(await ask()), "statement");
    const { url, body, request } = asked[1]!;
    assert.deepEqual([url, body], ["/fsr/176", '{"number":"17612345675","{other}":1}']);
    const { accept, authorization, "api-key": key, "content-type": type } = request.headers;
    assert.deepEqual(
      [accept, authorization, key, type],
      ["application/vnd.falcon+json", "Bearer t0ken", "k", "application/json"],
    );
  });
});

test("an airline may be asked by GET, and answer in XML", async () => {
  const source = (url: string): readonly AirlineSource[] => [
    {
      kind: "fsr",
      method: "GET",
      url: `${url}/track/{prefix}?serial={serial}`,
      answer: { format: "xml", at: "imp" },
    },
  ];
  await atDesk(
    source,
    () => ({ body: `<r><x:imp>${FSA}</x:imp></r>` }),
    async ({ ask, asked }) => {
      assert.equal(said(await ask()), "statement");
      assert.deepEqual([asked[0]?.method, asked[0]?.url], ["GET", "/track/176?serial=12345675"]);
    },
  );
});

test("an airline that does not know the waybill, and one that says nothing of use, are told apart", async () => {
  for (const [reply, outcome] of [
    [{ status: 404 }, "not_found"],
    [{ status: 204 }, "not_found"],
    [{ body: "" }, "not_found"],
    [{ body: "FNA/1\r\nACK/NO RECORD FOUND\r\n" }, "not_found"],
    [{ body: "FSA/14\r\n176-12345675\r\nOSI/NO RECORD FOUND\r\n" }, "not_found"],
    [{ body: FSA.replaceAll("12345675", "12345686") }, "other_waybill"],
    [{ body: "<html>maintenance</html>" }, "not_fsa"],
    [{ body: "x".repeat(1024 * 1024 + 1) }, "too_large"],
    [{ status: 401 }, "not_permitted"],
    [{ status: 302, headers: { location: "/elsewhere" } }, "http_302"],
    [{ status: 503 }, "http_503"],
  ] as const) {
    await atDesk(
      fsr(),
      () => reply,
      async ({ ask }) => {
        assert.equal(said(await ask()), outcome, JSON.stringify(reply).slice(0, 80));
      },
    );
  }
});

test("what of an answer cannot be read is told by its place, and the rest counts", async () => {
  await atDesk(
    fsr(),
    () => ({ body: `${FSA}XYZ/WHATEVER\r\n` }),
    async ({ ask }) => {
      const answer = await ask();
      assert.ok(answer.kind === "statement");
      assert.equal(answer.statement.events.length, 1);
      assert.match(answer.problems.join(), /^line 4, column \d+: /);
    },
  );
});

test("several messages of a waybill are one statement", async () => {
  const later = FSA.replace("RCS/01NOV0930/DXB", "RCF/EK045/02NOV0930/FRA").replace("/FALCON", "");
  await atDesk(
    fsr(),
    () => ({ body: `${FSA}\r\n${later}` }),
    async ({ ask }) => {
      const answer = await ask();
      assert.deepEqual(answer.kind === "statement" && answer.statement.events.map(({ code }) => code), [
        "RCS",
        "RCF",
      ]);
    },
  );
});

test("the years of an airline that is replayed are inferred by its own clock", async () => {
  const headers = { date: "Sat, 02 Nov 2024 12:00:00 GMT" };
  for (const [asOf, year] of [
    ["now", "2026"],
    ["answer-date", "2024"],
  ] as const) {
    await atDesk(
      fsr(),
      () => ({ body: FSA, headers }),
      async ({ ask }) => {
        const answer = await ask();
        assert.ok(answer.kind === "statement");
        assert.equal(answer.statement.events[0]?.at?.local.slice(0, 4), year);
        assert.equal(answer.dateMs, Date.UTC(2024, 10, 2, 12));
      },
      { asOf },
    );
  }
});

test("sources are asked in their order until one has something to say; the worst of what went wrong is told", async () => {
  const both = (url: string): readonly AirlineSource[] => [
    ...oneRecord(url),
    { kind: "push" },
    ...fsr()(url),
  ];
  const reply = ({ url }: Asked): Reply => (url === "/fsr" ? { body: FSA } : { status: 404 });
  await atDesk(both, reply, async ({ ask, asked }) => {
    assert.equal(said(await ask()), "statement");
    assert.equal(asked.length, 2);
  });
  const down = ({ url }: Asked): Reply => (url === "/fsr" ? { status: 404 } : { status: 500 });
  await atDesk(both, down, async ({ ask }) => assert.equal(said(await ask()), "http_500"));
  await atDesk(
    () => [{ kind: "push" }],
    () => ({}),
    async ({ ask, asked, desk }) => {
      assert.equal(said(await ask()), "not_found");
      assert.deepEqual([asked.length, desk.isBreakerOpen("176")], [0, false]);
    },
  );
});

test("an airline that is down is left alone, and its quota holds for all of its prefixes", async () => {
  await atDesk(
    fsr(),
    () => ({ status: 503 }),
    async ({ ask, desk, clock, asked }) => {
      const outcomes: string[] = [];
      for (let count = 0; count < 7; count += 1) outcomes.push(said(await ask()));
      assert.deepEqual(outcomes, [...Array<string>(5).fill("http_503"), "breaker_open", "breaker_open"]);
      assert.deepEqual(
        [desk.isBreakerOpen("176"), desk.isBreakerOpen("901"), desk.isBreakerOpen("999")],
        [true, true, false],
      );
      assert.equal(asked.length, 5);
      await clock.advance(5_000);
      assert.equal(desk.isBreakerOpen("176"), false);
    },
  );
  await atDesk(
    fsr({ quota: { perMinute: 1 } }),
    () => ({ body: FSA }),
    async ({ ask, desk, airline }) => {
      assert.equal(said(await ask()), "statement");
      const answer = await desk.fetch(airline, "90112345675");
      assert.deepEqual(answer, { kind: "unavailable", reason: "quota", retryAfterMs: 60_000 });
    },
  );
});
