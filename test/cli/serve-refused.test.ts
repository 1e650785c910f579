/** `serve` where it cannot start; that a process ends so too is seen in `test/service/serve.faults.ts`. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";

import { databasePid, makeDataFolder } from "../service/boathook.ts";
import { run } from "./run.ts";

const KEY = Buffer.alloc(32, 1).toString("base64");
const folder = makeDataFolder({ withDatabase: true });

test("a start that fails is reported in one sentence, with the fitting status", async (t) => {
  const wrong = join(folder, "wrong");
  writeFileSync(wrong, "no certificate");
  const busy = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => busy.once("listening", resolve));
  t.after(() => busy.close());
  const { port } = busy.address() as AddressInfo;
  const cases: readonly (readonly [settings: Record<string, string>, message: RegExp, status: number])[] = [
    [{ BOATHOOK_LISTEN: "nowhere" }, /BOATHOOK_LISTEN must be host:port/, 2],
    [{ BOATHOOK_LISTEN: `127.0.0.1:${port}` }, /cannot listen on 127\.0\.0\.1:\d+: another program does/, 1],
    [
      { BOATHOOK_LISTEN: `127.0.0.1:${port}`, BOATHOOK_OPS_LISTEN: `127.0.0.1:${port}` },
      /set BOATHOOK_OPS_LISTEN to [^]*\n.*cannot listen on 127\.0\.0\.1:\d+: another .* set BOATHOOK_LISTEN to/,
      1,
    ],
    [
      { BOATHOOK_EXTRA_CA_FILE: wrong, BOATHOOK_CARRIERS_FILE: join(folder, "none") },
      /BOATHOOK_EXTRA_CA_FILE .* is wrong: it holds no certificate[^]*BOATHOOK_CARRIERS_FILE cannot be read/,
      2,
    ],
    [{ BOATHOOK_OPERATOR_TOKEN: "a token with spaces" }, /BOATHOOK_OPERATOR_TOKEN .* without spaces/, 2],
    [
      { BOATHOOK_DATABASE_URL: "postgres://u@127.0.0.1:1/x", BOATHOOK_MASTER_KEY: KEY },
      /database at 127\.0\.0\.1:1\/x cannot be used/,
      1,
    ],
  ];
  for (const [settings, message, status] of cases) {
    const base = {
      BOATHOOK_DATA_DIR: folder,
      BOATHOOK_WORKERS: "1",
      BOATHOOK_LISTEN: "127.0.0.1:0",
      BOATHOOK_OPS_LISTEN: "127.0.0.1:0",
      BOATHOOK_LOG_LEVEL: "error",
    };
    const served = await run(["serve"], { environment: { ...base, ...settings } });
    assert.equal(served.status, status, served.err);
    assert.match(served.err, message);
    assert.doesNotMatch(served.err, /\n\s+at /);
    assert.equal(served.out, "");
  }
  assert.equal(databasePid(folder), null, "nothing is left running");
});
