/** The calls that a vessel is to make once it has discharged the box. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { march } from "../event.ts";
import { inLines } from "../in-lines.ts";

const { assertStatus, box, last, polled, status } = inLines({ madeOn: 1, today: 23 });

const sailed = "LOAD CNTAO 2 HERON; DEPA CNTAO 3 HERON";
const berthed = `${sailed}; ARRI NLRTM 20 HERON`;
const landed = `${berthed}; DISC NLRTM 21 HERON`;
const [arrives, leaves] = ["ARRI~ DEHAM 24 HERON", "DEPA~ DEHAM 26 HERON"];
const CALLS = [`${arrives}; ${leaves}`, leaves, arrives];
const toRotterdam = `${sailed}; ARRI~ NLRTM 20 HERON; DISC~ NLRTM 21 HERON`;
const known = `@10 ${toRotterdam} | `;

/** Where the box is to arrive. */
const etaAt = (line: string) => last(line).record.eta?.place?.unlocode;

test("the next call of the vessel that discharged the box is none of the box's", () => {
  for (const before of ["", known])
    for (const call of CALLS) {
      const line = `${before}@23 ${landed}; ${call}`;
      const { discharge, destination, announced, misrouting, eta } = box(line);
      assert.deepEqual([status(line), eta?.actual, eta?.at.ms], ["discharged", true, march(20)]);
      assert.deepEqual(
        [discharge, destination, announced?.port].map((place) => place?.unlocode),
        ["NLRTM", "NLRTM", before === "" ? undefined : "NLRTM"],
      );
      assert.equal(misrouting, null);
      assertStatus([`${line} | @26 + GTOT NLRTM 25`, "delivered"]);
    }
});

test("the next call of a vessel that is to discharge the box before it is none of the box's", () => {
  for (const call of CALLS) {
    const asPlanned = `${toRotterdam}; ${call}`;
    const there = `${asPlanned}; ARRI NLRTM 20 HERON; DISC NLRTM 21 HERON`;
    assert.equal(etaAt(`@10 ${asPlanned}`), "NLRTM");
    assert.equal(box(`@10 ${asPlanned}`).destination?.unlocode, "NLRTM");
    assert.equal(box(there).misrouting, null);
    assertStatus([`@10 ${asPlanned} | ${there}`, "discharged"]);
    assert.equal(etaAt(`@10 ${asPlanned}; DISC~ DEHAM 25 HERON`), "DEHAM", "it stays aboard");
  }
});

test("a call of that vessel is the box's if it is discharged there, to be loaded again, or goes on by the carrier's word", () => {
  for (const answer of [
    `${landed}; ${CALLS[0]}; DISC~ DEHAM 25 HERON`,
    `${landed}; LOAD~ NLRTM 23 HERON; ${CALLS[0]}`,
    `${landed}; DEPA~ NLRTM 29 HERON; ${arrives}`,
    `${berthed}; DISC NLRTM 21 HERON transshipment; ${CALLS[0]}`,
  ])
    assert.equal(etaAt(answer), "DEHAM", answer);
});

test("a call of that vessel at the port that was announced is the box's, which was discharged too soon", () => {
  const { misrouting } = box(`@10 ${sailed}; ${arrives} | ${landed}; ${arrives}`);
  assert.equal(misrouting?.expected.unlocode, "DEHAM");
});

test("a call of that vessel weeks later, on another voyage, is the box's: the vessel comes back for it", () => {
  const voyage = landed.replaceAll("HERON", "HERON #031W");
  assertStatus(
    [`${known}${voyage}; ARRI~ DEHAM 38 HERON #033W`, "at_transshipment"],
    [`${known}${voyage}; ARRI~ DEHAM 38 HERON #031W`, "discharged", "the next call of the same voyage"],
  );
});

test("the next call is none of the box's if it landed where no code, but a terminal, is stated", () =>
  assertStatus([`${known}${landed.replaceAll("NLRTM", ":DDE")}; ${arrives}`, "discharged"]));

test("spec 3.3: repoll: a repeated answer announces one end, though two would each give the other", () => {
  const answer = "DISC CNTAO 1 DUSK; ARRI~ CNTAO 9; DEPA~ NLRTM 9 DUSK; ARRI~ NLRTM 9.13";
  const polls = polled(`@8.1 ${answer} | @8.2 + | @8.3 + | @8.4 +`);
  assert.deepEqual(
    polls.flatMap(({ raised }) => raised),
    [],
  );
  assert.equal(new Set(polls.map(({ record }) => JSON.stringify(record.boxes[0]?.announced))).size, 1);
});
