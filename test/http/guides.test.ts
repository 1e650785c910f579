/** The guides in docs/ name all that a client can meet, and no more. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { ERRORS, type ErrorCode } from "../../src/model/errors.ts";
import { air } from "../../src/products/air/catalogue.ts";
import { STATUS_NAMES } from "../../src/products/air/tracking/waybill-view.ts";
import { tracking } from "../../src/products/ocean/catalogue.ts";
import { SHIPMENT_STATUSES } from "../../src/products/ocean/tracking/shipment-filter.ts";
import { failureOf } from "../../src/products/ocean/tracking/shipment-view.ts";
import { CALL_STATES } from "../../src/products/schedules/search/call-view.ts";
import { assertDocumented } from "../support/answers.ts";
import { send } from "../support/service.ts";
import { ofSuite } from "../support/suite.ts";
import { startSchedulesService } from "./schedules-service.ts";
import { column } from "../support/columns.ts";

function guideOf(name: string) {
  const text = readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8");
  const section = (heading: string): string => {
    const [, found] = text.split(`\n## ${heading}\n`);
    assert.ok(found !== undefined, heading);
    return found.split("\n## ")[0]!;
  };
  /** What the first columns of its tables name. */
  const rows = (heading: string): readonly string[] =>
    [...section(heading).matchAll(/^\| ((?:`[^`]+`(?:, )?)+) \|/gm)].flatMap(([, names = ""]) =>
      [...names.matchAll(/`([^`]+)`/g)].map(([, one]) => one!),
    );
  return { text, section, rows };
}

test("the guide to air cargo has every status in the order of a waybill's life, every event, and the status of each error", () => {
  const { section, rows } = guideOf("air-tracking.md");
  assert.deepEqual(rows("Statuses"), STATUS_NAMES);
  assert.deepEqual(rows("Events"), column(air.catalogue, "name"));
  const errors = [...section("Errors").matchAll(/^\| `([^`]+)` \| ([^|]*) \|/gm)];
  for (const [, code = "", status] of errors)
    assert.equal(String(ERRORS[code.toUpperCase() as ErrorCode]), status, code);
  assert.equal(errors.length, 6);
});

test("the guide to ocean tracking has every status, event and version, and what to do about every failure", () => {
  const { section, rows } = guideOf("tracking.md");
  assert.deepEqual(rows("Statuses").toSorted(), [...SHIPMENT_STATUSES].toSorted());
  assert.deepEqual(rows("Events").toSorted(), (column(tracking.catalogue, "name") as string[]).toSorted());
  assert.deepEqual(rows("Versions"), tracking.versions);
  const stored = ["not_found", "wrong_carrier", "not_permitted", "unavailable_timeout"];
  const failures = stored.map((code) => failureOf(code, "HRNU4000017")!);
  assert.deepEqual(rows("When there is no answer"), column(failures, "code"));
  assert.ok(section("When there is no answer").includes(failures[0]!.message));
});

/** What `. ./boathook-try.env` sets. */
const OF_TRY = ["API", "OPS", "TOKEN", "ACCOUNT", "KEY", "SCHEDULES_KEY", "LOADING_KEY", "RECEIVER"];

test("no block of a page uses a variable that no block before it sets", () => {
  const root = new URL("../../", import.meta.url);
  const pages = globSync(["README.md", "docs/**/*.md", "packages/*/README.md"], { cwd: root });
  for (const page of pages) {
    const known = new Set(["HOME", "PATH", "PWD"]);
    const blocks = readFileSync(new URL(page, root), "utf8").matchAll(
      /^```(?:sh|bash|console)\n([^]*?)^```/gm,
    );
    for (const line of [...blocks].flatMap(([, block = ""]) => block.split("\n"))) {
      if (line.startsWith(". ./boathook-try.env")) for (const name of OF_TRY) known.add(name);
      for (const [, name = ""] of line.matchAll(/\$\{?([A-Za-z_]\w*)/g))
        assert.ok(known.has(name), `${page}: ${line}`);
      for (const [, name = ""] of line.matchAll(/\b([A-Za-z_]\w*)=/g)) known.add(name);
    }
  }
});

describe("the guide to sailing schedules", () => {
  const service = ofSuite(() => startSchedulesService());
  const { text, rows } = guideOf("schedules.md");

  test("explains every parameter, names every way in which a call may stand, and shows an answer that is one", async () => {
    const { paths } = (await send(service.api, { method: "GET", url: "/schedules/openapi.json" })).body;
    for (const [heading, path] of [
      ["Sailings", "/public/sailings"],
      ["Port calls", "/public/port-calls"],
      ["Reliability", "/public/reliability"],
    ] as const)
      assert.deepEqual(
        rows(heading).toSorted(),
        (column(paths[path].get.parameters, "name") as string[]).toSorted(),
      );
    for (const state of CALL_STATES) assert.ok(text.includes(`\`${state}\``), state);
    const [, json] = /```json\n(.*?)```/s.exec(text) ?? [];
    await assertDocumented(service, "schedules", "GET /public/sailings", {
      status: 200,
      body: JSON.parse(json!),
    });
  });
});
