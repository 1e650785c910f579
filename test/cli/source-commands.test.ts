/** `boathook carriers`, `airlines` and `schedules`, as they are typed: their catalogues, and checks of entries. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test, type TestContext } from "node:test";

import { JOURNEYS_FOLDER, serveReplay } from "../../packages/simulator/src/replay/server.ts";
import { shippedCatalogue } from "../../src/freight/source-catalogue/carriers.ts";
import { shippedCatalogue as shippedAirlines } from "../../src/products/air/sources/catalogue/catalogue.ts";
import { HERON } from "../ocean/shipping-lines.ts";
import { csService, transportCall } from "../schedules/sources/answers.ts";
import { inDays } from "../schedules/sources/feed-scene.ts";
import { serving } from "../upstream/serving.ts";
import { run } from "./run.ts";

const folder = mkdtempSync(join(tmpdir(), "boathook-sources-"));
after(() => rmSync(folder, { recursive: true }));

const kept = join(folder, "kept");

/** The settings that name a file of these entries. */
function fileOf(kind: "CARRIERS" | "AIRLINES" | "SCHEDULES", ...entries: readonly object[]) {
  const file = join(folder, `${kind.toLowerCase()}.json`);
  writeFileSync(file, JSON.stringify(entries));
  return { [`BOATHOOK_${kind}_FILE`]: file };
}

test("a catalogue lists each source with what you need and where to apply", async () => {
  const listed = await Promise.all(
    ["carriers", "airlines", "schedules"].map(async (group) => (await run([group, "catalogue"])).out),
  );
  const [carriers = "", airlines = "", schedules = ""] = listed;
  const known = [
    ...shippedCatalogue().map((entry) => ({ ...entry, code: entry.scac, out: carriers })),
    ...shippedAirlines().map((entry) => ({ ...entry, out: airlines })),
  ];
  for (const { code, name, apply, out } of known) {
    const line = out.split("\n").find((one) => one.startsWith(code));
    assert.ok(line?.includes(name) && line.includes(apply.url), code);
  }
  assert.match(carriers, /^MAEU +Maersk +clientId, clientSecret +https:\/\/developer\.maersk\.com$/m);
  assert.match(carriers, /^OOLU +OOCL +not polled: it has no public API /m);
  assert.match(airlines, /^LH +Lufthansa Cargo +own API, .* +apiKey +https:\/\/developer\.lufthansa-cargo/m);
  assert.match(airlines, /^KL AF +.* +clientId, clientSecret, tokenUrl +https/m);
  assert.match(airlines, /^SEARATES +.* +apiKey, answer +https/m);
  assert.match(
    schedules,
    /^MAEU +Maersk +services, vessels, ports, pairs +apiKey +https:\/\/developer\.maersk/m,
  );
  assert.match(schedules, /^HDMU +HMM +- +not polled: its schedules have a form of their own /m);
  assert.match(airlines, /^CX +Cathay Cargo +ONE Record +not polled: no public page/m);
});

