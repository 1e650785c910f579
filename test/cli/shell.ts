/** A command line on a database and a folder of a test's own. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { run, settingsFor, type Ran } from "./run.ts";

export type Shell = {
  readonly test: TestDatabase;
  /** Settings to change between commands. */
  readonly environment: Record<string, string>;
  (...words: string[]): Promise<Ran>;
  /** The JSON that a command prints; fails when the command does. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the assertions say what is wrong with it
  json(...words: string[]): Promise<any>;
  /** Writes a file, and returns its path. */
  file(name: string, text: string): Promise<string>;
};

/** `first`: the words that every command line begins with. */
export function openShell(t: TestContext, ...first: readonly string[]): Promise<Shell> {
  return openShellOn(1, t, ...first);
}

export async function openShellOn(cells: 1 | 2, t: TestContext, ...first: readonly string[]): Promise<Shell> {
  const database = await createTestDatabase({ cells });
  const folder = await mkdtemp(join(tmpdir(), "boathook-cli-"));
  t.after(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });
  const environment = settingsFor(database);
  const boathook = (...words: string[]) => run([...first, ...words], { environment });
  return Object.assign(boathook, {
    test: database,
    environment,
    async json(...words: string[]) {
      const { status, out, err } = await boathook(...words, "--json");
      assert.equal(status, 0, err);
      return JSON.parse(out);
    },
    async file(name: string, text: string) {
      await writeFile(join(folder, name), text);
      return join(folder, name);
    },
  });
}

/** A server on loopback, and where it is, without a path. */
export async function listening(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
