import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { run } from "./run.ts";

const SECRET = `whsec_${"a".repeat(64)}`;
const ID = "01890000-0000-7000-8000-000000000001";
const BODY = `{"id":"${ID}","type":"ping","occurred_at":"2026-11-02T12:00:00.000Z","data":{"message":"hello"}}`;

function headers(body: string): string {
  const signature = createHmac("sha256", SECRET).update(body).digest("hex");
  return `X-Air-Signature: sha256=${signature}\nX-Air-Event: ping\nX-Air-Delivery: ${ID}\n`;
}

/** Files in a folder of the test's own. */
function files(t: TestContext, contents: Readonly<Record<string, string>>): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), "boathook-verify-"));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(contents)) writeFileSync(join(folder, name), text);
  return (name) => join(folder, name);
}

test("a good delivery has status 0, by files", async (t) => {
  const at = files(t, { body: BODY, headers: headers(BODY), secret: `${SECRET}\n` });
  const words = ["verify", "--body", at("body"), "--headers", at("headers"), "--secret-file", at("secret")];
  const { status, out } = await run(words);
  assert.equal(status, 0);
  assert.match(out, new RegExp(`good: ping of air, delivery ${ID}`));
});

test("the body may come from stdin and the headers one by one, as curl shows them, or as JSON", async (t) => {
  const lines = headers(BODY).trim().split("\n");
  const one = await run(
    ["verify", "--body", "-", "--secret", SECRET, ...lines.flatMap((line) => ["--header", `> ${line}`])],
    { input: BODY },
  );
  assert.equal(one.status, 0);
  const json = Object.fromEntries(lines.map((line) => line.split(": ") as [string, string]));
  const at = files(t, { headers: JSON.stringify(json) });
  const words = ["verify", "--body", "-", "--secret", SECRET, "--headers", at("headers"), "--json"];
  assert.equal(JSON.parse((await run(words, { input: BODY })).out).delivery.id, ID);
});

test("a delivery that does not verify has status 1 and says what is likely to be wrong", async (t) => {
  const at = files(t, { body: `${BODY}\n`, headers: headers(BODY) });
  const words = ["verify", "--body", at("body"), "--headers", at("headers"), "--secret", SECRET];
  const { status, out } = await run(words);
  assert.equal(status, 1);
  assert.match(out, /does not verify/);
  assert.match(out, /newline/);
  const json = JSON.parse((await run([...words, "--json"])).out);
  assert.equal(json.ok, false);
  assert.equal(json.reason, "wrong_signature");
  assert.ok(json.hints.length > 0);
});

test("verify reports missing arguments with status 2", async () => {
  assert.match(
    (await run(["verify", "--secret", SECRET])).err,
    /^Required option '--body <file>' not specified/,
  );
  assert.match((await run(["verify", "--body", "-"])).err, /^The secret is missing/);
  const { status, err } = await run(["verify", "--body", "/nowhere/at/all", "--secret", SECRET]);
  assert.equal(status, 2);
  assert.match(err, /\/nowhere\/at\/all cannot be read/);
});
