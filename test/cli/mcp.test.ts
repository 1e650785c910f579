/** `boathook mcp`, asked by the protocol's own client over stdio, against a running service. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { before, describe, test } from "node:test";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

import { sampleOf } from "../../src/http/webhooks/test.ts";
import { ocean } from "../../src/products/ocean/product.ts";
import { ask } from "../service/boathook.ts";
import { startScene, type Scene } from "../service/fuzz-documents.ts";
import { atEnd, openPlace, ownerOfSuite, TOKEN, type Owner } from "../service/running.ts";
import { run } from "./run.ts";

const MAIN = join(import.meta.dirname, "..", "..", "src", "main.ts");

async function openTools(t: Owner, words: readonly string[], environment: Record<string, string> = {}) {
  const client = new Client({ name: "a-test", version: "1" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, "mcp", ...words],
      env: { ...environment, BOATHOOK_DATA_DIR: "/nowhere" },
    }),
  );
  atEnd(t, () => client.close());
  return {
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    inputOf: async (name: string) =>
      (await client.listTools()).tools.find((one) => one.name === name)!.inputSchema,
    // oxlint-disable-next-line typescript/no-explicit-any -- the assertions say what is wrong with it
    async call(name: string, given: Record<string, unknown> = {}): Promise<any> {
      const { content, isError } = await client.callTool({ name, arguments: given });
      const [{ text }] = content as [{ readonly text: string }];
      return isError === true ? { error: text } : JSON.parse(text);
    },
  };
}

describe("boathook mcp", () => {
  const owner = ownerOfSuite();
  let scene: Scene;
  let accountId = "";
  let identifier = "";
  let operator: Record<string, string>;
  before(async () => {
    scene = await startScene(owner);
    const { opsUrl, publicUrl } = scene.service;
    operator = { BOATHOOK_OPS_URL: opsUrl, BOATHOOK_OPERATOR_TOKEN: TOKEN };
    const { body } = await ask("GET", `${opsUrl}/v1/accounts`, TOKEN);
    accountId = body.accounts[0].id;
    const endpoint = { url: "https://receiver.invalid/hooks", events: [] };
    await ask("POST", `${publicUrl}/tracking/v1/webhooks`, scene.keys.get("tracking")!, endpoint);
    const sample = sampleOf(ocean, "eta_changed")!;
    const data = JSON.parse(sample.data) as { readonly identifier: string };
    identifier = data.identifier;
    const event = { product: ocean.tag, account_id: accountId, type: sample.type, data };
    const raised = await ask("POST", `${opsUrl}/v1/events`, TOKEN, { events: [event] });
    assert.equal(raised.status, 202, JSON.stringify(raised.body));
  });

  test("reads as the operator why a delivery failed", async (t) => {
    const tools = await openTools(t, [], operator);
    const names = await tools.names();
    for (const name of ["getDeliveries", "getDeliveriesId", "getSources"])
      assert.ok(names.includes(name), name);
    assert.deepEqual(
      names.filter((name) => !name.startsWith("get")),
      [],
    );
    const input = await tools.inputOf("getDeliveriesId");
    assert.deepEqual([input.required, Object.keys(input.properties!)], [["id"], ["id"]]);
    for (;;) {
      const { deliveries } = await tools.call("getDeliveries", { account_id: accountId, limit: 5 });
      const { attempts } = await tools.call("getDeliveriesId", { id: deliveries[0].id });
      if (attempts.length === 0) continue;
      assert.match(attempts[0].error, /^(?:dns|blocked|host|name)\w*: /);
      break;
    }
    assert.deepEqual(await tools.call("getAccountsId", { id: "x" }), {
      error: "there is no account of that id",
    });
    assert.deepEqual(await tools.call("getAccountsId"), { error: "id is missing." });
    assert.deepEqual(await tools.call("deleteAccountsId", { id: accountId }), {
      error: "There is no tool deleteAccountsId.",
    });
  });

  test("reads with a client's key what was sent for a container", async (t) => {
    const url = `${scene.service.publicUrl}/tracking`;
    const tools = await openTools(t, ["--url", url, "--key", scene.keys.get("tracking")!]);
    const { data: events } = await tools.call("listEvents");
    const event = events.find((one: object) => JSON.stringify(one).includes(identifier));
    assert.equal(event.type, "eta_changed");
    const { data: endpoints } = await tools.call("listEndpoints");
    const { data: deliveries } = await tools.call("listDeliveries", { id: endpoints[0].id });
    const { data } = await tools.call("readDelivery", { id: endpoints[0].id, delivery_id: deliveries[0].id });
    assert.equal(JSON.parse(data.body).data.identifier, identifier);
  });

  test("does not take who forgets the key for the operator", async () => {
    const { status, err } = await run(["mcp", "--url", `${scene.service.publicUrl}/tracking`]);
    assert.deepEqual([status, err], [2, "The key is missing: give --key or --key-file.\n"]);
  });

  test("changes something only where it may", async (t) => {
    const tools = await openTools(t, ["--write"], operator);
    const made = await tools.call("postAccountsIdKeys", { id: accountId, prefix: "tracking" });
    assert.match(made.key, /^tracking_/);
    assert.ok(!(await tools.names()).includes("postSession"));
  });

  test("works on a store that no service runs on, but for what a service alone does", async (t) => {
    const { settings } = await openPlace(t);
    const tools = await openTools(t, ["--write"], settings);
    const [made, { accounts }] = await Promise.all([
      tools.call("postAccounts", { name: "Acme" }),
      tools.call("getAccounts"),
    ]);
    assert.ok(accounts.length < 2);
    const { type, data } = sampleOf(ocean, "eta_changed")!;
    const event = { product: ocean.tag, account_id: made.id, type, data: JSON.parse(data) };
    const { error } = await tools.call("postEvents", { events: [event] });
    assert.equal(error, "A running service raises events: name it by BOATHOOK_OPS_URL.");
  });
});
