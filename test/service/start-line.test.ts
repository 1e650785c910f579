/** What a start says of itself. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { readConfiguration } from "../../src/runtime/configuration.ts";
import { logStart } from "../../src/service/start-line.ts";
import { recordingLog } from "../support/log.ts";

function startLine(environment: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  const read = readConfiguration(environment, []);
  assert.ok(read.kind === "settings", read.kind === "invalid" ? read.message : "");
  const log = recordingLog();
  logStart(read.settings, 1, log);
  return log.lines[0]!.fields as Readonly<Record<string, unknown>>;
}

test("a start names its build, host and roles, and the database without its credentials", () => {
  const line = startLine({
    BOATHOOK_DATABASE_URL: "postgres://me:p%40ss@db.example/boathook?sslmode=require",
  });
  assert.match(String(line["version"]), /^\d+\.\d+\.\d+$/);
  assert.ok("commit" in line && typeof line["host"] === "string");
  assert.deepEqual([line["roles"], line["database"]], [["api", "deliver", "poll"], "db.example/boathook"]);
});

test("a start says that deliveries may reach private addresses, and nothing of it where they may not", () => {
  assert.equal("privateTargets" in startLine({}), false);
  assert.equal(startLine({ BOATHOOK_ALLOW_PRIVATE_TARGETS: "true" })["privateTargets"], true);
  const some = startLine({ BOATHOOK_ALLOW_PRIVATE_TARGETS: "127.0.0.0/8" });
  assert.deepEqual(some["privateTargets"], ["127.0.0.0/8"]);
});
