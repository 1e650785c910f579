/** Settings from the file that systemd reads as well. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { run } from "./run.ts";

/** `boathook config --json` with the option where `words` has FILE. */
async function configOf(t: TestContext, text: string, words: readonly string[], environment = {}) {
  const folder = mkdtempSync(join(tmpdir(), "boathook-env-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "boathook.env");
  writeFileSync(file, text);
  const { status, out, err } = await run(
    words.map((word) => word.replace("FILE", file)),
    { environment },
  );
  assert.equal(status, 0, err);
  const listed = JSON.parse(out) as readonly { readonly name: string; readonly value: string | null }[];
  return (name: string) => listed.find((one) => one.name === name)?.value;
}

const TEXT = `# Settings
BOATHOOK_PUBLIC_URL=https://a.example/x&y$HOME;z
BOATHOOK_RATE_LIMIT_PER_KEY="77"
BOATHOOK_DATA_DIR='/data with spaces'

BOATHOOK_CELLS=2
`;

for (const words of [
  ["--env-file", "FILE", "config", "--json"],
  ["--env-file=FILE", "config", "--json"],
  ["config", "--json", "--env-file", "FILE"],
]) {
  test(`${words.join(" ")} expands nothing, as a shell would`, async (t) => {
    const value = await configOf(t, TEXT, words, { BOATHOOK_CELLS: "3" });
    assert.equal(value("BOATHOOK_PUBLIC_URL"), "https://a.example/x&y$HOME;z");
    assert.equal(value("BOATHOOK_RATE_LIMIT_PER_KEY"), "77");
    assert.equal(value("BOATHOOK_DATA_DIR"), "/data with spaces");
    assert.equal(value("BOATHOOK_CELLS"), "3", "the environment wins");
  });
}

test("a file that cannot be read is refused: the command would look elsewhere", async () => {
  for (const words of [
    ["--env-file", "/none/such.env", "accounts", "list"],
    ["accounts", "list", "--env-file"],
  ]) {
    const { status, err } = await run(words);
    assert.equal(status, 2);
    assert.match(err, /^--env-file .*such as \/etc\/boathook\/boathook\.env\.$/m);
  }
});
