/** `boathook airlines`, as it is typed. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import type { EntryCheck } from "../../src/freight/source-check/check.ts";
import { shippedCatalogue } from "../../src/products/air/sources/catalogue/catalogue.ts";
import { serving } from "../upstream/serving.ts";
import { run } from "./run.ts";

test("the catalogue lists each airline with what it offers, what you need and where to apply", async () => {
  const { status, out } = await run(["airlines", "catalogue"]);
  assert.equal(status, 0);
  for (const { code, name, apply } of shippedCatalogue()) {
    const line = out.split("\n").find((one) => one.startsWith(code));
    assert.ok(line?.includes(name) && line.includes(apply.url), code);
  }
  assert.match(out, /^LH +Lufthansa Cargo +own API, .* +apiKey +https:\/\/developer\.lufthansa-cargo\.com$/m);
  assert.match(out, /^KL AF +.* +clientId, clientSecret, tokenUrl +https/m);
  assert.match(out, /^SEARATES +.* +apiKey, answer +https/m);
  assert.match(out, /^CX +Cathay Cargo +ONE Record +not polled: no public page/m);
});

test("one airline is shown with its sources, quirks and what nobody found, also by another code", async () => {
  const { status, out } = await run(["airlines", "catalogue", "af"]);
  assert.equal(status, 0);
  assert.match(out, /^Airline +KL Air France KLM Martinair Cargo$/m);
  assert.match(out, /^ {2}\{"airline":"KL","clientId":"…","clientSecret":"…","tokenUrl":"…"\}$/m);
  assert.match(out, /^Not known:\n {2}Which of the two paths/m);
  assert.match(out, /^ {2}https:\/\/\S+ \(\d{4}-\d\d-\d\d\): /m);
  const unfinished = await run(["airlines", "catalogue", "searates"]);
  assert.match(
    unfinished.out,
    /^You add +answer: the reference shows the beginning of an answer only; add where/m,
  );
  const provider = await run(["airlines", "catalogue", "cargoai"]);
  assert.match(provider.out, /^Provider +CARGOAI CargoAi$/m);
  assert.match(provider.out, /^ {2}\{"airline":"QR","by":"CARGOAI","rapidApiKey":"…"\}$/m);
  const json = await run(["airlines", "catalogue", "LH", "--json"]);
  assert.deepEqual(
    JSON.parse(json.out),
    shippedCatalogue().find(({ code }) => code === "LH"),
  );
  const unknown = await run(["airlines", "catalogue", "F8"]);
  assert.equal(unknown.status, 1);
  assert.match(
    unknown.err,
    /has no airline or provider of that code; `boathook airlines catalogue` lists all\.\n$/,
  );
});

const folder = mkdtempSync(join(tmpdir(), "boathook-airlines-"));
after(() => rmSync(folder, { recursive: true }));

const FALCON = { name: "Falcon Air Cargo", iata: "F8", prefixes: ["901"] };
const PUSH = { ...FALCON, sources: [{ kind: "push" }] };

function fileOf(...entries: readonly object[]): Readonly<Record<string, string>> {
  const file = join(folder, "airlines.json");
  writeFileSync(file, JSON.stringify(entries));
  return { BOATHOOK_AIRLINES_FILE: file };
}

/** Yesterday, in Cargo-IMP. */
const DAY = new Date(Date.now() - 86_400_000)
  .toUTCString()
  .replace(/^\w+, (\d\d) (\w+) .*$/, "$1$2")
  .toUpperCase();
const FSA = `FSA/14\r\n901-12345675AMSJFK/T10K250\r\nRCS/${DAY}0930/AMS/T10K250\r\n`;

