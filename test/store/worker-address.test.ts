/** Where a worker of Citus is, as the metadata and the coordinator's URL say. */
import assert from "node:assert/strict";
import { test } from "node:test";

import pg from "pg";

import { connectionConfig } from "../../src/store/database.ts";
import { workerAddress } from "../../src/store/homes/citus.ts";

const USER = "postgres://me:se%40cret@";

function reached(coordinator: string, host: string) {
  const address = workerAddress({ url: coordinator }, { schema: "s", host, port: 5433 });
  const client = new pg.Client(connectionConfig(address));
  return [client.host, client.port, client.user, client.password, client.database, client.ssl];
}

const same = (host: string) => [host, 5433, "me", "se@cret", "boathook", false];

test("a worker is reached by its name, its IPv4 or IPv6 address or its socket's folder", () => {
  for (const host of ["worker-1.example", "10.0.0.7", "::1", "fe80::1:2", "/var/run/postgresql"]) {
    assert.deepEqual(reached(`${USER}db-1:5432/boathook`, host), same(host));
  }
});

test("what the coordinator's URL says of its own host and port in its query is not the worker's", () => {
  for (const coordinator of [
    `${USER}localhost/boathook?host=%2Fvar%2Frun%2Fpostgresql&port=5999`,
    `${USER}[::1]:5432/boathook?host=db-1`,
    "postgres:///boathook?host=/tmp&user=me&password=se%40cret",
  ]) {
    assert.deepEqual(reached(coordinator, "worker-1"), same("worker-1"));
    assert.deepEqual(reached(coordinator, "::1"), same("::1"));
  }
  const [, , , , , ssl] = reached(`${USER}db-1/boathook?sslmode=no-verify`, "worker-1");
  assert.deepEqual(ssl, { rejectUnauthorized: false });
});
