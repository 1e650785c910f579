import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { nameOfBuild } from "../../src/runtime/build.ts";
import { commands } from "../../src/service/commands/commands.ts";
import { run } from "./run.ts";

test("without words, and with help, every command is listed", async () => {
  for (const words of [[], ["help"], ["--help"], ["-h"]]) {
    const { status, out } = await run(words);
    assert.equal(status, 0);
    const unwrapped = out.replaceAll(/\n {3,}/g, " ");
    for (const { name, summary } of commands)
      assert.ok(out.includes(name) && unwrapped.includes(summary), name);
  }
});

test("every command and every action explains itself, with an example", async () => {
  let explained = 0;
  const rest = commands.map(({ name }) => [name]);
  for (let words = rest.shift(); words !== undefined; words = rest.shift()) {
    const { status, out } = await run([...words, "--help"]);
    assert.equal(status, 0);
    assert.match(out, new RegExp(`^Usage: boathook ${words.join(" ")}`));
    assert.match(out, /\nExamples?:\n( {2}.*\n)* {2}.*boathook/);
    assert.equal((await run(["help", ...words])).out, out);
    const actions = /\nActions:\n((?: {2}.*\n)*)/.exec(out)?.[1] ?? "";
    rest.push(...[...actions.matchAll(/^ {2}(\S+)/gm)].map(([, verb]) => [...words, verb!]));
    explained += 1;
  }
  assert.ok(explained > 45, `${explained} commands and actions`);
});

test("help says of an option that it is required", async () => {
  for (const [words, option] of [
    ["containers list", "account <id>"],
    ["listen", "forward <url>"],
  ] as const) {
    const { out } = await run(["help", ...words.split(" ")]);
    assert.match(out, new RegExp(`\\n  --${option} .*\\(required\\)\\n`));
    assert.equal(out.match(/\(required\)/g)?.length, 1);
  }
});

test("help fits 80 columns, but for examples", async () => {
  for (const words of [[], ...commands.map(({ name }) => [name])]) {
    const { out } = await run(["help", ...words]);
    const [described] = out.split(/\nExamples?:\n/);
    for (const line of described!.split("\n")) assert.ok(line.length <= 80, `${words.join(" ")}: ${line}`);
  }
});

const UNKNOWN_ID = "01890000-0000-7000-8000-000000000001";

const MISTYPED: readonly (readonly [words: readonly string[], message: RegExp])[] = [
  [["srve"], /^Unknown command 'srve'\n\(Did you mean serve\?\)\nSee boathook help\.\n$/],
  [["frobnicate"], /^Unknown command 'frobnicate'\nSee boathook help/],
  [["accounts", "lst"], /^Unknown command 'lst'\n\(Did you mean list\?\)\nSee boathook accounts --help\.\n$/],
  [["accounts", "toString"], /^Unknown command 'toString'/],
  [["accounts", "list", "--jsn"], /^Unknown option '--jsn'\n\(Did you mean --json\?\)/],
  [["accounts", "create"], /^Missing required argument 'name'\nSee boathook accounts create --help/],
  [["accounts", "list", "all"], /^Too many arguments for 'list'\. .*: all/],
  [["keys", "create", "x"], /^Required option '--prefix <prefix>' not specified/],
  [
    ["deliveries", "list", "--limit", "0"],
    /^Option '--limit <number>' .*It must be a whole number from 1 to 10000/,
  ],
  [["deliveries", "list", "--status", "lost"], /^Option '--status <status>' .*It must be one of pending/],
  [
    ["endpoints", "list", "--product", "sea"],
    /^Option '--product <product>' .*It must be one of tracking, air/,
  ],
  [["endpoints", "list", "--account", "x"], /^Option '--account <id>' .*It must be an id/],
  [["endpoints", "list", UNKNOWN_ID, "--account", UNKNOWN_ID], /^Give --account once/],
  [["replay", "x", "--speed", "fast"], /^Option '--speed <times>' .* It must be a number above 0/],
];

for (const [words, message] of MISTYPED) {
  test(`boathook ${words.join(" ")} says what to type instead`, async () => {
    const { status, out, err } = await run(words);
    assert.equal(status, 2);
    assert.equal(out, "");
    assert.match(err, message);
    assert.doesNotMatch(err, /\n\s+at /);
  });
}

test("a group without an action is explained, and is no success", async () => {
  const { status, out } = await run(["accounts"]);
  assert.equal(status, 2);
  assert.match(out, /accounts <action>/);
});

test("the version is that of the package", async () => {
  const { out } = await run(["version"]);
  assert.match(out, /^boathook \d+\.\d+\.\d+(?: \([0-9a-f]{8}\))?\n$/);
  assert.deepEqual(await run(["--version"]), await run(["-v"]));
  const { version, commit } = JSON.parse((await run(["version", "--json"])).out);
  assert.equal(nameOfBuild({ version, commit }), out.replace("boathook ", "").trim());
});