test("a check prints each step, what the answer becomes, and where it is kept; kept answers are checked again", async () => {
  await serving(
    (request, response) => {
      const isKnown = request.url === "/fsr/90112345675" && request.headers["x-key"] === "a-secret-key";
      response.writeHead(isKnown ? 200 : 404).end(isKnown ? FSA : "");
    },
    async ({ url }) => {
      const headers = { "x-key": "a-secret-key" };
      const sources = [{ kind: "fsr", url: `${url}/fsr/{awb}`, method: "GET", headers }];
      const environment = fileOf({ ...FALCON, sources }, { ...PUSH, iata: "P8", prefixes: ["902"] });
      const kept = join(folder, "kept");
      const words = ["airlines", "check", "--awb", "901-1234 5675", "--record", kept];
      const { status, out, err } = await run(words, { environment });
      assert.deepEqual([status, err], [0, ""]);
      assert.match(
        out,
        /^F8 Falcon Air Cargo, 901-12345675\nSTEP +OF +MS +CAME BACK\nname +127\.0\.0\.1 +passed /,
      );
      assert.match(out, /^tls +127\.0\.0\.1:\d+ +skipped +\d+ +the address begins with http:\/\//m);
      assert.match(out, /^question +1 fsr, 901-12345675 +passed +\d+ +HTTP 200, \d+ bytes, 1 events$/m);
      assert.ok(out.includes(`\nAsked:\n  GET ${url}/fsr/90112345675\n`));
      assert.match(out, /^Waybill +901-12345675\nStatus +Accepted\nRoute +AMS > JFK$/m);
      assert.match(out, /^\S+Z +RCS +Received from shipper +AMS$/m);
      assert.match(out, /^Would have been raised:\n {2}\S+Z {2}awb_accepted$/m);
      const file = join(kept, "F8-90112345675.json");
      assert.ok(out.endsWith(`\nKept in ${file}\n`));
      assert.ok(!(out + readFileSync(file, "utf8")).includes("a-secret-key"));
      const again = await run(["airlines", "check", "--replay", file]);
      assert.equal(again.status, 0, again.err);
      const becomes = (text: string): string => text.slice(text.indexOf("\nWaybill"), text.indexOf("\nKept"));
      assert.equal(becomes(`${again.out}\nKept`), becomes(out));

      const unknown = await run(["airlines", "check", "f8", "--awb", "901-12345686"], { environment });
      assert.equal(unknown.status, 1);
      assert.match(unknown.out, /^question +1 fsr, 901-12345686 +failed .*not found$/m);
      assert.match(
        unknown.out,
        /^To do:\n {2}question 1 fsr, 901-12345686: The airline does not know this waybill/m,
      );
      const json = await run(["airlines", "check", "--json"], { environment });
      const { checks, summary } = JSON.parse(json.out) as {
        checks: readonly EntryCheck<unknown, { readonly iata: string }>[];
        summary: object;
      };
      assert.deepEqual(summary, { right: 1, wrong: 0, notAsked: 1, failures: [] });
      assert.deepEqual(
        [json.status, checks.map(({ iata, passed, outcome }) => [iata, passed, outcome])],
        [
          0,
          [
            ["F8", true, null],
            ["P8", true, null],
          ],
        ],
      );
    },
  );
});

test("a check without an airline, of another one, of no waybill or of no recording is refused", async () => {
  const environment = fileOf(PUSH);
  const missing = join(folder, "nowhere.json");
  const other = join(folder, "other.json");
  writeFileSync(other, "{}");
  for (const [words, settings, status, message] of [
    [
      [],
      {},
      2,
      /^There is no airline to check: BOATHOOK_AIRLINES_FILE names none \(docs\/airlines\.md\)\.\n$/,
    ],
    [["LH"], environment, 2, /^The airlines file has no airline of that code; it has F8\.\n$/],
    [["--awb", "020-12345675"], environment, 2, /^The airlines file has no airline with the prefix 020\.\n$/],
    [["--awb", "901-12345676"], environment, 2, /^--awb: 901-12345676 is no air waybill/],
    [["F8", "--replay", other], environment, 2, /^--replay stands alone/],
    [["--replay", missing], {}, 1, /nowhere\.json cannot be read: ENOENT/],
    [["--replay", other], {}, 1, /cannot be replayed: it holds no answers in the form/],
  ] as const) {
    const ran = await run(["airlines", "check", ...words], { environment: settings });
    assert.deepEqual([ran.status, ran.out], [status, ""], ran.err);
    assert.match(ran.err, message);
  }
});
