import assert from "node:assert/strict";
import { test } from "node:test";

import { commands } from "../../src/service/commands/commands.ts";
import { run } from "./run.ts";

test("without words, and with help, every command is listed", async () => {
  for (const words of [[], ["help"], ["--help"], ["-h"]]) {
    const { status, out } = await run(words);
    assert.equal(status, 0);
    for (const { name, summary } of commands) assert.ok(out.includes(name) && out.includes(summary), name);
  }
});

test("every command and every action explains itself, with an example", async () => {
  for (const { name, load } of commands) {
    const { command } = await load();
    const actions = command.kind === "group" ? Object.entries(command.actions) : [];
    for (const words of [[name], ...actions.map(([verb]) => [name, verb])]) {
      const { status, out } = await run([...words, "--help"]);
      assert.equal(status, 0);
      assert.match(out, new RegExp(`Usage: boathook ${words.join(" ")}`));
      assert.match(out, /Examples?:\n( {2}.*\n)* {2}.*boathook/);
      assert.equal((await run(["help", ...words])).out, out);
    }
  }
});

test("a line of help fits a terminal", async () => {
  for (const { name } of commands) {
    const { out } = await run(["help", name]);
    const [usage] = out.split("\n");
    for (const line of out.split("\n").slice(1)) assert.ok(line.length <= 140, `${usage}: ${line}`);
  }
});

const MISTYPED: readonly (readonly [words: readonly string[], told: RegExp])[] = [
  [["srve"], /no command "srve"\. Did you mean "serve"\?/],
  [["frobnicate"], /no command "frobnicate"\. See boathook help/],
  [["accounts", "lst"], /no action of accounts "lst"\. Did you mean "list"\?/],
  [["accounts", "toString"], /no action of accounts "toString"/],
  [["accounts", "list", "--jsn"], /no option "--jsn"\. Did you mean "--json"\?/],
  [["accounts", "create"], /needs <name>; see boathook accounts create --help/],
  [["accounts", "list", "all"], /does not know what to do with "all"/],
  [["keys", "create", "x"], /--prefix is missing/],
  [["deliveries", "list"], /give either --endpoint or --account/],
  [["deliveries", "list", "--account", "x", "--endpoint", "y"], /give either --endpoint or --account/],
  [
    ["deliveries", "list", "--endpoint", "x", "--limit", "0"],
    /--limit must be a whole number from 1 to 1000/,
  ],
  [["deliveries", "list", "--endpoint", "x", "--status", "lost"], /--status must be one of pending/],
  [["endpoints", "list", "x", "--product", "sea"], /--product must be one of tracking, air/],
  [["endpoints", "list", "--account", "x"], /"x" is not the id of an account/],
  [["endpoints", "list"], /give the account's id once/],
  [["endpoints", "list", "x", "--account", "x"], /give the account's id once/],
  [["endpoints", "list", "x"], /"x" is not the id of an account/],
  [["replay", "x", "--speed", "fast"], /--speed must be a number above 0/],
  [["demo", "--speed", "0"], /--speed must be a number above 0/],
];

for (const [words, told] of MISTYPED) {
  test(`boathook ${words.join(" ")} says what to type instead`, async () => {
    const { status, out, err } = await run(words);
    assert.equal(status, 2);
    assert.equal(out, "");
    assert.match(err, told);
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
  assert.match(out, /^boathook \d+\.\d+\.\d+\n$/);
  assert.deepEqual(await run(["--version"]), await run(["-v"]));
  assert.equal(JSON.parse((await run(["version", "--json"])).out).version, out.split(" ")[1]!.trim());
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

test("config reads the files that settings name as serve does, and ends with 1 where they are wrong", async () => {
  const environment = {
    BOATHOOK_CARRIERS_FILE: "/nowhere/carriers.json",
    BOATHOOK_EXTRA_CA_FILE: import.meta.filename,
  };
  const { status, out, err } = await run(["config"], { environment });
  assert.equal(status, 1);
  assert.match(out, /BOATHOOK_CARRIERS_FILE +\/nowhere/);
  assert.match(
    err,
    /^BOATHOOK_EXTRA_CA_FILE .*no certificate in PEM\.\nBOATHOOK_CARRIERS_FILE cannot be read: .*\n$/,
  );
});

test("settings that are wrong are told all at once, with status 2", async () => {
  const environment = { BOATHOOK_LISTEN: "nowhere", BOATHOOK_CELLS: "0", BOATHOOK_MASTR_KEY: "x" };
  for (const words of [["serve"], ["migrate"], ["accounts", "list"]]) {
    const { status, err } = await run(words, { environment });
    assert.equal(status, 2);
    for (const name of Object.keys(environment)) assert.ok(err.includes(name), name);
  }
});

test("an external database that nobody answers for is told in one sentence, without its password", async () => {
  const environment = { BOATHOOK_DATABASE_URL: "postgres://boathook:hidden@127.0.0.1:1/boathook" };
  const { status, err } = await run(["migrate"], { environment });
  assert.equal(status, 1);
  assert.match(err, /^The database at 127\.0\.0\.1:1\/boathook cannot be used: .*ECONNREFUSED.*\n$/);
  assert.ok(!err.includes("hidden"));
});
