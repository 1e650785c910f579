/** `boathook schedules check`, as it is typed. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { csService, transportCall } from "../schedules/sources/answers.ts";
import { inDays } from "../schedules/sources/feed-scene.ts";
import { serving } from "../upstream/serving.ts";
import { run } from "./run.ts";

const folder = mkdtempSync(join(tmpdir(), "boathook-schedules-"));
after(() => rmSync(folder, { recursive: true }));

function fileOf(...feeds: readonly object[]): Readonly<Record<string, string>> {
  const file = join(folder, "schedules.json");
  writeFileSync(file, JSON.stringify(feeds));
  return { BOATHOOK_SCHEDULES_FILE: file };
}

const HERON = { name: "heron", carrier: "HRNL", kind: "cs-vessel-schedules" };
const GULL = { name: "gull-pushed", carrier: "GULL", kind: "cs-port-schedules" };
const ARRIVAL = { eventTypeCode: "ARRI", eventClassifierCode: "EST", eventDateTime: inDays(9) };
const ANSWER = [
  csService(
    "FE1",
    Array.from({ length: 31 }, (_, nth) =>
      transportCall("NLRTM", {
        carrierImportVoyageNumber: null,
        carrierExportVoyageNumber: `${600 + nth}W`,
        timestamps: [ARRIVAL],
      }),
    ),
  ),
];

test("a check prints each step, what the answer becomes, and where it is kept; kept answers are checked again", async () => {
  await serving(
    (request, response) => {
      const isKnown = request.headers["x-key"] === "a-secret-key";
      response.writeHead(isKnown ? 200 : 401).end(isKnown ? JSON.stringify(ANSWER) : "who are you?");
    },
    async ({ url }) => {
      const headers = { "x-key": "a-secret-key" };
      const heron = { ...HERON, url: `${url}/v1/vessel-schedules`, services: ["FE1", "FE2"], headers };
      const environment = fileOf(heron, GULL);
      const kept = join(folder, "kept");
      const { status, out, err } = await run(["schedules", "check", "--record", kept], { environment });
      assert.deepEqual([status, err], [0, ""]);
      assert.match(
        out,
        /^heron: cs-vessel-schedules of HRNL\nSTEP +OF +MS +CAME BACK\nname +127\.0\.0\.1 +passed /,
      );
      assert.match(out, /^question +carrierServiceCode=FE1 +passed +\d+ +HTTP 200, \d+ bytes, calls: 31$/m);
      assert.match(out, /^Calls +31\n\nPORT +CARRIER +SERVICE +VOYAGE /m);
      assert.match(out, /^NLRTM +HRNL +FE1 +600W +Grey Heron +9321483 +\S+Z /m);
      assert.match(out, /^and 1 more: --json has all$/m);
      assert.match(out, /^gull-pushed: [^]*skipped +\d+ +it is pushed: nothing to ask$/m);
      assert.ok(out.includes(`\nAsked:\n  GET ${url}/v1/vessel-schedules?carrierServiceCode=FE1&startDate=`));
      assert.match(out, /\n\n2 feeds: 1 right, 1 not asked, 0 wrong\.\n$/);
      const file = join(kept, "heron.json");
      assert.ok(out.includes(`\nKept in ${file}\n`));
      assert.ok(!(out + readFileSync(file, "utf8")).includes("a-secret-key"));
      const again = await run(["schedules", "check", "--replay", file, "--json"]);
      assert.equal(again.status, 0, again.err);
      const asked = await run(["schedules", "check", "heron", "--json"], { environment });
      const [first] = JSON.parse(again.out).checks;
      const [second] = JSON.parse(asked.out).checks;
      assert.deepEqual(first.outcome, second.outcome);
      assert.equal(second.outcome.calls.length, 31);
      assert.deepEqual([second.outcome.calls[0].port, second.outcome.calls[0].id], ["NLRTM", undefined]);

      const wrong = fileOf({ ...heron, headers: { "x-key": "another-key" } });
      const refused = await run(["schedules", "check"], { environment: wrong });
      assert.equal(refused.status, 1);
      assert.match(refused.out, /^question +carrierServiceCode=FE1 +failed +\d+ +HTTP 401 who are you\?$/m);
      assert.match(
        refused.out,
        /^To do:\n {2}question carrierServiceCode=FE1: The carrier refuses the credentials/m,
      );
    },
  );
});

test("a check of several feeds ends with how many are right, and where the others fail", async () => {
  await serving(
    (request, response) => {
      const isKnown = request.url!.startsWith("/right");
      response.writeHead(isKnown ? 200 : 403).end(isKnown ? JSON.stringify(ANSWER) : "no");
    },
    async ({ url }) => {
      const heron = { ...HERON, url: `${url}/right`, services: ["FE1"] };
      const wren = { ...HERON, name: "wren", url: `${url}/wrong`, services: ["FE1"] };
      const tern = { ...HERON, name: "tern", url: "http://127.0.0.1:1/", services: ["FE1"] };
      const one = await run(["schedules", "check"], { environment: fileOf(heron, wren, GULL) });
      assert.equal(one.status, 1);
      assert.match(
        one.out,
        /\n\n3 feeds: 1 right, 1 not asked, 1 wrong \(wren at question of carrierServiceCode=FE1\)\.\n$/,
      );
      const environment = fileOf(heron, wren, tern);
      const two = await run(["schedules", "check"], { environment });
      assert.match(
        two.out,
        /\n\n3 feeds: 1 right, 2 wrong\.\nWRONG +STEP +OF\nwren +question +carrier\S+\ntern +question +carrier\S+\n$/,
      );
      assert.match(two.out, /question carrierServiceCode=FE1: Nothing listens at this address and port/);
      const json = await run(["schedules", "check", "--json"], { environment });
      const { checks, summary } = JSON.parse(json.out);
      const of = "carrierServiceCode=FE1";
      assert.deepEqual([json.status, checks.length], [1, 3]);
      assert.deepEqual(summary, {
        ...{ right: 1, wrong: 2, notAsked: 0 },
        failures: [
          { name: "wren", step: "question", of },
          { name: "tern", step: "question", of },
        ],
      });
      const alone = await run(["schedules", "check", "heron"], { environment });
      assert.doesNotMatch(alone.out, /feeds:/);
    },
  );
});

test("a file that is wrong is refused with a line for each mistake, and its place", async () => {
  const many = { ...HERON, url: "https://heron.example/v1", services: ["FE1"], daysAhead: 400, kind: "cs" };
  const { status, err } = await run(["schedules", "check"], {
    environment: fileOf(many, { ...GULL, ports: ["R"] }),
  });
  assert.equal(status, 1);
  assert.match(
    err,
    /^BOATHOOK_SCHEDULES_FILE \(.+\) is wrong:\n {2}\/0\/kind must be one of .+\.\n {2}\/0\/daysAhead/,
  );
  assert.match(err, /\n {2}\/1\/ports\/0 must be a UN\/LOCODE: .+\.\n$/);
});

test("a check without a feed, of another one or of no recording is refused", async () => {
  const environment = fileOf(GULL);
  const missing = join(folder, "nowhere.json");
  const other = join(folder, "other.json");
  writeFileSync(other, "{}");
  for (const [words, settings, status, message] of [
    [
      [],
      {},
      2,
      /^There is no feed to check: BOATHOOK_SCHEDULES_FILE names none \(docs\/schedules\.md\)\.\n$/,
    ],
    [["heron"], environment, 2, /^The schedules file has no feed of that name; it has gull-pushed\.\n$/],
    [["heron", "--replay", other], environment, 2, /^--replay stands alone/],
    [
      ["--record", "/proc/nowhere"],
      environment,
      2,
      /^--record: \/proc\/nowhere cannot be written to: ENOENT/,
    ],
    [["--record", other], environment, 2, /^--record: .*other\.json cannot be written to: ENOTDIR/],
    [["--replay", missing], {}, 1, /nowhere\.json cannot be read: ENOENT/],
    [["--replay", other], {}, 1, /cannot be replayed: it holds no answers in the form/],
  ] as const) {
    const ran = await run(["schedules", "check", ...words], { environment: settings });
    assert.deepEqual([ran.status, ran.out], [status, ""], ran.err);
    assert.match(ran.err, message);
  }
});