/** A folder whose `npm` is this shell script. */
function withNpm(t: TestContext, script: string): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), "boathook-npm-"));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "npm"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { PATH: `${folder}:/usr/bin:/bin` };
}

test("version asks the registry only with --check, and says what is newer", async (t) => {
  const { out } = await run(["version"], { environment: withNpm(t, "echo 99.0.0; touch asked") });
  assert.doesNotMatch(out, /99\.0\.0|available/);
  for (const [newest, expected] of [
    ["99.0.0", /: 99\.0\.0 is available\n$/],
    [out.split(" ")[1]!.trim(), /: nothing newer is published\n$/],
    ["0.0.9", /: nothing newer is published\n$/],
  ] as const) {
    const checked = await run(["version", "--check"], { environment: withNpm(t, `echo ${newest}`) });
    assert.equal(checked.status, 0, checked.err);
    assert.match(checked.out, expected);
  }
});

test("version --check says what it cannot know, offline, where nothing is published, and without npm", async (t) => {
  for (const [script, message] of [
    ["echo 'npm error code ENOTFOUND' >&2; exit 1", /the npm registry cannot be reached \(ENOTFOUND\)/],
    ["echo 'npm error code E404' >&2; exit 1", /the npm registry has no such package/],
    [null, /npm is not installed/],
  ] as const) {
    const environment = script === null ? { PATH: "/nowhere" } : withNpm(t, script);
    const { status, out, err } = await run(["version", "--check"], { environment });
    assert.deepEqual([status, out], [1, ""]);
    assert.match(err, message);
  }
});

test("the settings are listed with where each comes from, and no secret is shown", async () => {
  const environment = { BOATHOOK_OPERATOR_TOKEN: "not-to-be-seen-anywhere", BOATHOOK_ATTEMPT_TIMEOUT: "5s" };
  for (const words of [["config"], ["config", "--json"]]) {
    const { status, out } = await run(words, { environment });
    assert.equal(status, 0);
    assert.ok(!out.includes("not-to-be-seen-anywhere"));
    assert.match(out, /BOATHOOK_ATTEMPT_TIMEOUT/);
  }
  const settings = JSON.parse((await run(["config", "--json"], { environment })).out) as Record<
    string,
    string
  >[];
  const timeout = settings.find(({ name }) => name === "BOATHOOK_ATTEMPT_TIMEOUT");
  assert.deepEqual([timeout?.["value"], timeout?.["from"]], ["5s", "environment"]);
  assert.match((await run(["config", "--markdown"])).out, /^\| Setting/);
});

test("config says which settings are wrong, beside what they are, and ends with 2", async () => {
  const environment = { BOATHOOK_CELLS: "none", BOATHOOK_WIDNOW: "100" };
  for (const words of [["config"], ["config", "--json"]]) {
    const { status, out, err } = await run(words, { environment });
    assert.equal(status, 2);
    assert.match(out, /BOATHOOK_CELLS/);
    assert.match(err, /BOATHOOK_CELLS .*"none"/);
    assert.match(err, /BOATHOOK_WIDNOW is no setting; did you mean BOATHOOK_WINDOW/);
  }
});

test("config reads the files that settings name as serve does, and ends with 2 where they are wrong", async () => {
  const environment = {
    BOATHOOK_CARRIERS_FILE: "/nowhere/carriers.json",
    BOATHOOK_EXTRA_CA_FILE: import.meta.filename,
  };
  const { status, out, err } = await run(["config"], { environment });
  assert.equal(status, 2);
  assert.match(out, /BOATHOOK_CARRIERS_FILE +\/nowhere/);
  assert.match(
    err,
    /^BOATHOOK_EXTRA_CA_FILE .*no certificate in PEM\.\nBOATHOOK_CARRIERS_FILE cannot be read: .*\n$/,
  );
});

test("all wrong settings are reported at once, with status 2", async () => {
  const environment = { BOATHOOK_LISTEN: "nowhere", BOATHOOK_CELLS: "0", BOATHOOK_MASTR_KEY: "x" };
  for (const words of [["serve"], ["migrate"], ["accounts", "list"]]) {
    const { status, err } = await run(words, { environment });
    assert.equal(status, 2);
    for (const name of Object.keys(environment)) assert.ok(err.includes(name), name);
  }
});

test("an unreachable external database is reported in one sentence, without its password", async () => {
  const environment = { BOATHOOK_DATABASE_URL: "postgres://boathook:hidden@127.0.0.1:1/boathook" };
  const { status, err } = await run(["accounts", "list"], { environment });
  assert.equal(status, 1);
  assert.match(err, /^The database at 127\.0\.0\.1:1\/boathook cannot be used: .*ECONNREFUSED.*\n$/);
  assert.ok(!err.includes("hidden"));
});
