/** What the driver gets for a database's URL. */
import assert from "node:assert/strict";
import { test } from "node:test";

import pg from "pg";

import { connectionConfig } from "../../src/store/database.ts";

const URL_START = "postgres://me:p%40ss@db.example/boathook";

for (const mode of ["prefer", "require", "verify-ca", "verify-full"]) {
  test(`sslmode=${mode} checks the server's certificate, and prints no warning`, (t) => {
    const warned: unknown[] = [];
    t.mock.method(process, "emitWarning", (warning: unknown) => warned.push(warning));
    const client = new pg.Client(
      connectionConfig({ url: `${URL_START}?application_name=a&sslmode=${mode}` }),
    );
    assert.deepEqual([client.ssl, client.password, warned], [{}, "p@ss", []]);
  });
}

test("other modes are the driver's, and all with libpq's meaning", () => {
  for (const query of [
    "",
    "?sslmode=disable",
    "?sslmode=no-verify",
    "?uselibpqcompat=true&sslmode=require",
  ]) {
    const url = `${URL_START}${query}`;
    assert.deepEqual(connectionConfig({ url }), { connectionString: url });
  }
});
