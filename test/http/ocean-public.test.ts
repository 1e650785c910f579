/** The lookup without a key (spec 4.2, 5): what it shows, and what it keeps private. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { box, record } from "../ocean/records.ts";
import { assertRefused } from "../support/answers.ts";
import { ofSuite } from "../support/suite.ts";
import { createCaller, send, type Answer } from "../support/service.ts";
import { PUBLIC, startOceanService } from "./ocean-service.ts";

/** Container numbers, each for one test. */
const [TRACKED, PENDING, OVER, SHARED, PRIVATE] = [
  "CSQU3054383",
  "HRNU4000017",
  "MSCU1234566",
  "TRNU2000004",
  "HLBU1234564",
] as const;
const UNTRACKED = "APZU3456781";

describe("the public lookup", () => {
  const service = ofSuite(() => startOceanService());

  const lookUp = (reference: string): Promise<Answer> =>
    send(service.api, { method: "GET", url: `${PUBLIC}/${reference}` });

  // spec 4.2: public_lookup; 5: public_routes
  test("anybody can look up a container by any usual spelling of its number", async () => {
    const { key, accountId } = await createCaller(service, "tracking");
    const id = await service.track(key, TRACKED);
    await service.learn(id, record());
    const { status, body, headers } = await lookUp("csqu%20305438-3");
    assert.equal(status, 200);
    const [yokohama, oakland] = [
      { unlocode: "JPYOK", name: "Yokohama", time_zone: "Asia/Tokyo" },
      { unlocode: "USOAK", name: "Oakland", time_zone: "America/Los_Angeles" },
    ];
    assert.deepEqual(body, {
      ok: true,
      data: {
        reference: TRACKED,
        carrier: "HRNL",
        status: "in_transit",
        origin: yokohama,
        discharge: oakland,
        destination: oakland,
        transshipments: [{ unlocode: "KRPUS", name: "Busan", time_zone: "Asia/Seoul" }],
        vessel: { name: "HERON ONE", imo: "9000001" },
        voyage: "012E",
        eta: "2026-03-20T12:00:00.000Z",
        eta_is_actual: false,
        last_event: {
          code: "DEPA",
          name: "Vessel departure",
          event_date_time: "2026-03-06T12:00:00.000Z",
          event_local_datetime: "2026-03-06T21:00:00",
          utc_offset_minutes: 540,
          event_timezone: "Asia/Tokyo",
          place: yokohama,
          mode: "vessel",
          vessel: { name: "HERON ONE", imo: "9000001" },
          voyage: "012E",
          laden: null,
        },
      },
      api_version: "2026-06-01",
    });
    assert.equal(headers["cache-control"], "no-store");
    // Not whose it is, nor the terminal it stands in, nor until when it may.
    for (const secret of [id, accountId, "Z963", "2026-03-25", "created_at", "refreshed_at"]) {
      assert.ok(!JSON.stringify(body).includes(secret), secret);
    }
  });

  test("what an account's own credentials with a carrier showed is shown to nobody, and hides no other account's record", async () => {
    const [own, other] = [await createCaller(service, "tracking"), await createCaller(service, "tracking")];
    const id = await service.track(own.key, PRIVATE);
    await service.learn(id, { isPrivate: true, ...record() });
    assertRefused(await lookUp(PRIVATE), 404, "NOT_FOUND");
    await service.learn(await service.track(other.key, PRIVATE), record());
    assert.equal((await lookUp(PRIVATE)).status, 200);
  });

  test("not tracked, not yet answered, failed, and long over all look the same", async () => {
    const { key } = await createCaller(service, "tracking");
    const pending = await service.track(key, PENDING, "TRNC");
    const over = await service.track(key, OVER);
    await service.learn(over, record([box({ equipment: OVER, status: "returned_empty" })]));
    assert.equal((await lookUp(OVER)).status, 200);
    await service.endPolling(over);
    const untracked = await lookUp(UNTRACKED);
    assertRefused(untracked, 404, "NOT_FOUND");
    assert.deepEqual((await lookUp(PENDING)).body, untracked.body);
    await service.fail(pending, "not_permitted");
    assert.deepEqual((await lookUp(PENDING)).body, untracked.body);
    assert.deepEqual((await lookUp(OVER)).body, untracked.body);
    const names = Object.keys(untracked.headers).toSorted();
    assert.deepEqual(Object.keys((await lookUp(PENDING)).headers).toSorted(), names);
  });

  test("of many accounts that track it the one that learnt last answers, in whatever cell it lives", async () => {
    for (const [hour, voyage] of [
      [1, "first"],
      [2, "second"],
      [3, "third"],
    ] as const) {
      const { key } = await createCaller(service, "tracking");
      const id = await service.track(key, SHARED);
      await service.clock.advance(hour * 1_000);
      await service.learn(id, record([box({ equipment: SHARED, voyage })]));
      assert.equal((await lookUp(SHARED)).body.data.voyage, voyage);
    }
  });

  test("what is no container's number is refused as a reference, and what is no path as a path", async () => {
    const { key } = await createCaller(service, "tracking");
    const id = await service.track(key, "QUAYS104");
    await service.learn(id, record([box(), box({ equipment: "MSCU1234566" })]));
    for (const [reference, message] of [
      ["CSQU3054384", /should be 3 \(CSQU3054383\)/],
      ["HRNL12345678", /only container numbers/],
      ["QUAYS104", /only container numbers/],
      ["CSQU305438%25", /letters A to Z and digits/],
      ["___________", /letters A to Z and digits/],
      ["CSQU3054383';--", /letters A to Z and digits/],
      ["CSQU3054383%00", /letters A to Z and digits/],
      ["..%2F..%2Fv1%2Fcontainers", /only container numbers/],
      ["%D0%A1SQU3054383", /letters A to Z and digits/],
      ["A".repeat(10_000), /5 to 35/],
      ["A", /5 to 35/],
    ] as const)
      assertRefused(await lookUp(reference), 400, "INVALID_REFERENCE", message);
    for (const path of [
      "",
      "/",
      "/%",
      "/%ff",
      `/${"A".repeat(250)}`,
      `/${"a/".repeat(100)}`,
      "/CSQU3054383/events",
    ]) {
      const { status, body } = await send(service.api, { method: "GET", url: PUBLIC + path });
      assert.ok([400, 404, 414].includes(status), `${path}: ${status}`);
      assert.equal(body.api_version, "2026-06-01");
    }
  });

  // spec 4.2: public_lookup; 5: public_routes
  test("a key is neither required nor checked", async () => {
    const headers = { authorization: "Bearer nonsense" };
    const answer = await send(service.api, { method: "GET", url: `${PUBLIC}/${TRACKED}`, headers });
    assert.equal(answer.status, 200);
  });
});
