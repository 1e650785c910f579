/** A discharge at a place that is written in a form nobody can compare, while the plan stays in the answer. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { CarrierEvent, Place } from "../../../src/products/ocean/sources/carrier-event.ts";
import { event, march } from "../event.ts";
import { pollThrough } from "../life.ts";

const heron = { vessel: { name: "HERON DAWN", imo: "9074729" } };
const egret = { vessel: { name: "EGRET BAY", imo: "9231808" } };
const NOWHERE = { unlocode: null, name: null, facility: null, facilityType: null };
const FORMS: readonly Place[] = [
  { ...NOWHERE, facility: "EUROGATE" },
  { ...NOWHERE, name: "Waltershof" },
];

const sailed = [event("LOAD", "CNTAO", march(2), heron), event("DEPA", "CNTAO", march(3), heron)];
const out = (where: Place) => ({ ...event("DISC", "X", march(21), heron), place: where });

function planned(
  code: string,
  unlocode: string,
  atMs: number,
  more: Partial<CarrierEvent> = heron,
): CarrierEvent {
  return event(code, unlocode, atMs, { ...more, classifier: "planned", createdAtMs: march(1) });
}

const unnamed = (events: readonly CarrierEvent[]) =>
  events.map((one) => ({ ...one, vessel: null, voyage: null }));

/** What is shown by the first answer, and by one that follows that of the plan. */
function shown(plan: readonly CarrierEvent[], answer: readonly CarrierEvent[]): readonly string[] {
  const first = pollThrough([[march(22), answer]]);
  const second = pollThrough([
    [march(10), [...sailed, ...plan]],
    [march(22), answer],
  ]);
  return [first, second].map((polls) => polls.at(-1)!.record.status);
}

test("a box that left its vessel where only a terminal is named is at its last port, though the plan stays", () => {
  const arrival = planned("ARRI", "DEHAM", march(24));
  const plans = [
    [arrival],
    [planned("ARRI", "DEHAM", march(20)), planned("DISC", "DEHAM", march(25))],
    [planned("DEPA", "CNTAO", march(4)), arrival, planned("DISC", "DEHAM", march(25))],
    [
      arrival,
      planned("DISC", "DEHAM", march(25)),
      planned("DEPA", "DEHAM", march(26)),
      planned("ARRI", "SEGOT", march(28)),
    ],
  ];
  for (const where of FORMS)
    for (const plan of plans) {
      const answer = [...sailed, ...plan, out(where)];
      assert.deepEqual(shown(plan, answer), ["discharged", "discharged"], JSON.stringify([where, plan]));
      const silent = unnamed(answer);
      if (plan !== plans[3])
        assert.deepEqual(
          shown(unnamed(plan), silent),
          ["discharged", "discharged"],
          JSON.stringify([where, silent]),
        );
    }
});

test("a box that left its vessel at a terminal is at a transshipment if another vessel is to bring it to the last port", () => {
  const onward = planned("ARRI", "DEHAM", march(28), egret);
  const hub = [planned("ARRI", "SGSIN", march(20)), planned("DISC", "SGSIN", march(20, 18))];
  const plans = [
    [onward],
    [...hub, onward],
    [...hub, planned("LOAD", "SGSIN", march(24), egret), planned("DEPA", "SGSIN", march(24), egret), onward],
  ];
  for (const where of FORMS)
    for (const plan of plans)
      assert.deepEqual(
        shown(plan, [...sailed, ...plan, out(where)]),
        ["at_transshipment", "at_transshipment"],
        JSON.stringify([where, plan]),
      );
  const [arrival, discharge] = hub;
  const twice = unnamed([
    arrival!,
    discharge!,
    planned("DEPA", "SGSIN", march(24)),
    planned("ARRI", "DEHAM", march(28)),
  ]);
  for (const where of FORMS)
    assert.deepEqual(
      shown(twice, [...unnamed(sailed), ...twice, ...unnamed([out(where)])]),
      ["at_transshipment", "at_transshipment"],
      JSON.stringify(where),
    );
});

test("spec 6.3: container_misrouted: a terminal in another form is no other port, and a code is", () => {
  const plan = [planned("ARRI", "DEHAM", march(24))];
  for (const [where, misrouted] of [
    ...FORMS.map((form) => [form, false] as const),
    [{ ...NOWHERE, unlocode: "BEANR" }, true],
  ] as const) {
    const polls = pollThrough([
      [march(10), [...sailed, ...plan]],
      [march(22), [...sailed, ...plan, out(where)]],
    ]);
    const raised = polls.at(-1)!.raised.map(({ type }) => type);
    assert.equal(raised.includes("container_misrouted"), misrouted, JSON.stringify(where));
  }
});
