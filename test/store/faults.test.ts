/** The faults of the database, distinguished by SQLSTATE. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";

import fc from "fast-check";
import pg from "pg";

import { STORE_FAULTS, StoreUnavailable, type StoreFault } from "../../src/model/errors.ts";
import type { Database, DatabaseAddress } from "../../src/store/database.ts";
import { openDatabase } from "../../src/store/open-database.ts";
import { faultOf, storeFault, type DatabaseFault } from "../../src/store/faults.ts";
import { createTestDatabase, query, type TestDatabase } from "../support/database.ts";
import { forAll } from "../support/runs.ts";

function thrown(code: string, severity = "ERROR"): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError("the server's own words", 0, "error"), { code, severity });
}

const CLASSES: readonly (readonly [fault: DatabaseFault, states: readonly string[]])[] = [
  ["unreachable", ["08000", "08003", "08006", "08P01", "CIINF"]],
  ["moved", ["BHMOV"]],
  ["restarting", ["57P01", "57P02", "57P03", "57P05"]],
  ["too_many_connections", ["53300"]],
  ["disk_full", ["53100"]],
  ["out_of_resources", ["53000", "53200", "53400"]],
  ["file_error", ["58000", "58030", "58P01"]],
  ["read_only", ["25006"]],
  ["access_denied", ["42501", "28000", "28P01", "3D000"]],
  ["contention", ["40001", "40P01", "55000", "55P03", "57014"]],
  ["other", ["23505", "22008", "42P01", "25P02", "XX000", "0A000"]],
];

test("each state is of its class", () => {
  for (const [fault, states] of CLASSES)
    for (const state of states) assert.equal(faultOf(thrown(state)), fault, state);
  // A session that a database does not take for now is no statement that gave way.
  assert.equal(faultOf(thrown("55000", "FATAL")), "restarting");
});

test("a state is of one of eleven classes, and what is the statement's own fault stays what it was", () => {
  const known = new Set<string>([...Object.keys(STORE_FAULTS), "other"]);
  const character = fc.constantFrom(..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".split(""));
  forAll(100, fc.string({ unit: character, minLength: 5, maxLength: 5 }), (state) => {
    const error = thrown(state);
    const fault = faultOf(error);
    assert.ok(known.has(fault));
    const passedOn = storeFault(error);
    if (fault === "other") return assert.equal(passedOn, error);
    assert.ok(passedOn instanceof StoreUnavailable);
    assert.deepEqual([passedOn.reason, passedOn.message], [fault, STORE_FAULTS[fault]]);
    assert.equal(passedOn.cause, error);
  });
});

test("what is no answer of the server's is a connection that is lost, or was never made", () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED"), { syscall: "connect" });
  for (const [error, inDoubt] of [
    [refused, false],
    [new Error("Connection terminated unexpectedly"), true],
  ] as const) {
    const told = storeFault(error) as StoreUnavailable;
    assert.deepEqual([told.reason, told.commitUnknown], ["unreachable", inDoubt]);
  }
});

test("what the server refused it undid, and a session that it did not let in has done nothing", () => {
  for (const state of ["53100", "53200", "25006", "42501", "40001"]) {
    assert.equal((storeFault(thrown(state)) as StoreUnavailable).commitUnknown, false, state);
  }
  for (const state of ["57P03", "53300", "28P01", "28000", "3D000", "42501"]) {
    assert.equal((storeFault(thrown(state, "FATAL")) as StoreUnavailable).commitUnknown, false, state);
  }
  for (const state of ["57P01", "57P02", "53100", "08006"]) {
    assert.equal((storeFault(thrown(state, "FATAL")) as StoreUnavailable).commitUnknown, true, state);
  }
});

test("what a coordinator of Citus says of a server that it lost is a passing fault, the commit unknown", () => {
  for (const [code, message] of [
    ["XX000", "failure on connection marked as essential: 127.0.0.1:9701"],
    ["XX000", "could not commit transaction for shard 102008 on at least one active node"],
    ["08006", "connection to the remote node boathook@127.0.0.1:9701 failed"],
    ["57P01", "terminating connection due to administrator command"],
    ["CIINF", "result is not there"],
  ] as const) {
    const told = storeFault(Object.assign(thrown(code), { message }));
    assert.ok(told instanceof StoreUnavailable, code);
    assert.equal(told.commitUnknown, true, code);
  }
});

test("a table that is gone is the statement's own fault, unless it is a shard of a cell that has moved", () => {
  const gone = (table: string) => {
    const message = `relation "boathook_cell_0.${table}" does not exist`;
    return faultOf(Object.assign(thrown("42P01"), { message }));
  };
  assert.deepEqual([gone("queue"), gone("queue_102079")], ["other", "moved"]);
  assert.equal((storeFault(thrown("BHMOV")) as StoreUnavailable).commitUnknown, false);
});

const OWN_SERVER = "roles without a password get in on the tests' own server only";

describe("a database that refuses", () => {
  let made: TestDatabase;
  const role = `boathook_refused_${process.pid}`;
  before(async () => {
    made = await createTestDatabase();
    await query(made.address, `create role ${role} login`);
  });
  after(async () => {
    await query(made.address, `drop owned by ${role}; drop role ${role}`);
    await made.drop();
  });

  const heard: string[] = [];
  const watch = {
    done: (what: string) => void heard.push(`${what}: done`),
    failed: (what: string, fault: DatabaseFault) => void heard.push(`${what}: ${fault}`),
  };

  async function asked(
    address: Partial<Extract<DatabaseAddress, { socketFolder: string }>>,
    work: (database: Database) => Promise<unknown>,
  ): Promise<StoreUnavailable> {
    heard.length = 0;
    const database = openDatabase(
      { ...made.address, user: role, ...address },
      {
        ...{ sessionName: "boathook test", connectionsMax: 2, connectTimeoutMs: 5_000, watch },
        onIdleError: () => undefined,
      },
    );
    try {
      await work(database);
    } catch (cause) {
      assert.ok(cause instanceof StoreUnavailable, String(cause));
      return cause;
    } finally {
      await database.close();
    }
    throw new Error("it did not refuse");
  }

  const ONE = { name: "one", text: "select 1" };
  const MAKE = { name: "make", text: "create table refused ()" };

  const ask = (database: Database) => database.rows(ONE, []);
  const begin = (database: Database) => database.transaction((tx) => tx.rows(ONE, []));
  const listen = (database: Database) => database.dedicated(made.cells[0]!, () => undefined);
  const create = (database: Database) => database.rows(MAKE, []);
  const readOnly = "set default_transaction_read_only = on";
  type Refusal = readonly [
    what: string,
    fault: StoreFault,
    alteration: string,
    work: (database: Database) => Promise<unknown>,
    heard: string,
    address?: { readonly database?: string; readonly user?: string; readonly port?: number },
  ];
  const refusals: readonly Refusal[] = [
    ["a role that may have no more sessions", "too_many_connections", "connection limit 0", begin, "connect"],
    ["a role that may have none to listen", "too_many_connections", "connection limit 0", listen, "connect"],
    ["a role that may not log in", "access_denied", "nologin", ask, "connect"],
    ["a database that there is not", "access_denied", "login", ask, "connect", { database: "nowhere" }],
    ["a user that there is not", "access_denied", "login", ask, "connect", { user: "nobody_at_all" }],
    ["a right that is missing", "access_denied", "login", create, "make"],
    ["transactions that may only read", "read_only", readOnly, create, "make"],
    ["a port that nobody listens on", "unreachable", "login", ask, "one", { port: 1 }],
  ];
  for (const [what, fault, alteration, work, expected, address = {}] of refusals) {
    test(`reports ${what}`, async (t) => {
      if ("url" in made.address) return t.skip(OWN_SERVER);
      await query(made.address, `alter role ${role} connection limit -1 login; alter role ${role} reset all`);
      await query(made.address, `alter role ${role} ${alteration}`);
      const { reason, commitUnknown } = await asked(address, work);
      const first = expected === "make" ? ["connect: done"] : [];
      assert.deepEqual([reason, commitUnknown, heard], [fault, false, [...first, `${expected}: ${fault}`]]);
    });
  }

  test("tells what goes well too, and nothing once it is closed", async (t) => {
    if ("url" in made.address) return t.skip(OWN_SERVER);
    await query(made.address, `alter role ${role} connection limit -1 login; alter role ${role} reset all`);
    await asked({}, async (database) => {
      await database.transaction((tx) => tx.rows(ONE, []));
      await database.close();
      await database.rows(ONE, []);
    }).catch(() => undefined);
    assert.deepEqual(heard, [
      "connect: done",
      "take a connection: done",
      "begin: done",
      "one: done",
      "commit: done",
    ]);
  });
});
