import assert from "node:assert/strict";
import { test } from "node:test";

import { jsonLog, type LogLevel } from "../../src/runtime/log.ts";

function recorded(level: LogLevel) {
  const lines: string[] = [];
  const log = jsonLog(level, { write: (line) => void lines.push(line) });
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? "null") as Record<string, unknown> };
}

test("a line is one JSON object with level, time, fields and sentence", () => {
  const { log, lines, last } = recorded("info");
  log.info({ endpointId: "e1" }, "endpoint went inactive");
  assert.equal(lines.length, 1);
  const { time, ...rest } = last();
  assert.deepEqual(rest, { level: "info", endpointId: "e1", msg: "endpoint went inactive" });
  assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test("lines below the level are not written", () => {
  const { log, lines } = recorded("warn");
  log.debug({}, "a");
  log.info({}, "b");
  log.warn({}, "c");
  assert.equal(lines.length, 1);
});

test("a secret is not written, neither at the top nor one level below", () => {
  const { log, lines } = recorded("info");
  log.info(
    {
      secret: "whsec_1",
      headers: { authorization: "Bearer whsec_2", "x-api-key": "whsec_3" },
      key: "whsec_4",
    },
    "registered",
  );
  assert.doesNotMatch(lines.join(""), /whsec_/);
  assert.match(lines.join(""), /\[secret\]/);
});

test("an error is written with its cause", () => {
  const { log, last } = recorded("info");
  log.error({ error: new Error("no answer", { cause: new Error("socket closed") }) }, "failed");
  const { error } = last();
  assert.match(JSON.stringify(error), /no answer/);
  assert.match(JSON.stringify(error), /socket closed/);
});
