import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { products } from "../../src/products/index.ts";
import { readConfiguration } from "../../src/runtime/configuration.ts";
import { warnOfOpenFiles } from "../../src/service/open-files.ts";
import { recordingLog } from "../support/log.ts";

test("files with secrets that others can read or change are named with their modes", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "boathook-modes-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const modes = {
    "master.key": 0o644,
    "operator.token": 0o640,
    "carriers.json": 0o604,
    "airlines.json": 0o620,
  };
  for (const [name, mode] of Object.entries(modes)) {
    writeFileSync(join(folder, name), "");
    chmodSync(join(folder, name), mode);
  }
  const configuration = readConfiguration(
    {
      BOATHOOK_DATA_DIR: folder,
      BOATHOOK_CARRIERS_FILE: join(folder, "carriers.json"),
      BOATHOOK_AIRLINES_FILE: join(folder, "airlines.json"),
    },
    products,
  );
  assert.ok(configuration.kind === "settings");
  const log = recordingLog();
  warnOfOpenFiles(configuration.settings, products, log);
  const named = new Map(log.lines.map(({ fields }) => Object.values(fields) as [string, string]));
  assert.deepEqual(
    named,
    new Map([
      [join(folder, "master.key"), "644"],
      [join(folder, "carriers.json"), "604"],
      [join(folder, "airlines.json"), "620"],
    ]),
  );
  assert.ok(log.lines.every(({ level }) => level === "warn"));
});
