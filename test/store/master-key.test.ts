import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import type { Random } from "../../src/runtime/random.ts";
import { masterKey } from "../../src/store/master-key.ts";
import { StartupError } from "../../src/runtime/startup-error.ts";

const random: Pick<Random, "bytes"> = { bytes: (count) => randomBytes(count) };

function folder(t: TestContext): string {
  const made = mkdtempSync(join(tmpdir(), "boathook-key-"));
  t.after(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

function isRefusal(...words: RegExp[]): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof StartupError, String(error));
    for (const word of words) assert.match(error.message, word);
    return true;
  };
}

test("a key is made once, for its owner alone, and read from then on", (t) => {
  const dataFolder = join(folder(t), "data");
  const key = masterKey({ setting: null, dataFolder }, random);
  assert.equal(key.length, 32);
  const file = join(dataFolder, "master.key");
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(Buffer.from(readFileSync(file, "utf8"), "base64"), key);
  assert.deepEqual(readdirSync(dataFolder), ["master.key"]);
  assert.deepEqual(masterKey({ setting: null, dataFolder }, random), key);
});

test("of two processes that make a key at once both use the first", (t) => {
  const dataFolder = folder(t);
  const first = randomBytes(32);
  const late: Pick<Random, "bytes"> = {
    bytes(count) {
      // The other process comes between our look and our making.
      if (count === 32)
        writeFileSync(join(dataFolder, "master.key"), first.toString("base64"), { mode: 0o600 });
      return randomBytes(count);
    },
  };
  assert.deepEqual(masterKey({ setting: null, dataFolder }, late), first);
  assert.deepEqual(readdirSync(dataFolder), ["master.key"]);
});

test("the setting wins over the file, in base64 or base64url", (t) => {
  const dataFolder = folder(t);
  const key = randomBytes(32);
  for (const encoding of ["base64", "base64url"] as const) {
    assert.deepEqual(masterKey({ setting: ` ${key.toString(encoding)}\n`, dataFolder }, random), key);
  }
  assert.deepEqual(readdirSync(dataFolder), []);
});

test("a setting that is no key of 32 bytes is refused without being shown", () => {
  for (const setting of ["", "secret-phrase", randomBytes(31).toString("base64"), `${"!".repeat(43)}=`]) {
    assert.throws(
      () => masterKey({ setting, dataFolder: null }, random),
      (error) =>
        isRefusal(/BOATHOOK_MASTER_KEY/, /32 bytes/)(error) && !String(error).includes(setting || "\0"),
    );
  }
});

test("with a database URL the setting is required", () =>
  assert.throws(
    () => masterKey({ setting: null, dataFolder: null }, random),
    isRefusal(/BOATHOOK_MASTER_KEY/, /BOATHOOK_DATABASE_URL/, /openssl/),
  ));

test("a file that holds no key is named and kept, since the secrets hang on it", (t) => {
  const dataFolder = folder(t);
  const file = join(dataFolder, "master.key");
  writeFileSync(file, "");
  assert.throws(() => masterKey({ setting: null, dataFolder }, random), isRefusal(/master\.key/));
  assert.equal(readFileSync(file, "utf8"), "");
});

test("a file that cannot be read is named", (t) => {
  const dataFolder = folder(t);
  mkdirSync(join(dataFolder, "master.key"));
  assert.throws(
    () => masterKey({ setting: null, dataFolder }, random),
    isRefusal(/master\.key can be neither read nor made/),
  );
});
