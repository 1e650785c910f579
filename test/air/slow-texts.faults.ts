/** What anybody may send, made to take long, takes the processor no longer than it may. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";

import { textsIn } from "../../src/products/air/sources/status-request/answer-texts.ts";
import { statusOf } from "../../src/products/air/status.ts";
import { timelineOf } from "../../src/products/air/timeline/timeline.ts";
import { processorMs } from "../support/processor-time.ts";
import { readIn } from "./carried/reading.ts";
import type { TimedMail } from "./carried/timed-mail.ts";
import { logisticsEvent, read } from "./one-record/logistics-event.ts";
import { ACCEPTED_MAILS, filled, MAIL, REFUSED_MAILS, SLOW_TEXTS } from "./slow-texts.ts";
import { event, part } from "./statements.ts";

/** The best of some runs: cold code does not count. */
function assertWithin(msMax: number, work: () => unknown, what: string, runs = 3): void {
  const best = Math.min(...Array.from({ length: runs }, () => processorMs(() => void work())));
  assert.ok(best < msMax, `${what}: ${best} ms, not ${msMax}`);
}

for (const [name, text] of Object.entries(SLOW_TEXTS)) {
  test(`a megabyte of ${name} takes less than two seconds`, async () => {
    const before = process.cpuUsage();
    assert.ok((await readIn(text)).length > 0);
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 2_000_000, `${user + system} µs`);
  });
}

async function opened(mail: string): Promise<TimedMail> {
  const worker = new Worker(new URL("./carried/timed-mail.ts", import.meta.url), { workerData: MAIL + mail });
  const [told] = (await once(worker, "message")) as [TimedMail];
  await worker.terminate();
  return told;
}

for (const [mails, msMax, failed] of [
  [ACCEPTED_MAILS, 200, /^$/],
  [REFUSED_MAILS, 20, /the e-mail cannot be read: more than 60000 lines/],
] as const) {
  for (const [name, mail] of Object.entries(mails)) {
    test(`the worst of e-mails takes less than ${msMax} ms: ${name}`, async (t) => {
      const { ms, failure } = await opened(mail);
      t.diagnostic(`${ms.toFixed(0)} ms`);
      assert.match(failure ?? "", failed);
      assert.ok(ms < msMax, `${ms.toFixed(0)} ms`);
    });
  }
}

test("a megabyte of tags that never close takes less than a second", () => {
  for (const unit of ["<Message>", "<Message ", "<a:", "<![CDATA["])
    assertWithin(1_000, () => textsIn(filled(unit, "<r>"), { format: "xml", at: "Message" }), unit, 1);
});

test("lists of many thousands, under two names of one field or linked to by every event, take seconds", () => {
  const many = Array.from({ length: 200_000 }, () => "XX");
  const linked = { "cargo:eventLocation": { "@id": "s1" } };
  const events = Array.from({ length: 1_000 }, () => logisticsEvent(linked));
  const place = { "@id": "s1", "cargo:locationCodes": many, "c:locationCodes": many };
  assertWithin(
    10_000,
    () => assert.equal(read([place, ...events]).statement.events.length, 1_000),
    "lists",
    1,
  );
});

test("two thousand parts of a delivery take seconds at most", () => {
  const said = { ms: 1, messages: ["one"], answers: [] };
  const alike = Array.from({ length: 2_000 }, (_, at) => event("DLV", "SIN", at, { ...part(3), said }));
  assertWithin(5_000, () => timelineOf(alike, 5_000), "alike", 1);
  const parts = Array.from({ length: 2_000 }, (_, nth) =>
    event(nth % 2 === 0 ? "DLV" : "DDL", "SIN", nth / 2, { ...part(40 + (nth % 50)), totalPieces: 90_000 }),
  );
  const consignment = { origin: "FRA", destination: "SIN", pieces: 90_000 };
  assertWithin(1_000, () => statusOf(parts, consignment, Infinity), "to the door", 1);
});
