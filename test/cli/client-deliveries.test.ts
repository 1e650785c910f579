/** `deliveries` with a client's key, against a service that sends for real. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { ask } from "../service/boathook.ts";
import { startScene, type Scene } from "../service/fuzz-documents.ts";
import { ownerOfSuite } from "../service/running.ts";
import { run } from "./run.ts";

const NOBODYS = "01900000-0000-7000-8000-000000000000";

describe("deliveries with a key", () => {
  const owner = ownerOfSuite();
  let scene: Scene;
  let url = "";
  let endpointId = "";
  let at: readonly string[] = [];
  before(async () => {
    scene = await startScene(owner);
    url = `${scene.service.publicUrl}/tracking`;
    const key = scene.keys.get("tracking")!;
    at = ["--url", url, "--key", key];
    const body = { url: "https://receiver.invalid/hooks", events: ["added"] };
    const made = await ask("POST", `${url}/v1/webhooks`, key, body);
    endpointId = made.body.data.id;
    assert.equal((await run(["trigger", "ping", ...at])).status, 0);
  });

  async function failed(): Promise<{ readonly id: string; readonly last_error: string }> {
    for (;;) {
      const listed = await run(["deliveries", "list", ...at, "--json"]);
      assert.equal(listed.status, 0, listed.err);
      const [found] = JSON.parse(listed.out) as { id: string; last_error: string | null }[];
      if (found?.last_error) return { ...found, last_error: found.last_error };
      await sleep(50);
    }
  }

  test("lists what went to all endpoints or one, by status, and why it failed", async () => {
    const { id, last_error: error } = await failed();
    const all = await run(["deliveries", "list", ...at]);
    assert.match(all.out, /^ENDPOINT +ID +EVENT +STATUS/);
    for (const text of [endpointId, id, "ping", "pending", error]) assert.ok(all.out.includes(text), text);
    const ofOne = await run(["deliveries", "list", ...at, "--endpoint", endpointId]);
    assert.match(ofOne.out, /^ID +EVENT/);
    const dead = await run(["deliveries", "list", ...at, "--status", "dead", "--json"]);
    assert.deepEqual(JSON.parse(dead.out), []);
    const none = await run([
      ...["deliveries", "list", ...at, "--endpoint", endpointId],
      ...["--status", "dead", "--json"],
    ]);
    assert.deepEqual([none.status, none.err, none.out], [0, "", "[]\n"]);
  });

  test("shows each attempt, and the headers and body that are sent", async () => {
    const { id, last_error: error } = await failed();
    const shown = await run(["deliveries", "show", id, ...at]);
    assert.equal(shown.status, 0, shown.err);
    assert.match(shown.out, /^ATTEMPT +ENDED +MS/m);
    for (const text of [endpointId, error, "content-type: application/json", `"type":"ping"`])
      assert.ok(shown.out.toLowerCase().includes(text.toLowerCase()), `${text} in ${shown.out}`);
  });

  test("says what to change where it cannot", async () => {
    const none = await run(["deliveries", "show", NOBODYS, ...at]);
    assert.deepEqual([none.status, none.err], [1, `Your account has no delivery ${NOBODYS} on ${url}.\n`]);
    const forged = await run(["deliveries", "list", "--url", url, "--key", "guess"]);
    assert.equal(forged.status, 1);
    assert.match(forged.err, /answered 401/);
    const both = await run(["deliveries", "list", ...at, "--account", NOBODYS]);
    assert.deepEqual([both.status, both.err], [2, "A key says the account: leave --account out.\n"]);
  });
});
