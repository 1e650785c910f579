/** The answers in docs/schedules.md are read as it says. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { FEED_KINDS } from "../../../src/products/schedules/sources/feed-schema.ts";
import { readAs } from "./reading-calls.ts";

const GUIDE = readFileSync(new URL("../../../docs/schedules.md", import.meta.url), "utf8");

for (const kind of FEED_KINDS) {
  test(`the guide's answer of ${kind} is read without a problem`, () => {
    const section = GUIDE.split(`### \`${kind}\`\n`)[1] ?? "";
    const [, example = ""] = /^```json\n(.*?)^```$/ms.exec(section) ?? [];
    const { calls, problems } = readAs(kind, JSON.parse(example));
    assert.deepEqual(problems, []);
    assert.deepEqual(
      calls.map(({ port }) => port),
      kind === "cs-point-to-point" ? ["JPYOK", "USOAK"] : ["JPYOK"],
    );
    const [{ vessel, service, voyage, departure }] = calls as [(typeof calls)[0] & {}];
    assert.deepEqual([vessel.imo, vessel.name], ["9321483", "HERON DAWN"]);
    assert.deepEqual([service.code, voyage.export], ["HE1", "014E"]);
    assert.equal(departure.estimated?.ms, Date.parse("2026-12-03T12:00:00Z"));
  });
}
