import assert from "node:assert/strict";
import { test } from "node:test";

import { describeSettings, type Environment, readConfiguration } from "../../src/runtime/configuration.ts";
import { duration } from "../../src/runtime/setting-kinds.ts";
import { setting, type SettingsOf } from "../../src/runtime/setting.ts";
import { SETTINGS, type Settings } from "../../src/runtime/settings.ts";
import { didYouMean } from "../../src/runtime/did-you-mean.ts";

const far = setting("BOATHOOK_POLL_INTERVAL", duration("100ms", "7d"), "4h", {
  about: "Far.",
  section: "polling",
});
const OWN = {
  pollIntervalMs: far,
  pollNearIntervalMs: setting("BOATHOOK_POLL_INTERVAL_NEAR", far.kind, "20m", {
    about: "Near.",
    section: "polling",
    atMost: far,
  }),
};
// Both have the same settings, which count once.
const PRODUCTS = [
  { tag: "tracking", settings: OWN },
  { tag: "air", settings: OWN },
];

function settingsOf(environment: Environment): Settings & SettingsOf<typeof OWN> {
  const read = readConfiguration(environment, PRODUCTS);
  if (read.kind === "invalid") assert.fail(read.message);
  return read.settings as Settings & SettingsOf<typeof OWN>;
}

function errorOf(environment: Environment): string {
  const read = readConfiguration(environment, PRODUCTS);
  if (read.kind === "settings") assert.fail("nothing was found wrong");
  return read.message;
}

test("an empty environment gives the defaults of the design", () => {
  const settings = settingsOf({});
  assert.equal(settings.databaseUrl, null);
  assert.deepEqual(settings.listen, { host: "127.0.0.1", port: 8080 });
  assert.deepEqual(settings.opsListen, { host: "127.0.0.1", port: 8081 });
  assert.deepEqual(settings.retryWaitsMs, [10_000, 60_000, 300_000, 1_800_000, 7_200_000, 21_600_000]);
  assert.equal(settings.attemptsMax, 6);
  assert.equal(settings.attemptTimeoutMs, 10_000);
  assert.equal(settings.sweepIntervalMs, 30_000);
  assert.equal(settings.disableAfterFailures, 20);
  assert.equal(settings.parkedMs, 3 * 86_400_000);
  assert.deepEqual(settings.roles, ["api", "deliver", "poll"]);
  assert.equal(settings.allowPrivateTargets, false);
  assert.deepEqual(settings.trustedProxies, []);
});

test("an empty value is as good as none, and other programs' names are no concern", () =>
  assert.deepEqual(
    settingsOf({ BOATHOOK_CELLS: " ", PATH: "/bin", BOATHOOK_TEST_SEED: "2" }),
    settingsOf({}),
  ));

test("values are read in their forms", () => {
  const settings = settingsOf({
    BOATHOOK_LISTEN: "[::1]:0",
    BOATHOOK_OPS_LISTEN: "localhost:9000",
    BOATHOOK_RETRY_WAITS: "250ms, 1s,2m,3h,4d",
    BOATHOOK_HOSTS: "tracking=Hooks.example.com,air=air.example.com",
    BOATHOOK_TRUST_PROXY: "10.0.0.0/8, ::1",
    BOATHOOK_ALLOW_PRIVATE_TARGETS: "127.0.0.0/8,fd00::/8",
    BOATHOOK_ROLES: "deliver",
    BOATHOOK_OTLP_SHARE: "0.05",
    BOATHOOK_OTLP_ENDPOINT: "http://collector:4318/",
  });
  assert.deepEqual(settings.listen, { host: "::1", port: 0 });
  assert.deepEqual(settings.opsListen, { host: "localhost", port: 9000 });
  assert.deepEqual(settings.retryWaitsMs, [250, 1000, 120_000, 10_800_000, 345_600_000]);
  assert.deepEqual(
    [...(settings.hosts ?? [])],
    [
      ["hooks.example.com", "tracking"],
      ["air.example.com", "air"],
    ],
  );
  assert.deepEqual(settings.trustedProxies, ["10.0.0.0/8", "::1"]);
  assert.deepEqual(settings.allowPrivateTargets, ["127.0.0.0/8", "fd00::/8"]);
  assert.deepEqual(settings.roles, ["deliver"]);
  assert.deepEqual([settings.otlpShare, settings.otlpEndpoint], [0.05, "http://collector:4318"]);
  assert.equal(settingsOf({ BOATHOOK_ALLOW_PRIVATE_TARGETS: "true" }).allowPrivateTargets, true);
});

