/** That what holds for every shipment of the harbour is noticed where it does not. */
import assert from "node:assert/strict";
import { test } from "node:test";

import type { Fact } from "../../packages/simulator/src/harbour/fact.ts";
import { createHarbour, type Life } from "../../packages/simulator/src/harbour/harbour.ts";
import { START_MS } from "./harbour-comparison.ts";
import { brokenBy } from "./harbour-invariants.ts";

const BOXES = 400;
const harbour = createHarbour({ seed: 1, boxes: BOXES, startMs: START_MS });
const lives = Array.from({ length: BOXES }, (_, index) => harbour.lifeAt(index)).filter(
  ({ single, outages, older }) => single && outages.length === 0 && older.length === 0,
);

function raisedAt(
  { boxes }: Life,
  { fromMs }: Fact,
  type: string,
  about: string,
): Parameters<typeof brokenBy>[0] {
  return [{ atMs: fromMs, equipment: boxes[0]?.equipment ?? "", type, about }];
}

function actual({ facts }: Life, step: Fact["step"]): readonly Fact[] {
  return facts.filter((fact) => fact.step === step && fact.trip === 0 && fact.classifier === "actual");
}

/** Where it is loaded again. */
function goesOnFrom(life: Life): readonly Fact[] {
  return actual(life, "discharge").filter((fact) =>
    actual(life, "load").some(({ place, order }) => place === fact.place && order > fact.order),
  );
}

test("no event of money is raised where a box only changes ships (spec 6.3: container_available)", () => {
  let changes = 0;
  for (const life of lives) {
    for (const landed of goesOnFrom(life)) {
      if (actual(life, "release").some(({ leg }) => leg === landed.leg)) continue;
      changes += 1;
      for (const type of ["container_available", "demurrage_warning", "demurrage_started"])
        assert.equal(brokenBy(raisedAt(life, landed, type, "x>y"), life).length, 1);
    }
  }
  assert.ok(changes > 20);
});

test("a box may be available where it was to stay, and be sent on later", () => {
  let sentOn = 0;
  for (const life of lives) {
    const legs = goesOnFrom(life).map(({ leg }) => leg);
    for (const release of actual(life, "release").filter(({ leg }) => legs.includes(leg))) {
      sentOn += 1;
      assert.deepEqual(brokenBy(raisedAt(life, release, "container_available", "x>y"), life), []);
    }
  }
  assert.ok(sentOn > 2);
});

test("an event of a change of status changes it, the demurrage pair apart (spec 3.3)", () => {
  const [life] = lives;
  const [fact] = life?.facts ?? [];
  assert.ok(life !== undefined && fact !== undefined);
  const same = "available>available";
  assert.equal(brokenBy(raisedAt(life, fact, "container_available", same), life).length, 1);
  assert.deepEqual(brokenBy(raisedAt(life, fact, "demurrage_started", same), life), []);
});
