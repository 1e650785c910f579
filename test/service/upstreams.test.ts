/** The upstreams that the files of an installation name, and the log about shipments whose source no file names. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync, chmodSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { createAuthority } from "../../src/runtime/certificates.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { products } from "../../src/products/index.ts";
import { readConfiguration } from "../../src/runtime/configuration.ts";
import { readConfigFiles } from "../../src/service/config-files.ts";
import { StartupError } from "../../src/runtime/startup-error.ts";
import { warnOfUnconfiguredSources } from "../../src/freight/polling/unconfigured-sources.ts";
import { logUpstreams } from "../../src/service/products.ts";
import { createTestDatabase, query } from "../support/database.ts";
import { recordingLog } from "../support/log.ts";
import { logStart } from "../../src/service/start-line.ts";
import { warnOfOpenFiles } from "../../src/service/open-files.ts";

const ownFolder = mkdtempSync(join(tmpdir(), "boathook-upstreams-"));
after(() => rmSync(ownFolder, { recursive: true }));

const file = (name: string, content: unknown): string => {
  const path = join(ownFolder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
};
/** The files that an environment names. */
async function filesOf(environment: Readonly<Record<string, string>>) {
  const read = readConfiguration(environment, products);
  if (read.kind === "invalid") assert.fail(read.message);
  return readConfigFiles(read.settings, products);
}
const CARRIER = {
  scac: "HRNL",
  name: "Heron Line",
  api: "dcsa-tnt-2.2" as const,
  baseUrl: "https://heron.example",
  headers: { "x-key": "sesame" },
};
const AIRLINE = { name: "Falcon", iata: "F8", prefixes: ["176", "901"], sources: [{ kind: "push" }] };
const AIS = { url: "https://ais.example/{imo}", fields: { status: "status", at: "at" } };

test("the named upstreams are read and logged in one line, without their secrets", async () => {
  const log = recordingLog();
  const files = await filesOf({
    BOATHOOK_CARRIERS_FILE: file("carriers.json", [CARRIER]),
    BOATHOOK_AIRLINES_FILE: file("airlines.json", [AIRLINE]),
    BOATHOOK_AIS_FILE: file("ais.json", AIS),
  });
  logUpstreams(products, files, log);
  assert.deepEqual(Object.fromEntries(files.ofProducts), {
    tracking: {
      carriersFile: { kind: "entries", entries: [CARRIER] },
      aisFile: { kind: "feed", feed: AIS },
    },
    air: { airlinesFile: { kind: "entries", entries: [AIRLINE] } },
    schedules: { schedulesFile: null },
    rates: {},
    loading: {},
    operations: {},
  });
  assert.equal(log.lines.length, 1);
  assert.deepEqual(log.lines[0]!.fields, {
    carriers: ["HRNL"],
    airlines: ["Falcon (176, 901)"],
    ais: "ais.example",
    schedules: [],
  });
});

test("without any file nobody is asked, and nothing said", async () => {
  const log = recordingLog();
  const files = await filesOf({});
  logUpstreams(products, files, log);
  assert.deepEqual(files.ofProducts.get("tracking"), { carriersFile: null, aisFile: null });
  assert.equal(files.authorities, null);
  assert.deepEqual(log.lines, []);
});

test("all errors in all files are reported at once", async () => {
  const settings = {
    BOATHOOK_EXTRA_CA_FILE: file("README.md", "# Certificates"),
    BOATHOOK_CARRIERS_FILE: file("wrong.json", [{ ...CARRIER, scac: "nope" }]),
    BOATHOOK_AIRLINES_FILE: join(ownFolder, "none.json"),
    BOATHOOK_AIS_FILE: file("wrong-ais.json", { ...AIS, url: "https://ais.example/" }),
    BOATHOOK_SCHEDULES_FILE: file("text.json", "{"),
  };
  await assert.rejects(filesOf(settings), (error) => {
    assert.ok(error instanceof StartupError);
    const lines = error.message.split("\n");
    assert.equal(lines.length, 5);
    assert.match(lines.shift()!, /^BOATHOOK_EXTRA_CA_FILE \(.*\) is wrong: it holds no certificate in PEM/);
    assert.match(lines[0]!, /^BOATHOOK_CARRIERS_FILE \(.*\) is wrong: \/0\/scac /);
    assert.match(lines[2]!, /^BOATHOOK_AIRLINES_FILE cannot be read: ENOENT/);
    assert.match(lines[1]!, /^BOATHOOK_AIS_FILE \(.*\) is wrong: \/url /);
    assert.match(lines[3]!, /^BOATHOOK_SCHEDULES_FILE \(.*\) is wrong: the schedules file is not JSON/);
    return true;
  });
});

