/** What the driver gets for a database's URL, and for a worker of Citus. */
import assert from "node:assert/strict";
import { test } from "node:test";

import pg from "pg";

import { connectionConfig } from "../../src/store/database.ts";
import { workerAddress } from "../../src/store/homes/citus.ts";

const HOST = "postgres://me:se%40cret@db.example/boathook";

test("sslmode checks the server's certificate without a warning, and other modes are the driver's", (t) => {
  const warned: unknown[] = [];
  t.mock.method(process, "emitWarning", (warning: unknown) => warned.push(warning));
  for (const mode of ["prefer", "require", "verify-ca", "verify-full"]) {
    const client = new pg.Client(connectionConfig({ url: `${HOST}?application_name=a&sslmode=${mode}` }));
    assert.deepEqual([client.ssl, client.password, warned], [{}, "se@cret", []], mode);
  }
  for (const query of [
    "",
    "?sslmode=disable",
    "?sslmode=no-verify",
    "?uselibpqcompat=true&sslmode=require",
  ]) {
    const url = `${HOST}${query}`;
    assert.deepEqual(connectionConfig({ url }), { connectionString: url });
  }
});

test("a worker is reached by its name, address or socket's folder, whatever the coordinator's URL says of its own", () => {
  const reached = (coordinator: string, host: string) => {
    const client = new pg.Client(
      connectionConfig(workerAddress({ url: coordinator }, { schema: "s", host, port: 5433 })),
    );
    return [client.host, client.port, client.user, client.password, client.database, client.ssl];
  };
  for (const coordinator of [
    "postgres://me:se%40cret@db-1:5432/boathook",
    "postgres://me:se%40cret@localhost/boathook?host=%2Fvar%2Frun%2Fpostgresql&port=5999",
    "postgres://me:se%40cret@[::1]:5432/boathook?host=db-1",
    "postgres:///boathook?host=/tmp&user=me&password=se%40cret",
  ])
    for (const host of ["worker-1.example", "10.0.0.7", "::1", "fe80::1:2"])
      assert.deepEqual(reached(coordinator, host), [host, 5433, "me", "se@cret", "boathook", false]);
  assert.deepEqual(reached(HOST, "/var/run/postgresql").slice(0, 2), ["/var/run/postgresql", 5433]);
  assert.deepEqual(reached(`${HOST}?sslmode=no-verify`, "worker-1")[5], { rejectUnauthorized: false });
});
