/** docs/sailing-search.md names all that a client may ask, and shows what is answered. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";

import Schema from "typebox/schema";

import { CALL_STATES } from "../../src/products/schedules/search/call-view.ts";
import { send } from "../support/service.ts";
import { startSchedulesService, type SchedulesService } from "./schedules-service.ts";

const guide = readFileSync(new URL("../../docs/sailing-search.md", import.meta.url), "utf8");

describe("the guide to sailing schedules", () => {
  let service: SchedulesService;
  before(async () => {
    service = await startSchedulesService();
  });
  after(() => service.close());

  const document = async () =>
    (await send(service.api, { method: "GET", url: "/schedules/openapi.json" })).body;

  /** What the first columns of the table under a heading name. */
  const rows = (heading: string): readonly string[] => {
    const [, text] = guide.split(`\n## ${heading}\n`);
    assert.ok(text !== undefined, heading);
    const cells = text.split("\n## ")[0]!.matchAll(/^\| ((?:`[^`]+`(?:, )?)+) \|/gm);
    return [...cells].flatMap(([, names = ""]) => [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
  };

  for (const [heading, path] of [
    ["Sailings", "/public/sailings"],
    ["Port calls", "/public/port-calls"],
    ["Reliability", "/public/reliability"],
  ] as const) {
    test(`explains every parameter of ${path}, and no other`, async () => {
      const { parameters } = (await document()).paths[path].get;
      const names = parameters.map(({ name }: { name: string }) => name).toSorted();
      assert.deepEqual(rows(heading).toSorted(), names);
    });
  }

  test("names every way in which a call may stand", () => {
    for (const state of CALL_STATES) assert.ok(guide.includes(`\`${state}\``), state);
  });

  test("shows an answer that is one", async () => {
    const [, json] = /```json\n(.*?)```/s.exec(guide) ?? [];
    const whole = await document();
    const { schema } = whole.paths["/public/sailings"].get.responses["200"].content["application/json"];
    const [isRight, errors] = Schema.Errors({ ...whole, ...schema }, JSON.parse(json!));
    assert.ok(isRight, JSON.stringify(errors));
  });
});
