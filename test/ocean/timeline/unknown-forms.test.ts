/** A discharge at a place that is written in a form nobody can compare, while the plan stays in the answer. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { inLines } from "../in-lines.ts";
import { pollThrough } from "../life.ts";

const { answers, last, polled } = inLines({ madeOn: 1 });

const sailed = "LOAD CNTAO 2 HERON; DEPA CNTAO 3 HERON";
const out = "DISC :EUROGATE 21 HERON";
const unnamed = (line: string): string => line.replaceAll(/ (HERON|EGRET)/g, "");

/** Both of an answer alone, and after that of the plan; of a terminal and of a port by another name. */
function assertShown(status: string, plan: string, answer = `${sailed}; ${plan}; ${out}`): void {
  const after = `@10 ${sailed}; ${plan} | @22 ${answer}`;
  for (const line of [`@22 ${answer}`, after]) {
    assert.equal(last(line).record.status, status, line);
    const named = answers(line).map(([atMs, stated]) => {
      const place = { unlocode: null, name: "Waltershof", facility: null, facilityType: null };
      return [atMs, stated.map((one) => (one.place?.unlocode === null ? { ...one, place } : one))] as const;
    });
    assert.equal(pollThrough(named).at(-1)?.record.status, status, `${line}, named`);
  }
}

test("a box that left its vessel where only a terminal is named is at its last port, though the plan stays", () => {
  const [arrival, discharge] = ["ARRI~ DEHAM 24 HERON", "DISC~ DEHAM 25 HERON"];
  for (const plan of [
    arrival,
    `ARRI~ DEHAM 20 HERON; ${discharge}`,
    `DEPA~ CNTAO 4 HERON; ${arrival}; ${discharge}`,
  ]) {
    assertShown("discharged", plan);
    assertShown("discharged", unnamed(plan), unnamed(`${sailed}; ${plan}; ${out}`));
  }
  assertShown("discharged", `${arrival}; ${discharge}; DEPA~ DEHAM 26 HERON; ARRI~ SEGOT 28 HERON`);
});

test("a box that left its vessel at a terminal is at a transshipment if another vessel is to bring it to the last port", () => {
  const onward = "ARRI~ DEHAM 28 EGRET";
  const hub = "ARRI~ SGSIN 20 HERON; DISC~ SGSIN 20.18 HERON";
  for (const plan of [
    onward,
    `${hub}; ${onward}`,
    `${hub}; LOAD~ SGSIN 24 EGRET; DEPA~ SGSIN 24 EGRET; ${onward}`,
  ])
    assertShown("at_transshipment", plan);
  const twice = unnamed(`${hub}; DEPA~ SGSIN 24; ARRI~ DEHAM 28`);
  assertShown("at_transshipment", twice, unnamed(`${sailed}; ${twice}; ${out}`));
});

test("spec 6.3: container_misrouted: a terminal in another form is no other port, and a code is", () => {
  const plan = `${sailed}; ARRI~ DEHAM 24 HERON`;
  for (const [where, misrouted] of [
    [out, false],
    ["DISC BEANR 21 HERON", true],
  ] as const) {
    const raised = polled(`@10 ${plan} | @22 + ${where}`)
      .at(-1)!
      .raised.map(({ type }) => type);
    assert.equal(raised.includes("container_misrouted"), misrouted, where);
  }
});
