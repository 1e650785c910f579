/** Boxes that sail later than they were to: rolled over to another vessel, once for each that they miss. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { FLEET, inLines } from "../in-lines.ts";
import { departures, TRACKED, type Poll } from "../life.ts";

const WORDS = {
  ...FLEET,
  MISSPELT: { vessel: { name: "HERRON DAWN", imo: "9000001" }, voyage: "012E" },
  SPACED: { vessel: { name: "Heron-Dawn", imo: null }, voyage: "012E" },
  UNNAMED: { vessel: null, voyage: null },
};
const { polled } = inLines({ words: WORDS });

const gateIn = "GTIN CNTAO 1";
const AT = "The box is rolled over at Qingdao (CNTAO)";
const HERON_TO_EGRET = `${AT}, from HERON DAWN 012E to EGRET BAY 044E, which leaves`;

/** Each disruption: the day, the kind, the delay and the headline. */
function told(polls: readonly Poll[]): readonly string[] {
  return polls.flatMap(({ atMs, raised }) =>
    raised
      .filter(({ type }) => type === "schedule_disruption")
      .map(({ data }) => {
        const { kind, delay_hours: delay, headline } = JSON.parse(data) as Record<string, string>;
        return `${new Date(atMs).getUTCDate()} ${kind} ${delay} ${headline}`;
      }),
  );
}

/** Answers that each stand for a poll: one a day from the 2nd on, later if an answer reports a later day. */
function pollsOf(answers: readonly string[]): readonly Poll[] {
  let day = 1;
  const line = answers.map((answer) => {
    const actual = answer.split("; ").filter((one) => !/^\w+[~?]/.test(one));
    day = Math.max(day + 1, ...actual.map((one) => Number.parseInt(one.split(" ")[2]!, 10)));
    return `@${day} ${answer}`;
  });
  return polled(line.join(" | "));
}

function assertDisruptions(answers: readonly string[], ...lines: readonly string[]): void {
  assert.deepEqual(told(pollsOf(answers)), lines, answers.join(" | "));
}

const plan = `${gateIn}; DEPA~ CNTAO 10 HERON (1)`;

test("spec 6.3: schedule_disruption: a box that is booked on a vessel a day later or more is rolled over, once for each vessel", () => {
  const second = `${gateIn}; DEPA~ CNTAO 17 EGRET (3)`;
  const third = `${gateIn}; DEPA~ CNTAO 20 TERN (4)`;
  assertDisruptions(
    [plan, second, second, third, plan, third],
    `3 slipped 168 ${HERON_TO_EGRET} 7 days later, on 17 March`,
    `5 slipped 72 ${AT}, from EGRET BAY 044E to TERN SOLSTICE 007W, which leaves 3 days later, on 20 March`,
  );
  const keys = pollsOf([plan, second, third])
    .flatMap(({ raised }) => raised)
    .flatMap(({ data }) => (JSON.parse(data) as { dedup_key?: string }).dedup_key ?? []);
  assert.deepEqual(
    keys,
    [1, 2].map((nth) => `${TRACKED.id}:CSQU3054383:CNTAO:${nth}:rolled_over`),
  );
});

test("a swap of vessels within a day is no roll-over, and its slips count from the first promise", () => {
  const swapped = (to: string): string => `${gateIn}; DEPA~ CNTAO ${to} EGRET (3)`;
  assertDisruptions([plan, swapped("11.11"), swapped("12.11")]);
  assertDisruptions(
    [plan, swapped("11.11"), swapped("12.12")],
    "4 slipped 48 EGRET BAY 044E from Qingdao (CNTAO) now leaves 2 days later, on 12 March",
  );
  assert.equal(told(pollsOf([plan, swapped("11.12")])).length, 1);
  assertDisruptions([plan, swapped("6")]);
});

test("a name that is corrected, a vessel that is named late or a voyage that is renumbered is no roll-over", () => {
  const leaves = (ship: string, day: string, made: number): string =>
    `${gateIn}; DEPA~ CNTAO ${day} ${ship} (${made})`;
  for (const other of ["MISSPELT", "SPACED", "UNNAMED", "HERON #12"]) {
    assertDisruptions([plan, leaves(other, "11.13", 3)]);
    assertDisruptions([leaves(other, "10", 1), leaves("HERON", "11.13", 3)]);
  }
  assertDisruptions([plan, leaves("HERON #013E", "10", 3)]);
  const next = told(pollsOf([plan, leaves("HERON #013E", "24", 3)]));
  assert.equal(next.length, 1, "the same vessel's next voyage");
});