for (const [words, shown] of [
  [
    ["carriers", "catalogue", "aplu"],
    [
      /^Carrier +CMDU CMA CGM$/m,
      /^Bills begin +CMDU APLU ANNU CHNL$/m,
      /^ {2}\{"carrier":"CMDU","apiKey":"…"\}$/m,
    ],
  ],
  [
    ["airlines", "catalogue", "af"],
    [
      /^Airline +KL Air France KLM Martinair Cargo$/m,
      /^ {2}\{"airline":"KL","clientId":"…","clientSecret":"…","tokenUrl":"…"\}$/m,
    ],
  ],
  [
    ["airlines", "catalogue", "searates"],
    [/^You add +answer: the reference shows the beginning of an answer only/m],
  ],
  [
    ["airlines", "catalogue", "cargoai"],
    [/^Provider +CARGOAI CargoAi$/m, /^ {2}\{"airline":"QR","by":"CARGOAI","rapidApiKey":"…"\}$/m],
  ],
  [
    ["schedules", "catalogue", "maeu"],
    [
      /^Feeds:\n {2}cs-vessel-schedules, by services, vessels, ports\n {2}cs-point-to-point, by pairs$/m,
      /^ {2}\{"carrier":"MAEU","apiKey":"…","ports":\["NLRTM"\],"pairs":/m,
    ],
  ],
] as const) {
  test(`${words.join(" ")}: one is shown with its sources and what nobody found, also by another code`, async () => {
    const { status, out } = await run(words);
    assert.equal(status, 0);
    const always = [/^Not known:\n {2}\w/m, /^ {2}https:\/\/\S+ \(\d{4}-\d\d-\d\d\): /m];
    for (const pattern of [...shown, ...always]) assert.match(out, pattern);
  });
}

test("one of a catalogue is printed as JSON, and one that it has not is refused", async () => {
  const json = await run(["carriers", "catalogue", "CMDU", "--json"]);
  const entry = shippedCatalogue().find(({ scac }) => scac === "CMDU");
  assert.deepEqual(JSON.parse(json.out), entry);
  for (const [group, none] of [
    ["carriers", "no carrier of that SCAC"],
    ["airlines", "no airline or provider of that code"],
    ["schedules", "no schedules of that carrier"],
  ] as const) {
    const { status, err } = await run([group, "catalogue", "XXXX"]);
    const message = `The catalogue has ${none}; \`boathook ${group} catalogue\` lists all.\n`;
    assert.deepEqual([status, err], [1, message]);
  }
});

async function replayed(t: TestContext, speed: number, from = JOURNEYS_FOLDER) {
  const carrier = await serveReplay({ folder: from, speed, clock: { nowMs: () => Date.now() } });
  t.after(() => carrier.close());
  return carrier;
}

test("a check of a carrier prints each step, what the answer becomes, and where it is kept", async (t) => {
  const { url } = await replayed(t, 1e9);
  const environment = fileOf("CARRIERS", { ...HERON, baseUrl: url, headers: { "x-key": "a-secret-key" } });
  const words = ["carriers", "check", "hrnl", "--reference", "HRNU 400001-7", "--record", kept];
  const { status, out, err } = await run(words, { environment });
  assert.deepEqual([status, err], [0, ""]);
  for (const pattern of [
    /^HRNL Heron Lines\nSTEP +OF +MS +CAME BACK\nname +127\.0\.0\.1 +passed +\d+ +127\.0\.0\.1\n/,
    /^tls +127\.0\.0\.1:\d+ +skipped +\d+ +the address begins with http:\/\//m,
    /^question +HRNU4000017 +passed +\d+ +HTTP 200, \d+ bytes, \d+ events on one page by container_id$/m,
    /^Asked:\n {2}GET http:\/\/127\.0\.0\.1:\d+\/\S*events\?\S*equipmentReference=HRNU4000017/m,
    /^Reference +HRNU4000017 \(container_id\)\nStatus +returned_empty$/m,
    /^\S+Z +actual +- +Vessel departure +JPYOK +HERON /m,
    /^Would have been raised:\n(?: {2}.*\n)* {2}\S+Z {2}vessel_departed$/m,
    /^ {2}\S+Z {2}shipment_updated \([a-z, ]+\)$/m,
  ])
    assert.match(out, pattern);
  const file = join(kept, "HRNL-HRNU4000017.json");
  assert.ok(out.endsWith(`\nKept in ${file}\n`));
  assert.ok(!(out + readFileSync(file, "utf8")).includes("a-secret-key"));
  const again = join(folder, "again");
  await run([...words.slice(0, -1), again], { environment });
  const { references } = await replayed(t, 1e9, again);
  assert.ok(references.some(({ value }) => value === "HRNU4000017"));
});

test("a step that fails says what to do, and ends the check with status 1", async (t) => {
  const { url } = await replayed(t, 1);
  const environment = fileOf("CARRIERS", { ...HERON, baseUrl: url });
  const unknown = await run(["carriers", "check", "--reference", "MSKU1234565"], { environment });
  assert.equal(unknown.status, 1);
  assert.match(unknown.out, /^question +MSKU1234565 +failed .*not found$/m);
  assert.match(unknown.out, /^To do:\n {2}question MSKU1234565: The carrier does not know this reference/m);
  const json = await run(["carriers", "check", "--json"], { environment });
  const { checks, summary } = JSON.parse(json.out);
  assert.deepEqual(summary, { right: 1, wrong: 0, notAsked: 0, failures: [] });
  assert.deepEqual([json.status, checks[0].passed, checks[0].outcome], [0, true, null]);
});

const FALCON = { name: "Falcon Air Cargo", iata: "F8", prefixes: ["901"] };
const PUSH = { ...FALCON, sources: [{ kind: "push" }] };

/** Yesterday, in Cargo-IMP. */
const DAY = new Date(Date.now() - 86_400_000)
  .toUTCString()
  .replace(/^\w+, (\d\d) (\w+) .*$/, "$1$2")
  .toUpperCase();
const FSA = `FSA/14\r\n901-12345675AMSJFK/T10K250\r\nRCS/${DAY}0930/AMS/T10K250\r\n`;

test("a check of an airline prints what its answer becomes, and kept answers become the same", async () => {
  await serving(
    (request, response) => {
      const isKnown = request.url === "/fsr/90112345675" && request.headers["x-key"] === "a-secret-key";
      response.writeHead(isKnown ? 200 : 404).end(isKnown ? FSA : "");
    },
    async ({ url }) => {
      const headers = { "x-key": "a-secret-key" };
      const sources = [{ kind: "fsr", url: `${url}/fsr/{awb}`, method: "GET", headers }];
      const pushed = { ...PUSH, iata: "P8", prefixes: ["902"] };
      const environment = fileOf("AIRLINES", { ...FALCON, sources }, pushed);
      const words = ["airlines", "check", "--awb", "901-1234 5675", "--record", kept];
      const { status, out, err } = await run(words, { environment });
      assert.deepEqual([status, err], [0, ""]);
      for (const pattern of [
        /^F8 Falcon Air Cargo, 901-12345675\nSTEP /,
        /^question +1 fsr, 901-12345675 +passed +\d+ +HTTP 200, \d+ bytes, 1 events$/m,
        /^Waybill +901-12345675\nStatus +Accepted\nRoute +AMS > JFK$/m,
        /^\S+Z +RCS +Received from shipper +AMS$/m,
        /^Would have been raised:\n {2}\S+Z {2}awb_accepted$/m,
      ])
        assert.match(out, pattern);
      const file = join(kept, "F8-90112345675.json");
      assert.ok(out.endsWith(`\nKept in ${file}\n`));
      const again = await run(["airlines", "check", "--replay", file]);
      assert.equal(again.status, 0, again.err);
      const becomes = (text: string): string => text.slice(text.indexOf("\nWaybill"), text.indexOf("\nKept"));
      assert.equal(becomes(`${again.out}\nKept`), becomes(out));
      const json = await run(["airlines", "check", "--json"], { environment });
      const { checks, summary } = JSON.parse(json.out);
      assert.deepEqual(summary, { right: 1, wrong: 0, notAsked: 1, failures: [] });
      assert.deepEqual(
        checks.map(({ iata, passed }: { iata: string; passed: boolean }) => [iata, passed]),
        [
          ["F8", true],
          ["P8", true],
        ],
      );
    },
  );
});

const FEED = { name: "heron", carrier: "HRNL", kind: "cs-vessel-schedules" };
const GULL = { name: "gull-pushed", carrier: "GULL", kind: "cs-port-schedules" };
const ARRIVAL = { eventTypeCode: "ARRI", eventClassifierCode: "EST", eventDateTime: inDays(9) };
const SAILINGS = [
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

test("a check of feeds prints what each answer becomes, and ends with how many are right and where others fail", async () => {
  await serving(
    (request, response) => {
      const isKnown = request.url!.startsWith("/right");
      response.writeHead(isKnown ? 200 : 401).end(isKnown ? JSON.stringify(SAILINGS) : "who are you?");
    },
    async ({ url }) => {
      const heron = { ...FEED, url: `${url}/right`, services: ["FE1", "FE2"] };
      const wren = { ...heron, name: "wren", url: `${url}/wrong` };
      const tern = { ...heron, name: "tern", url: "http://127.0.0.1:1/" };
      const environment = fileOf("SCHEDULES", heron, GULL);
      const { status, out, err } = await run(["schedules", "check", "--record", kept], { environment });
      assert.deepEqual([status, err], [0, ""]);
      for (const pattern of [
        /^heron: cs-vessel-schedules of HRNL\nSTEP /,
        /^question +carrierServiceCode=FE1 +passed +\d+ +HTTP 200, \d+ bytes, calls: 31$/m,
        /^Calls +31\n\nPORT +CARRIER +SERVICE +VOYAGE /m,
        /^NLRTM +HRNL +FE1 +600W +Grey Heron +9321483 +\S+Z /m,
        /^and 1 more: --json has all$/m,
        /^gull-pushed: [^]*skipped +\d+ +it is pushed: nothing to ask$/m,
        /\n\n2 feeds: 1 right, 1 not asked, 0 wrong\.\n$/,
      ])
        assert.match(out, pattern);
      const again = await run(["schedules", "check", "--replay", join(kept, "heron.json"), "--json"]);
      const asked = await run(["schedules", "check", "heron", "--json"], { environment });
      const [{ outcome }] = JSON.parse(asked.out).checks;
      assert.deepEqual(JSON.parse(again.out).checks[0].outcome, outcome);
      const [{ port, id }] = outcome.calls;
      assert.deepEqual([outcome.calls.length, port, id], [31, "NLRTM", undefined]);

      const one = await run(["schedules", "check"], { environment: fileOf("SCHEDULES", heron, wren, GULL) });
      assert.equal(one.status, 1);
      for (const pattern of [
        /^question +carrierServiceCode=FE1 +failed +\d+ +HTTP 401 who are you\?$/m,
        /^To do:\n {2}question carrierServiceCode=FE1: The carrier refuses the credentials/m,
        /\n\n3 feeds: 1 right, 1 not asked, 1 wrong \(wren at question of carrierServiceCode=FE1\)\.\n$/,
      ])
        assert.match(one.out, pattern);
      const three = { environment: fileOf("SCHEDULES", heron, wren, tern) };
      const two = await run(["schedules", "check"], three);
      const [rows, of] = [
        "wren +question +carrier\\S+\\ntern +question +carrier\\S+\\n",
        "carrierServiceCode=FE1",
      ];
      const end = `\\n\\n3 feeds: 1 right, 2 wrong\\.\\nWRONG +STEP +OF\\n${rows}$`;
      assert.match(two.out, new RegExp(end));
      const { summary } = JSON.parse((await run(["schedules", "check", "--json"], three)).out);
      const failures = ["wren", "tern"].map((name) => ({ name, step: "question", of }));
      assert.deepEqual(summary, { right: 1, wrong: 2, notAsked: 0, failures });
      assert.doesNotMatch((await run(["schedules", "check", "heron"], three)).out, /feeds:/);
    },
  );
});

test("a file that is wrong is refused with a line for each mistake, and its place", async () => {
  const many = { ...FEED, url: "https://heron.example/v1", services: ["FE1"], daysAhead: 400, kind: "cs" };
  const { status, err } = await run(["schedules", "check"], {
    environment: fileOf("SCHEDULES", many, { ...GULL, ports: ["R"] }),
  });
  assert.equal(status, 2);
  assert.match(
    err,
    /^BOATHOOK_SCHEDULES_FILE \(.+\) is wrong:\n {2}\/0\/kind must be one of .+\.\n {2}\/0\/daysAhead/,
  );
  assert.match(err, /\n {2}\/1\/ports\/0 must be a UN\/LOCODE: .+\.\n$/);
});

test("a check without an entry, of another one, of nothing that can be asked or of no recording is refused", async () => {
  const [carriers, airlines] = [fileOf("CARRIERS", HERON), fileOf("AIRLINES", PUSH)];
  const feeds = fileOf("SCHEDULES", GULL);
  const nowhere = join(folder, "nowhere.json");
  const other = join(folder, "other.json");
  writeFileSync(other, "{}");
  const nobody = "01a1fc98-3684-702d-8add-9c7eb13bfa2f";
  for (const [words, environment, status, message] of [
    [
      "carriers",
      {},
      2,
      /^There is no carrier to check: BOATHOOK_CARRIERS_FILE names none \(docs\/carriers\.md\)\.\n$/,
    ],
    [
      "airlines",
      {},
      2,
      /^There is no airline to check: BOATHOOK_AIRLINES_FILE names none \(docs\/airlines\.md\)\.\n$/,
    ],
    [
      "schedules",
      {},
      2,
      /^There is no feed to check: BOATHOOK_SCHEDULES_FILE names none \(docs\/schedules\.md\)\.\n$/,
    ],
    ["carriers MAEU", carriers, 2, /^The carriers file has no carrier of that SCAC; it has HRNL\.\n$/],
    ["airlines LH", airlines, 2, /^The airlines file has no airline of that code; it has F8\.\n$/],
    ["schedules heron", feeds, 2, /^The schedules file has no feed of that name; it has gull-pushed\.\n$/],
    ["carriers --reference MSKU1234566", carriers, 2, /^--reference: MSKU1234566 .*MSKU1234565/],
    [`carriers --account ${nobody}`, carriers, 2, /^--account: no entry has this id in `accounts`/],
    [
      "airlines --awb 020-12345675",
      airlines,
      2,
      /^The airlines file has no airline with the prefix 020\.\n$/,
    ],
    ["airlines --awb 901-12345676", airlines, 2, /^--awb: 901-12345676 is no air waybill/],
    [`carriers --record ${other}`, carriers, 2, /^--record: \S+other\.json cannot be written to: ENOTDIR/],
    ["schedules --record /proc/nowhere", feeds, 2, /^--record: \/proc\/nowhere cannot be written to: ENOENT/],
    [
      `airlines F8 --replay ${other}`,
      airlines,
      2,
      /^--replay stands alone: the file says which airline and waybill it/,
    ],
    [`schedules heron --replay ${other}`, feeds, 2, /^--replay stands alone: the file says which feed it/],
    [`airlines --replay ${nowhere}`, {}, 1, /nowhere\.json cannot be read: ENOENT/],
    [`schedules --replay ${other}`, {}, 1, /cannot be replayed: it holds no answers in the form/],
  ] as const) {
    const [group = "", ...rest] = words.split(" ");
    const ran = await run([group, "check", ...rest], { environment });
    assert.deepEqual([ran.status, ran.out], [status, ""], ran.err);
    assert.match(ran.err, message);
  }
});
