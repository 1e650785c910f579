/** A PostgreSQL that admits TLS alone, as managed ones do: each mode of its URL, on a real server. */
import assert from "node:assert/strict";
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";

import { createAuthority, validAround } from "../../src/runtime/certificates.ts";
import { run as runCommand } from "../cli/run.ts";
import { databaseFolder } from "../support/database-folder.ts";
import { query } from "../support/database.ts";
import { startPrivatePostgres } from "../support/private-postgres.ts";
import { ask } from "./boathook.ts";
import { run } from "./running.ts";

const ROLE = "boathook_over_tls";
const PASSWORD = "p@ss word/1";
/** Of this test alone: the embedded PostgreSQL has one port. */
const ADDRESS = "127.77.0.5";
const OTHER_ADDRESS = "127.77.0.6";
const PORT = 5432;
const MASTER_KEY = Buffer.alloc(32, 1).toString("base64");

describe("a database over TLS", () => {
  let certificates: string;
  let postgres: Awaited<ReturnType<typeof startPrivatePostgres>>;
  let dataFolder: string;

  before(async () => {
    dataFolder = mkdtempSync(join(databaseFolder(), "boathook-tls-"));
    chmodSync(dataFolder, 0o711);
    await (await startPrivatePostgres({ dataFolder })).stop();
    // PostgreSQL reads a key only when it is its user's own.
    certificates = join(dataFolder, "postgres");
    const { uid, gid } = statSync(certificates);
    const put = (name: string, text: string): string => {
      const path = join(certificates, name);
      writeFileSync(path, text, { mode: 0o600 });
      chownSync(path, uid, gid);
      return path;
    };
    const authority = await createAuthority(Date.now());
    const other = await createAuthority(Date.now(), "Nobody");
    const { cert, key } = await authority.issue({ hosts: [ADDRESS], ...validAround(Date.now()) });
    put("authority.pem", authority.cert);
    put("other.pem", other.cert);
    const settings = {
      listen_addresses: `${ADDRESS},${OTHER_ADDRESS}`,
      ssl: "on",
      ssl_cert_file: put("server.pem", cert),
      ssl_key_file: put("server.key", key),
      hba_file: put(
        "tls_hba.conf",
        "local all all peer map=boathook\nhostssl all all 127.0.0.0/8 scram-sha-256\n",
      ),
    };
    postgres = await startPrivatePostgres({ dataFolder, settings });
    await query(
      postgres.address,
      `create role ${ROLE} login password '${PASSWORD}'; grant create on database postgres to ${ROLE}`,
    );
  });
  after(async () => {
    await postgres.stop();
    rmSync(dataFolder, { recursive: true, force: true });
  });

  const authorityFile = (name: string): string => `&sslrootcert=${join(certificates, name)}`;
  const settingsFor = (parameters: string, host = ADDRESS) => ({
    BOATHOOK_DATA_DIR: dataFolder,
    BOATHOOK_DATABASE_URL: `postgres://${ROLE}:${encodeURIComponent(PASSWORD)}@${host}:${PORT}/postgres${parameters}`,
    BOATHOOK_MASTER_KEY: MASTER_KEY,
    BOATHOOK_OPERATOR_TOKEN: "the-operator-of-this-test",
    BOATHOOK_CELLS: "1",
    BOATHOOK_LOG_LEVEL: "error",
  });

  const AUTHORITY = () => authorityFile("authority.pem");
  const ACCEPTED: readonly (readonly [mode: string, parameters: () => string, host?: string])[] = [
    ...["verify-full", "verify-ca", "require", "prefer"].map((mode) => [mode, AUTHORITY] as const),
    ["no-verify", () => "", OTHER_ADDRESS],
  ];
  for (const [mode, parameters, host] of ACCEPTED) {
    test(`sslmode=${mode} serves, with all of its sessions encrypted`, async (t) => {
      const service = await run(t, settingsFor(`?sslmode=${mode}${parameters()}`, host));
      assert.equal((await ask("GET", `${service.opsUrl}/readyz`, "")).status, 200);
      assert.deepEqual(await sessions(), [{ ssl: true }]);
      await service.stop();
    });
  }

  const REFUSED: readonly (readonly [what: string, parameters: () => string, says: RegExp, host?: string])[] =
    [
      ["an authority that is not named", () => "?sslmode=require", /certificate.*by &sslrootcert=/],
      [
        "another authority",
        () => `?sslmode=verify-full${authorityFile("other.pem")}`,
        /certificate.*by &sslrootcert=/,
      ],
      [
        "a certificate of another host",
        () => `?sslmode=verify-full${AUTHORITY()}`,
        /127\.77\.0\.6/,
        OTHER_ADDRESS,
      ],
      ["no encryption", () => "", /no encryption.*sslmode=verify-full/],
      [
        "a file that is not there",
        () => "?sslmode=verify-full&sslrootcert=/nowhere/a.pem",
        /\/nowhere\/a\.pem/,
      ],
    ];
  for (const [what, parameters, says, host] of REFUSED) {
    test(`${what} is refused at the start, with the reason and without the password`, async () => {
      const environment = { ...settingsFor(parameters(), host), BOATHOOK_WORKERS: "1" };
      const { status, err } = await runCommand(["serve"], { environment });
      assert.equal(status, 1, err);
      assert.match(err, says);
      assert.ok(!err.includes("p@ss") && !err.includes("p%40ss"), err);
    });
  }

  async function sessions(): Promise<readonly object[]> {
    const sql = `select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid) where usename = '${ROLE}'`;
    return (await query(postgres.address, sql)).rows;
  }
});