test("what a roll-over tells is no slip, and a slip of the next sailing counts from there", () => {
  const rolled = (day: number): string => `${gateIn}; DEPA~ CNTAO ${day} EGRET (3)`;
  assertDisruptions(
    [plan, rolled(17), rolled(18), rolled(19), rolled(20)],
    `3 slipped 168 ${HERON_TO_EGRET} 7 days later, on 17 March`,
    "5 slipped 48 EGRET BAY 044E from Qingdao (CNTAO) now leaves 2 days later, on 19 March",
    "6 slipped 72 EGRET BAY 044E from Qingdao (CNTAO) now leaves 3 days later, on 20 March",
  );
});

test("a sailing that an answer leaves out keeps its promise, and a box is rolled over from it", () => {
  assertDisruptions(
    [plan, gateIn, `${gateIn}; DEPA~ CNTAO 13 HERON (3)`],
    "4 slipped 72 HERON DAWN 012E from Qingdao (CNTAO) now leaves 3 days later, on 13 March",
  );
  const swapped = `${gateIn}; DEPA~ CNTAO 10.20 EGRET (3)`;
  assertDisruptions(
    [plan, gateIn, swapped, gateIn, `${gateIn}; DEPA~ CNTAO 13 EGRET (5)`],
    "6 slipped 72 EGRET BAY 044E from Qingdao (CNTAO) now leaves 3 days later, on 13 March",
  );
  assertDisruptions(
    [plan, gateIn, gateIn, `${gateIn}; DEPA~ CNTAO 17 EGRET (4)`],
    `5 slipped 168 ${HERON_TO_EGRET} 7 days later, on 17 March`,
  );
});

test("a box that is taken off again is rolled over when its next vessel is known, or when the vessel leaves", () => {
  const leaves = "DEPA~ CNTAO 6 HERON (1)";
  const loaded = `${gateIn}; LOAD CNTAO 3 HERON`;
  const unloaded = `${loaded}; ${leaves}; DISC CNTAO 5 HERON`;
  assertDisruptions(
    [`${gateIn}; ${leaves}`, `${loaded}; ${leaves}`, unloaded, `${unloaded}; DEPA~ CNTAO 6.22 EGRET (5)`],
    `6 slipped 10 ${HERON_TO_EGRET} 10 hours later, on 7 March`,
  );
  const left = `${loaded}; DISC CNTAO 5 HERON; DEPA CNTAO 6 HERON`;
  const next = (day: number, made: number): string => `${left}; DEPA~ CNTAO ${day} EGRET (${made})`;
  const gone = `6 not_departed null ${AT}: HERON DAWN 012E has left without it, and no next sailing is known`;
  assertDisruptions([`${loaded}; ${leaves}`, unloaded, left, next(13, 8)], gone);
  assertDisruptions([loaded, unloaded, left], gone);
  assertDisruptions(
    [`${loaded}; ${leaves}`, unloaded, left, next(13, 7), next(14, 8), next(15, 9)],
    gone,
    "9 slipped 48 EGRET BAY 044E from Qingdao (CNTAO) now leaves 2 days later, on 15 March",
  );
  const again = `${unloaded}; LOAD CNTAO 6 HERON`;
  assertDisruptions([`${loaded}; ${leaves}`, unloaded, again, `${again}; DEPA CNTAO 7 HERON`]);
});

test("a vessel that leaves without a box that was swapped to another one leaves it behind", () => {
  const swapped = `${gateIn}; LOAD~ CNTAO 7 EGRET; DEPA~ CNTAO 7 EGRET (3)`;
  const left = `${swapped}; DEPA CNTAO 6 HERON`;
  assertDisruptions(
    [`${gateIn}; DEPA~ CNTAO 7.10 HERON (1)`, swapped, left, left],
    `6 slipped 24 ${HERON_TO_EGRET} 24 hours later, on 7 March`,
  );
});

test("a vessel that only her departure names leaves a box behind by her voyage", () => {
  const next = `${gateIn}; DEPA~ CNTAO 17 UNNAMED #044E (7)`;
  assertDisruptions(
    [`${gateIn}; DEPA~ CNTAO 6 UNNAMED #012E (1)`, `${next}; DEPA CNTAO 6 HERON`],
    `6 slipped 264 ${AT}, from Voyage 012E to Voyage 044E, which leaves 11 days later, on 17 March`,
  );
  const hub = `${gateIn}; LOAD CNTAO 1 TERN; DEPA CNTAO 2 TERN; DISC SGSIN 4 TERN`;
  const behind = `${hub}; DEPA SGSIN 9 HERON; DEPA~ SGSIN 16 UNNAMED #044E (9)`;
  const [rolled, ...rest] = told(
    pollsOf([`${hub}; DEPA~ SGSIN 9 UNNAMED #012E (1)`, behind, behind, behind]),
  );
  assert.match(rolled!, /^9 slipped 168 .* from Voyage 012E to Voyage 044E/);
  assert.deepEqual(rest, []);
});

