/** `boathook airlines check` on each kind of source, alone and one after the other. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { checkEntry, type EntryCheck } from "../../../src/freight/source-check/check.ts";
import { AIRLINE_CHECK } from "../../../src/products/air/check/airline-check.ts";
import type { Outcome } from "../../../src/products/air/check/airline-check.ts";
import type { Airline, AirlineSource } from "../../../src/products/air/sources/airlines/airline-schema.ts";
import { systemRandom } from "../../../src/runtime/system-random.ts";
import { manualClock } from "../../support/clock.ts";
import { silentLog } from "../../support/log.ts";
import { realClock } from "../../support/real-clock.ts";
import { bodyOf, serving } from "../../upstream/serving.ts";
import { failureOf, results } from "../../source-check/replayed.ts";

const AWB = "17612345675";
const NOW_MS = manualClock().nowMs();
const FSA = [
  "FSA/14",
  "176-12345675DXBFRA/T10K250",
  "RCS/30OCT0930/DXB/T10K250/FALCON",
  "DEP/EK045/31OCT/DXBFRA/T10K250/A0815",
  "XYZ/WHATEVER",
  "",
].join("\r\n");

type Reply = { readonly status?: number; readonly body?: unknown };

async function checking(
  sources: (url: string) => readonly AirlineSource[],
  reply: (path: string, body: string) => Reply,
  work: (checked: (record?: string) => Promise<EntryCheck<Outcome>>) => Promise<void>,
): Promise<void> {
  await serving(
    (request, response) => {
      void bodyOf(request).then((sent) => {
        const { status = 200, body = "" } = reply(request.url ?? "", sent);
        response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));
      });
    },
    async ({ url, http }) => {
      const airline: Airline = { name: "Falcon", iata: "F8", prefixes: ["176"], sources: sources(url) };
      const clock = { ...realClock, nowMs: () => NOW_MS };
      const ports = { http, clock, random: systemRandom(), log: silentLog };
      await work((record) =>
        checkEntry(ports, AIRLINE_CHECK, airline, { awb: AWB }, { record: record ?? null }),
      );
    },
  );
}

const fsr =
  (fields: object = {}) =>
  (url: string): readonly AirlineSource[] => [{ kind: "fsr", url: `${url}/fsr`, ...fields }];

test("an answer of Cargo-IMP becomes milestones, a status and events; what was skipped is named with its place", () =>
  checking(
    fsr(),
    () => ({ body: FSA }),
    async (checked) => {
      const { steps, outcome, passed } = await checked();
      assert.equal(passed, true, JSON.stringify(steps));
      assert.deepEqual(
        steps.map(({ step, result }) => `${step} ${result}`),
        ["name passed", "tls skipped", "question passed"],
      );
      assert.match(steps.at(-1)!.found, /^HTTP 200, \d+ bytes, 2 events$/);
      assert.match(steps.at(-1)!.advice!, /^Parts of the answer/);
      assert.deepEqual(
        [outcome?.waybill.status, outcome?.raised.map(({ type, at }) => [type, at])],
        [
          "In transit",
          [
            ["awb_accepted", "2026-10-30T05:30:00.000Z"],
            ["awb_in_transit", "2026-10-31T04:15:00.000Z"],
          ],
        ],
      );
      assert.match(outcome!.skipped.join(), /^line 5, column \d+: /);
    },
  ));

test("sources are tried one after the other, and the first statement counts; one that pushes is not asked", async () => {
  const sources = (url: string): readonly AirlineSource[] => [
    { kind: "push" },
    { kind: "one-record", objectUrl: `${url}/objects/{awb}` },
    ...fsr()(url),
  ];
  const reply = (path: string): Reply => (path === "/fsr" ? { body: FSA } : { status: 503 });
  await checking(sources, reply, async (checked) => {
    const { steps, outcome, passed } = await checked();
    assert.deepEqual(
      steps.filter(({ step }) => step === "question").map(({ of, result }) => `${of} ${result}`),
      ["1 push skipped", "2 one-record, 176-12345675 failed", "3 fsr, 176-12345675 passed"],
    );
    assert.equal(passed, false);
    assert.equal(outcome?.waybill.status, "In transit");
  });
});

test("keys in addresses and messages are not shown, and not kept", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "boathook-kept-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const keys = { api_key: "key-in-an-address", password: "password in a message".replaceAll(" ", "-") };
  const sources = (url: string): readonly AirlineSource[] => [
    {
      kind: "mapped",
      url: `${url}/track?api_key=${keys.api_key}&n={awb}`,
      message: `{"password": "${keys.password}", "n": "{awb}"}`,
      headers: { "X-Header": "key-in-a-header" },
      answer: {
        format: "json",
        waybill: { awb: "/n" },
        events: "/e",
        event: { code: "/c", station: "/s", time: "/t" },
      },
    },
  ];
  const more = "https://airline.example/pod?sig=abc&page=2&api_key=key-in-an-address&expires=1";
  const said = {
    ...{ n: AWB, pod: more, echo: ["key-in-a-header", keys.password] },
    e: [{ c: "RCS", s: "DXB", t: "2026-10-30T09:30:00Z" }],
  };
  await checking(
    sources,
    () => ({ body: said }),
    async (checked) => {
      const check = await checked(folder);
      const kept = readFileSync(check.recorded!, "utf8");
      for (const secret of [...Object.values(keys), "key-in-a-header", "sig=abc"])
        assert.ok(!(JSON.stringify(check) + kept).includes(secret), secret);
      assert.match(kept, /sig=\[hidden\]&page=2&api_key=\[hidden\]&expires=1/);
      const recording = AIRLINE_CHECK.file.read!(kept);
      assert.ok(typeof recording !== "string", JSON.stringify(recording));
      const { entry, http, about } = recording;
      const ports = {
        http,
        clock: { ...realClock, nowMs: () => NOW_MS },
        random: systemRandom(),
        log: silentLog,
      };
      const again = await checkEntry(ports, AIRLINE_CHECK, entry, about, { isReplay: true });
      assert.deepEqual(again.outcome, check.outcome);
      assert.equal(again.outcome?.waybill.status, "Accepted");
    },
  );
});

test("answers of ONE Record are kept with all that they link to", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "boathook-kept-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const type = (name: string) => `https://onerecord.iata.org/ns/cargo#${name}`;
  const event = (code: string, date: string) => ({
    "@type": type("LogisticsEvent"),
    [type("eventCode")]: code,
    [type("eventDate")]: date,
    [type("eventTimeType")]: "ACTUAL",
    [type("eventLocation")]: { "@type": type("Location"), [type("code")]: "DXB" },
  });
  const reply = (path: string): Reply => {
    if (path === `/objects/${AWB}`) {
      return {
        body: {
          "@type": type("Waybill"),
          [type("waybillPrefix")]: "176",
          [type("waybillNumber")]: "12345675",
        },
      };
    }
    if (path !== `/objects/${AWB}/logistics-events`) return { status: 404 };
    return {
      body: { "@graph": [event("RCS", "2026-10-30T09:30:00Z"), event("FOH", "2026-10-30T08:30:00Z")] },
    };
  };
  const sources = (url: string): readonly AirlineSource[] => [
    { kind: "one-record", objectUrl: `${url}/objects/{awb}` },
  ];
  await checking(sources, reply, async (checked) => {
    const check = await checked(folder);
    assert.deepEqual(
      results(check),
      ["name passed", "tls skipped", "question passed"],
      JSON.stringify(check),
    );
    assert.match(check.steps.at(-1)!.found, /2 events in 2 answers$/);
    const recording = AIRLINE_CHECK.file.read!(readFileSync(check.recorded!, "utf8"));
    assert.ok(typeof recording !== "string", JSON.stringify(recording));
    const { entry, http, about } = recording;
    const ports = {
      http,
      clock: { ...realClock, nowMs: () => NOW_MS },
      random: systemRandom(),
      log: silentLog,
    };
    const again = await checkEntry(ports, AIRLINE_CHECK, entry, about, { isReplay: true });
    assert.deepEqual(again.outcome, check.outcome);
  });
});

test("an answer that is no message, or about another waybill, says what to do", async () => {
  for (const [reply, found, advice] of [
    [
      { body: "<html>maintenance</html>" },
      /^not_fsa: HTTP 200, 24 bytes <html>maintenance<\/html>$/,
      /holds no FSA or FSU/,
    ],
    [{ body: FSA.replaceAll("12345675", "12345686") }, /^other_waybill: /, /about another waybill/],
  ] as const) {
    await checking(
      fsr(),
      () => reply,
      async (checked) => {
        const failure = failureOf(await checked());
        assert.match(failure!.found, found);
        assert.match(failure!.advice!, advice);
      },
    );
  }
});
