/** Boxes that are discharged off their route (spec 6.3: container_misrouted). */
import assert from "node:assert/strict";
import { test } from "node:test";

import { march } from "../event.ts";
import { inLines } from "../in-lines.ts";

const { box, polled } = inLines({ madeOn: 3, today: 20 });

const sailed = "LOAD CNTAO 2 HERON; DEPA CNTAO 3 HERON";
const atAntwerp = "DISC BEANR 19 HERON";
const wrong = `${sailed}; ${atAntwerp}`;
const toRotterdam = "ARRI? NLRTM 21 HERON";

type Row = readonly [line: string, misrouted: string | null, why?: string];

/** Where the box is discharged, and where it was to be: `BEANR for NLRTM`. */
function assertMisrouted(...rows: readonly Row[]): void {
  for (const [line, shows, why] of rows) {
    const { misrouting } = box(line);
    const shown = misrouting && `${misrouting.discharge.unlocode} for ${misrouting.expected.unlocode}`;
    assert.equal(shown, shows, why ?? line);
  }
}

/** With a plan in the first answer, which leaves the second. */
const announced = (plan: string, answer: string): string => `@10 ${sailed}; ${plan} | @20 ${answer}`;

test("spec 6.3: container_misrouted: a discharge off the route, before the vessel's port and after it", () => {
  const byHamburg = "ARRI? DEHAM 22 HERON; DEPA? DEHAM 24 TERN; ARRI? PLGDN 26 TERN";
  assertMisrouted(
    [`${wrong}; ${toRotterdam}`, "BEANR for NLRTM"],
    [`${wrong}; ARRI? NLRTM 18 HERON`, "BEANR for NLRTM"],
    [`${sailed}; ARRI? NLRTM 21; DISC BEANR 19`, "BEANR for NLRTM"],
    [`${wrong}; ${byHamburg}`, "BEANR for PLGDN", "before the port of transshipment"],
    [
      `LOAD CNTAO 2 HERON; DEPA? CNTAO 3 HERON; ${toRotterdam}; ${atAntwerp}`,
      "BEANR for NLRTM",
      "its departure not reported yet",
    ],
  );
});

test("a box on its route, or that nobody expects anywhere, is not misrouted", () => {
  const leftOver = "DISC? NLRTM 12 HERON; LOAD? NLRTM 24 TERN; ARRI? PLGDN 26 TERN";
  const takenOff = `LOAD? CNTAO 2 HERON; DEPA? CNTAO 3 HERON; ${toRotterdam}; LOAD CNTAO 4 HERON; DISC CNTAO 4.16 HERON`;
  assertMisrouted(
    [`${wrong}; ARRI? BEANR 18 HERON`, null, "at its destination"],
    [`${wrong}; LOAD? BEANR 22 TERN; ARRI? NLRTM 23 TERN`, null, "where it is to change vessels"],
    [`${wrong}; ARRI? NLRTM 26 TERN`, null, "another vessel is to arrive"],
    [`${wrong} transshipment; ${toRotterdam}`, null, "the carrier calls it a transshipment"],
    [`${wrong}; ${leftOver}`, null, "a re-route that leaves the old transshipment behind"],
    [wrong, null, "expected nowhere"],
    [`${wrong} empty; ${toRotterdam}`, null, "empty"],
    [takenOff, null, "taken off again where it was loaded"],
  );
});

test("spec 6.3: container_misrouted: the announced destination counts when the plan leaves with the discharge", () => {
  const onward = (vessel: string) =>
    `ARRI? DEHAM 21 HERON; LOAD? DEHAM 23 ${vessel}; ARRI? PLGDN 26 ${vessel}`;
  assertMisrouted(
    [announced(toRotterdam, wrong), "BEANR for NLRTM"],
    [announced("ARRI? NLRTM 21", wrong), "BEANR for NLRTM"],
    [announced(toRotterdam, `${wrong} import`), null],
    [announced(toRotterdam, `${wrong} transshipment`), null],
    [announced(onward("TERN"), wrong), null, "another vessel for the last leg: an unannounced transshipment"],
    [announced(onward("vessel"), wrong), null, "also one that is not named"],
    [announced("ARRI? NLRTM 21 TERN", wrong), null],
    [announced(`ARRI? BEANR 18 HERON; ${toRotterdam}`, wrong), null, "a port of the announced route"],
    [announced(`${toRotterdam}; DISC? BEANR 24 rail`, wrong), null, "an inland destination"],
    [announced(toRotterdam, `${wrong}; GTOT BEANR 20`), null, "handed over there"],
    [announced(toRotterdam, `${wrong}; SRM:RELS 20`), null, "released there"],
    [
      announced("ARRI? LKCMB 10 HERON", `${wrong}; ARRI LKCMB 10 HERON`),
      "BEANR for LKCMB",
      "carried past it",
    ],
  );
});

test("a box that landed where it was announced to, and is sent on later, was not misrouted", () => {
  for (const by of ["vessel", "HERON", "TERN"])
    assertMisrouted([announced("ARRI? BEANR 18 HERON", `${wrong}; ARRI? NLRTM 26 ${by}`), null]);
  const polls = polled(`@20 ${wrong}; SRM:RELS 19.20 | @21 ${wrong}; ARRI? NLRTM 26 (21)`);
  assert.deepEqual(
    polls.map(({ record }) => record.boxes[0]?.misrouting),
    [null, null],
    "where its voyage had ended",
  );
});

test("a box that is brought back has the ETA of the vessel that brings it, not of the one that passed (spec 6.3)", () => {
  const carriedPast = `${sailed}; ARRI NLRTM 5 HERON; DISC DEHAM 7 HERON`;
  const back = `${carriedPast}; LOAD DEHAM 12 TERN; DEPA DEHAM 12 TERN`;
  for (const [line, day, why] of [
    [`${carriedPast}; ARRI? NLRTM 14 TERN`, 14, "planned beside the first call"],
    [`${carriedPast}; ARRI? NLRTM 6 HERON`, null, "the first call's plan, left in the answer"],
    [`${back}; ARRI? NLRTM 14 TERN`, 14, "sailed"],
    [`${back}; DISC NLRTM 15 TERN`, 15, "discharged before her arrival is reported"],
    [`${back}; ARRI NLRTM 14 TERN; DISC NLRTM 15 TERN`, 14, "arrived"],
  ] as const)
    assert.equal(box(line).eta?.at.ms ?? null, day === null ? null : march(day), why);
});
