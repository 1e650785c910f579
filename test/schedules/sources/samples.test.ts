/** DCSA's own samples, if they are present. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import type { FeedKind } from "../../../src/products/schedules/sources/feed-schema.ts";
import { sharedPath } from "../../support/shared.ts";
import { placesOf, readAs } from "./reading-calls.ts";

const samples = sharedPath("samples/schedules/dcsa");
const skip = samples === null ? "DCSA's samples of schedules are not beside the project" : false;

/** The samples leave their dates to be filled in. */
function sample(name: string): unknown {
  const text = readFileSync(join(samples ?? "", name), "utf8")
    .replaceAll(/"(?:DEPARTURE_)?DATE"/g, '"2026-03-01T10:00:00"')
    .replaceAll('"ARRIVAL_DATE"', '"2026-03-21T10:00:00"');
  return JSON.parse(text);
}

test(
  "each sample that is right is read whole, but for a vessel's number with a wrong check digit",
  { skip },
  () => {
    const cases: readonly (readonly [string, FeedKind, number, ...string[]])[] = [
      ["commercialschedules-api-1.0.0-vs.json", "cs-vessel-schedules", 1],
      ["commercialschedules-api-1.0.0-vsnextpage.json", "cs-vessel-schedules", 5],
      ["commercialschedules-api-1.0.0-ps.json", "cs-port-schedules", 1],
      ["commercialschedules-api-1.0.0-psnextpage.json", "cs-port-schedules", 5],
      ["commercialschedules-api-1.0.0-ptp.json", "cs-point-to-point", 2],
      ["commercialschedules-api-1.0.0-ptpnextpage.json", "cs-point-to-point", 12],
      ["ovs-300-response.json", "ovs-service-schedules", 5, "$[1].vesselSchedules[0].vesselIMONumber"],
    ];
    for (const [name, kind, calls, ...problems] of cases) {
      const read = readAs(kind, sample(name));
      assert.deepEqual(
        [name, read.calls.length, placesOf(read), read.isComplete],
        [name, calls, problems, true],
      );
    }
  },
);

test("wrong values are problems, and right ones beside them are read", { skip }, () => {
  const read = readAs("ovs-service-schedules", sample("ovs-300-response-wrong-attribute-values.json"));
  assert.deepEqual(
    read.calls.map(({ port, status }) => [port, status]),
    [["SGSIN", null]],
  );
  assert.deepEqual(placesOf(read), [
    "$[0].universalServiceReference",
    "$[0].vesselSchedules[0].transportCalls[0].location.UNLocationCode",
    "$[1].universalServiceReference",
    "$[1].vesselSchedules[0].vesselIMONumber",
    "$[1].vesselSchedules[0].transportCalls[0].statusCode",
    "$[2].vesselSchedules[0].transportCalls[0].location.UNLocationCode",
  ]);
});

test("the structure that the standard calls wrong is still read", { skip }, () => {
  const read = readAs("ovs-service-schedules", sample("ovs-300-response-wrong-structure.json"));
  assert.deepEqual(
    read.calls.map(({ port, status }) => [port, status]),
    [
      ["NLAMS", "OMIT"],
      ["SGSIN", null],
      ["USNYC", null],
    ],
  );
});