test("authorities are read from among any other text in the file, and an unreadable one is reported", async () => {
  const { cert } = await createAuthority(0);
  const extraCaFile = file("ca.pem", `subject=ours\n${cert}\n${cert}`);
  assert.equal((await filesOf({ BOATHOOK_EXTRA_CA_FILE: extraCaFile })).authorities?.length, 2);
  const broken = file("broken.pem", `${cert}\n${cert.replace(/\n[^-]{20}/, "\n")}`);
  await assert.rejects(filesOf({ BOATHOOK_EXTRA_CA_FILE: broken }), /its certificate 2 cannot be read/);
});

test("live shipments whose source no file names are counted at the start, and ended ones are not", async (t) => {
  const on = await createTestDatabase({ cells: 2 });
  t.after(() => on.drop());
  const random = systemRandom();
  const track = async (cell: number, lane: string, isDue: boolean) => {
    const { schema } = on.cells[cell]!;
    const [accountId, id] = [random.uuid(0), random.uuid(0)];
    await query(on.address, `insert into ${schema}.accounts (id) values ($1)`, [accountId]);
    await query(
      on.address,
      `insert into ${schema}.shipments (id, account_id, reference, created_at) values ($1, $2, 'HRNU4000017', $3)`,
      [id, accountId, new Date(0)],
    );
    await query(
      on.address,
      `insert into ${schema}.polls (shipment_id, source, next_poll_at) values ($1, $2, $3)`,
      [id, lane, isDue ? new Date(0) : null],
    );
  };
  for (const lane of ["", "HRNL", "air:176", "GONE", "air:555"]) await track(0, lane, true);
  await track(0, "GONE", true);
  await track(1, "GONE", true);
  await track(1, "ENDED", false);
  const log = recordingLog();
  const asked = ["", "HRNL", "air:176", "air:901"];
  await warnOfUnconfiguredSources(on.database, on.cells, asked, log);
  assert.deepEqual(
    log.lines.map(({ level, fields }) => ({ level, fields })),
    [{ level: "warn", fields: { tracked: { GONE: 3, "air:555": 1 } } }],
  );
  const another = recordingLog();
  await warnOfUnconfiguredSources(on.database, [on.cells[1]!], [...asked, "GONE"], another);
  assert.deepEqual(another.lines, []);
});

function startLine(environment: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  const read = readConfiguration(environment, []);
  assert.ok(read.kind === "settings", read.kind === "invalid" ? read.message : "");
  const log = recordingLog();
  logStart(read.settings, 1, log);
  return log.lines[0]!.fields as Readonly<Record<string, unknown>>;
}

test("a start names its build, host and roles, and the database without its credentials", () => {
  const line = startLine({
    BOATHOOK_DATABASE_URL: "postgres://me:p%40ss@db.example/boathook?sslmode=require",
  });
  assert.match(String(line["version"]), /^\d+\.\d+\.\d+$/);
  assert.ok("commit" in line && typeof line["host"] === "string");
  assert.deepEqual([line["roles"], line["database"]], [["api", "deliver", "poll"], "db.example/boathook"]);
});

test("a start says that deliveries may reach private addresses, and nothing of it where they may not", () => {
  assert.equal("privateTargets" in startLine({}), false);
  assert.equal(startLine({ BOATHOOK_ALLOW_PRIVATE_TARGETS: "true" })["privateTargets"], true);
  const some = startLine({ BOATHOOK_ALLOW_PRIVATE_TARGETS: "127.0.0.0/8" });
  assert.deepEqual(some["privateTargets"], ["127.0.0.0/8"]);
});

test("files with secrets that others can read or change are named with their modes", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "boathook-modes-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const modes = {
    "master.key": 0o644,
    "operator.token": 0o640,
    "carriers.json": 0o604,
    "airlines.json": 0o620,
  };
  for (const [name, mode] of Object.entries(modes)) {
    writeFileSync(join(folder, name), "");
    chmodSync(join(folder, name), mode);
  }
  const configuration = readConfiguration(
    {
      BOATHOOK_DATA_DIR: folder,
      BOATHOOK_CARRIERS_FILE: join(folder, "carriers.json"),
      BOATHOOK_AIRLINES_FILE: join(folder, "airlines.json"),
    },
    products,
  );
  assert.ok(configuration.kind === "settings");
  const log = recordingLog();
  warnOfOpenFiles(configuration.settings, products, log);
  const named = new Map(log.lines.map(({ fields }) => Object.values(fields) as [string, string]));
  assert.deepEqual(
    named,
    new Map([
      [join(folder, "master.key"), "644"],
      [join(folder, "carriers.json"), "604"],
      [join(folder, "airlines.json"), "620"],
    ]),
  );
  assert.ok(log.lines.every(({ level }) => level === "warn"));
});