const REFUSED: readonly [name: string, value: string, why: RegExp][] = [
  ["BOATHOOK_ATTEMPT_TIMEOUT", "10", /duration such as .*; it is "10"/],
  ["BOATHOOK_ATTEMPT_TIMEOUT", "1d", /from 10ms to 5m/],
  ["BOATHOOK_ATTEMPT_TIMEOUT", "-1s", /duration/],
  ["BOATHOOK_RETRY_WAITS", "10s,,1m,1m,1m", /each entry must be a duration/],
  ["BOATHOOK_RETRY_WAITS", "10s,1m", /2 waits.*BOATHOOK_ATTEMPTS is 6.*5/],
  ["BOATHOOK_CELLS", "0", /from 1 to 256/],
  ["BOATHOOK_CELLS", "1e2", /whole number/],
  ["BOATHOOK_LISTEN", "8080", /host:port/],
  ["BOATHOOK_LISTEN", "127.0.0.1:65536", /host:port/],
  ["BOATHOOK_LISTEN", "::1:80", /host:port/],
  ["BOATHOOK_LISTEN", "[nonsense]:80", /host:port/],
  ["BOATHOOK_HOSTS", "tracking", /pairs such as/],
  ["BOATHOOK_PORTAL_FRAMES", "https://app.example.com/path", /a site such as/],
  ["BOATHOOK_PORTAL_FRAMES", "https://app.example.com; script-src *", /a site such as/],
  ["BOATHOOK_PORTAL_FRAMES", "*", /a site such as/],
  ["BOATHOOK_PORTAL_COLOR", "red", /a colour such as #0b5f80/],
  ["BOATHOOK_PORTAL_NAME", "x".repeat(81), /at most 80 characters/],
  ["BOATHOOK_HOSTS", "tracking=a.example,air=A.example", /twice/],
  ["BOATHOOK_HOSTS", "trains=a.example", /"trains", which is none of tracking, air/],
  ["BOATHOOK_TRUST_PROXY", "true", /CIDR/],
  ["BOATHOOK_TRUST_PROXY", "10.0.0.0/33", /CIDR/],
  ["BOATHOOK_ALLOW_PRIVATE_TARGETS", "yes", /CIDR/],
  ["BOATHOOK_ROLES", "api,sing", /one of api, deliver, poll; it is "api,sing"/],
  ["BOATHOOK_LOG_LEVEL", "loud", /one of debug/],
  ["BOATHOOK_OTLP_ENDPOINT", "http://me:secret@collector", /without user/],
  ["BOATHOOK_OTLP_SHARE", "1.5", /from 0 to 1/],
  ["BOATHOOK_OTLP_SHARE", "5e-2", /from 0 to 1/],
  ["BOATHOOK_DATABASE_URL", "mysql://a/b", /postgres:\/\//],
  ["BOATHOOK_MASTER_KEY", "c2hvcnQ=", /32 bytes in base64/],
  ["BOATHOOK_OPERATOR_TOKEN", "short", /at least 16/],
];

for (const [name, value, why] of REFUSED) {
  test(`${name}=${value} is refused with the reason`, () => assert.match(errorOf({ [name]: value }), why));
}

test("an interval near a change is at most the one between looks, and the default of the one gives way to the other", () => {
  const wrong = errorOf({ BOATHOOK_POLL_INTERVAL: "5m", BOATHOOK_POLL_INTERVAL_NEAR: "5h" });
  assert.match(wrong, /BOATHOOK_POLL_INTERVAL_NEAR must be at most BOATHOOK_POLL_INTERVAL, which is 5m\./);
  assert.match(errorOf({ BOATHOOK_POLL_INTERVAL_NEAR: "5h" }), /which is 4h\./);
  assert.equal(settingsOf({ BOATHOOK_POLL_INTERVAL: "2s" }).pollIntervalMs, 2_000);
  const same = { BOATHOOK_POLL_INTERVAL: "7d", BOATHOOK_POLL_INTERVAL_NEAR: "7d" };
  assert.equal(settingsOf(same).pollNearIntervalMs, 7 * 86_400_000);
});

test("one message names everything that is wrong", () => {
  const message = errorOf({
    BOATHOOK_CELLS: "x",
    BOATHOOK_LISTEN: "y",
    BOATHOOK_RETRY_WAIT: "1s",
    BOATHOOK_Q: "",
  });
  assert.match(message, /BOATHOOK_CELLS must/);
  assert.match(message, /BOATHOOK_LISTEN must/);
  assert.match(message, /BOATHOOK_RETRY_WAIT is no setting; did you mean BOATHOOK_RETRY_WAITS\./);
  assert.match(message, /BOATHOOK_Q is no setting\./);
});

test("an error about a secret does not repeat the secret", () => {
  const secret = "s3cret";
  const message = errorOf({
    BOATHOOK_MASTER_KEY: secret,
    BOATHOOK_MASTER_KEY_PREVIOUS: secret,
    BOATHOOK_OPERATOR_TOKEN: secret,
    BOATHOOK_DATABASE_URL: secret,
  });
  assert.doesNotMatch(message, /s3cret/);
});

const UNENCODED = [
  "postgres://me:s3cret/w:rd@127.0.0.1:55432/boathook",
  "postgres://me:p@s3cret/w:rd@127.0.0.1:55432/boathook",
  "postgres://me:p@s3cret?rd@127.0.0.1/boathook",
  "postgres://me:p@s3cret#rd@127.0.0.1/boathook",
  "postgres://me:1#s3cret@127.0.0.1/boathook",
  "postgres://me:12/s3cret@127.0.0.1/boathook",
  "postgres://s3cret:%zz@127.0.0.1/boathook",
  "postgres://s3cret:p@ss:word@h:o:s:t/boathook",
];

test("a URL whose password is not encoded is refused without any of it, and says how to encode it", () => {
  for (const url of UNENCODED) {
    for (const [name, value] of [
      ["BOATHOOK_DATABASE_URL", url],
      ["BOATHOOK_NEW_DATABASE_URL", url],
      ["BOATHOOK_OTLP_ENDPOINT", url.replace("postgres", "https")],
      ["BOATHOOK_PUBLIC_URL", url.replace("postgres", "https")],
    ] as const) {
      const message = errorOf({ [name]: value });
      assert.doesNotMatch(message, /s3cret|w:rd/, message);
      if (value.includes("postgres:")) assert.match(message, /percent-encoded/);
      const described = describeSettings({ [name]: value }, PRODUCTS).find((one) => one.name === name);
      assert.equal(described?.value, "(set)", value);
    }
  }
  const encoded = "postgres://me:p%40s%2Fw@127.0.0.1/boathook?sslmode=require&host=/run/postgresql";
  assert.equal(settingsOf({ BOATHOOK_DATABASE_URL: encoded }).databaseUrl, encoded);
});

test("the list of settings says where each value comes from, and masks the secrets", () => {
  const list = describeSettings(
    {
      BOATHOOK_CELLS: "2",
      BOATHOOK_MASTER_KEY: "s3cret",
      BOATHOOK_DATABASE_URL: "postgres://me:s3cret@db.example/boathook",
    },
    PRODUCTS,
  );
  const shown = new Map(list.map(({ name, value, from }) => [name, { value, from }]));
  assert.equal(list.length, Object.keys(SETTINGS).length + Object.keys(OWN).length);
  const last = list.slice(-4).map(({ name }) => name);
  assert.deepEqual(last, [
    "BOATHOOK_EXTRA_CA_FILE",
    far.name,
    OWN.pollNearIntervalMs.name,
    "BOATHOOK_LOG_LEVEL",
  ]);
  assert.deepEqual(shown.get("BOATHOOK_CELLS"), { value: "2", from: "environment" });
  assert.deepEqual(shown.get("BOATHOOK_SWEEP_INTERVAL"), { value: "30s", from: "default" });
  assert.equal(shown.get("BOATHOOK_DATABASE_URL")?.value, "postgres://me:***@db.example/boathook");
  assert.doesNotMatch(JSON.stringify(list), /s3cret/);
});

test("a setting of an earlier version is explained where it is set", () => {
  const message = errorOf({ BOATHOOK_SERVERS: "east=postgres://db" });
  assert.match(
    message,
    /BOATHOOK_SERVERS is no setting any more: cells live on one server, or on the nodes of Citus/,
  );
});

const ONE: readonly [what: string, typed: string, name: string, isNear: boolean][] = [
  ["the name itself", "serve", "serve", true],
  ["the beginning of a name", "d", "deliveries", true],
  ["nothing", "", "demo", false],
  ["the end of a name alone", "ies", "deliveries", false],
  ["one letter too few", "ab", "abc", true],
  ["one letter too many", "abxc", "abc", true],
  ["one letter too many at the end", "abcd", "abc", true],
  ["one letter replaced", "axc", "abc", true],
  ["the last letter replaced", "abx", "abc", true],
  ["two neighbours swapped at the end", "acb", "abc", true],
  ["two neighbours swapped at the start", "bac", "abc", true],
  ["two neighbours swapped and one letter too many", "xacb", "abc", false],
  ["letters swapped that are no neighbours", "cba", "abc", false],
  ["two letters replaced in a name of five", "axcye", "abcde", false],
  ["two letters replaced in a name of six", "axcyef", "abcdef", true],
  ["three letters replaced in a name of six", "axcyez", "abcdef", false],
  ["a letter moved behind another", "xa", "ab", false],
  ["one letter replaced in a name of two", "ax", "ab", true],
  ["both letters replaced in a name of two", "xy", "ab", false],
];

for (const [what, typed, name, isNear] of ONE) {
  test(`${what} is ${isNear ? "near" : "too far from"} a name: ${typed || '""'}, ${name}`, () =>
    assert.equal(didYouMean(typed, [name]), isNear ? name : null));
}

test("the nearest of several names is meant, and the first of those as near", () => {
  assert.equal(didYouMean("abcdef", ["abcxyf", "abcdex", "abcdey"]), "abcdex");
  assert.equal(didYouMean("abcdef", ["abcdex", "abcxyf"]), "abcdex");
});

test("where there is no name, none is meant", () => assert.equal(didYouMean("a", []), null));
