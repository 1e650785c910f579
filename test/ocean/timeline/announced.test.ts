/** The end that a carrier announces, as plans of the box and of its vessel alone lie side by side. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { event, march, plan } from "../event.ts";
import { pollThrough } from "../life.ts";

test("spec 3.3: repoll: a repeated answer announces one end, though two would each give the other", () => {
  const dusk = { vessel: { name: "HERON DUSK", imo: "9000002" } };
  const answer = [
    event("DISC", "CNTAO", march(1), dusk),
    plan("ARRI", "CNTAO", march(9), {}),
    plan("DEPA", "NLRTM", march(9), dusk),
    plan("ARRI", "NLRTM", march(9, 13), {}),
  ];
  const polls = pollThrough([1, 2, 3, 4].map((hour) => [march(8, hour), answer]));
  assert.deepEqual(
    polls.flatMap(({ raised }) => raised.map(({ data }) => data)),
    [],
  );
  assert.equal(new Set(polls.map(({ record }) => JSON.stringify(record.boxes[0]?.announced))).size, 1);
});