test("a vessel that has left and comes back under the same number puts its sailing off, and may leave a box again", () => {
  const off = `${gateIn}; LOAD CNTAO 3 HERON; DISC CNTAO 4 HERON`;
  const putOff = `${off}; DEPA~ CNTAO 19 HERON (5)`;
  const gone = `${putOff}; DEPA CNTAO 5 HERON`;
  const next = `${off}; DEPA CNTAO 5 HERON; DEPA~ CNTAO 26 EGRET (6)`;
  assertDisruptions(
    [`${gateIn}; DEPA~ CNTAO 5 HERON (1)`, putOff, gone, gone, next, `${next}; DEPA CNTAO 19 HERON`],
    "4 slipped 336 HERON DAWN 012E from Qingdao (CNTAO) now leaves 14 days later, on 19 March",
    `7 slipped 168 ${HERON_TO_EGRET} 7 days later, on 26 March`,
  );
});

test("a departure that was believed and proves to be of another vessel than the box's gives way to the true one", () => {
  const sailed = `${gateIn}; DEPA~ CNTAO 3 HERON (1); DEPA CNTAO 3 HERON`;
  const behind = `${sailed}; LOAD~ CNTAO 9 EGRET; DEPA~ CNTAO 10 EGRET (5)`;
  const polls = polled(
    `@2 ${gateIn}; DEPA~ CNTAO 3 HERON (1) | @3 ${sailed} | @5 ${behind} | @10 + LOAD CNTAO 9 EGRET; DEPA CNTAO 10 EGRET`,
  );
  assert.deepEqual(
    polls.map((poll) => [poll.record.status, departures([poll]).length]),
    [
      ["pre_departure", 0],
      ["in_transit", 1],
      ["pre_departure", 0],
      ["in_transit", 1],
    ],
  );
  assert.deepEqual(told(polls), [`5 slipped 168 ${HERON_TO_EGRET} 7 days later, on 10 March`]);
});

test("a box is rolled over at a hub, too, before it comes there and when it waits there", () => {
  const sailed = `${gateIn}; LOAD CNTAO 1 HERON; DEPA CNTAO 2 HERON`;
  const hub = `${sailed}; ARRI SGSIN 4 HERON; DISC SGSIN 4 HERON`;
  const waits = `${hub}; LOAD~ SGSIN 9 TERN (1); DEPA~ SGSIN 9 TERN (1)`;
  const gone = `${hub}; DEPA SGSIN 5 HERON; LOAD~ SGSIN 14 EGRET (5); DEPA~ SGSIN 14 EGRET (5); DEPA SGSIN 9 TERN`;
  for (const polls of [
    pollsOf([`${sailed}; DEPA~ SGSIN 9 TERN (1)`, `${sailed}; DEPA~ SGSIN 14 EGRET (3)`]),
    polled(`@5 ${waits} | @9 ${gone} | @10 +`),
  ]) {
    const [rolled, ...rest] = told(polls);
    assert.match(
      rolled!,
      /rolled over at Singapore \(SGSIN\), from TERN SOLSTICE 007W to EGRET BAY 044E, which leaves 5 days/,
    );
    assert.deepEqual(rest, []);
  }
});

test("nothing is rolled over by what proves false, by a vessel that leaves late with its box, or after it has sailed", () => {
  const sailed = `${gateIn}; LOAD CNTAO 3 HERON; DEPA CNTAO 3 HERON`;
  const early = `${gateIn}; DEPA~ CNTAO 3 HERON (1)`;
  for (const answers of [
    [plan, `${plan}; LOAD CNTAO 3 HERON`, plan, plan],
    [plan, `${plan}; DEPA CNTAO 3 HERON`, plan, `${plan}; LOAD CNTAO 5 HERON; DEPA CNTAO 5 HERON`],
    [early, `${gateIn}; LOAD CNTAO 9 EGRET; DEPA CNTAO 10 EGRET`],
    [early, sailed, `${sailed}; DEPA~ CNTAO 10 EGRET (4)`, `${sailed}; DEPA CNTAO 6 EGRET`],
  ])
    assertDisruptions(answers);
});

test("what holds at the first poll raises nothing, also when a departure is withdrawn later", () => {
  const left = `${gateIn}; LOAD CNTAO 2 HERON; DISC CNTAO 3 HERON; DEPA CNTAO 4 HERON`;
  const waits = `${left}; DEPA~ CNTAO 12 EGRET (4)`;
  assertDisruptions([`${waits}; DEPA CNTAO 11 EGRET`, waits]);
  assert.deepEqual(told(polled(`@5 ${left} | @6 + | @7 + DEPA~ CNTAO 12 EGRET (6)`)), []);
});
