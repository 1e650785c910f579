/**
 * Keeps the tests' server running from the first test file to the last (`node --test-global-setup`);
 * without it each file starts it for itself when no other is running.
 */
import { startTestServer, TEST_CELLS, type TestServer } from "./test-server.ts";

let server: TestServer | null = null;

export async function globalSetup(): Promise<void> {
  server = await startTestServer();
  await server.template(TEST_CELLS);
}

export async function globalTeardown(): Promise<void> {
  await server?.stop();
}
