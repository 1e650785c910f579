/**
 * Before the first test file (`node --test-global-setup`): a folder for databases, the tests' server, kept running
 * until the last one, a database for tests that need a data folder of their own, and a place where Node keeps what it
 * makes of the sources, which saves every process half of its start. Without it each file starts the server for itself
 * when no other is running.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";

import { useMemoryFolder } from "./database-folder.ts";
import { prepareDatabase } from "./prepared-database.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

let server: TestServer | null = null;
let memory: ReturnType<typeof useMemoryFolder> | null = null;

export async function globalSetup(): Promise<void> {
  // The tests' processes, and the processes that they start, inherit this environment.
  process.env["NODE_COMPILE_CACHE"] ??= join(tmpdir(), `boathook-test-${process.getuid?.() ?? 0}-code`);
  memory = useMemoryFolder();
  [server] = await Promise.all([startTestServer(), prepareDatabase()]);
  for (const cells of [1, 2]) await server.template(cells);
}

export async function globalTeardown(): Promise<void> {
  await server?.stop();
  memory?.remove();
}
