/** `listen` and `tail`, against a service over sockets, with a receiver on this machine. */
import assert from "node:assert/strict";
import { request, type ClientRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test, type TestContext } from "node:test";

import { verify } from "../../packages/receiver/src/verify.ts";
import { mintKey } from "../../src/model/api-key.ts";
import { firstUuidOf } from "../../src/model/uuid.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { createCaller, sendAsOperator, startService, type TestService } from "../support/service.ts";
import { until } from "../faults/until.ts";
import { run, type RunOptions } from "./run.ts";
import { listening } from "./shell.ts";

const SECRET = `whsec_${"a".repeat(64)}`;

describe("following events", () => {
  let service: TestService;
  let url = "";
  let made = 0;
  before(async () => {
    service = await startService();
    await service.api.listen({ host: "127.0.0.1", port: 0 });
    url = `http://127.0.0.1:${(service.api.server.address() as AddressInfo).port}/tracking`;
  });
  after(() => service.close());

  async function raise(accountId: string, data = "{}"): Promise<string> {
    made += 1;
    const at = service.clock.nowMs();
    const id = `${firstUuidOf(at).slice(0, 14)}7000-8000-${String(made).padStart(12, "0")}`;
    for (const cell of service.test.cells) {
      const values = [id, accountId, "tracking", "eta_changed", new Date(at), data];
      await service.test.queryIn(cell, "insert into cell.events values ($1, $2, $3, $4, $5, $6)", values);
    }
    return id;
  }

  const polled = (condition: () => boolean, what: string): Promise<void> =>
    until(async () => {
      if (!condition()) await service.clock.advance(1_000);
      return condition();
    }, what);

  /** Runs until `stop`. */
  function follow(words: readonly string[], options: RunOptions = {}) {
    const interrupt = Promise.withResolvers<void>();
    let [out, err] = ["", ""];
    const onOut = (text: string) => void (out += text);
    const onErr = (text: string) => void (err += text);
    const ran = run(words, { ...options, interrupted: interrupt.promise, onOut, onErr });
    return {
      out: () => out,
      err: () => err,
      ran,
      stop() {
        interrupt.resolve();
        return ran;
      },
    };
  }

  /** A receiver as clients write it, which answers with these in turn. */
  async function receiver(t: TestContext, statuses: readonly number[]) {
    const verdicts: unknown[] = [];
    async function take(sent: IncomingMessage, response: ServerResponse): Promise<void> {
      const body = Buffer.concat(await Array.fromAsync(sent as AsyncIterable<Buffer>));
      const verified = verify(body, sent.headers, SECRET);
      verdicts.push(verified.ok ? verified.delivery.id : verified.message);
      response.writeHead(statuses[verdicts.length - 1] ?? 204).end();
    }
    return { url: `${await listening(t, (sent, response) => void take(sent, response))}/hooks`, verdicts };
  }

  test("listen forwards each event, signed, in order, and says how it was answered", async (t) => {
    const caller = await createCaller(service, "tracking");
    const local = await receiver(t, [204, 500]);
    const words = ["listen", "--url", `${url}/`, "--key", caller.key, "--forward", local.url];
    const beforeAll = firstUuidOf(service.clock.nowMs() - 1);
    const listen = follow([...words, "--secret", SECRET, "--after", beforeAll]);
    await polled(() => listen.out().includes(`Signing with ${SECRET}`), "the secret");
    const ids = [
      await raise(caller.accountId, '{"a":\n1}'),
      await raise(caller.accountId),
      await raise(caller.accountId),
    ];
    await polled(() => local.verdicts.length === 3, "three deliveries");
    assert.deepEqual(local.verdicts, ids);
    await polled(() => listen.out().split("\n").length === 5, "three lines");
    const { status, err } = await listen.stop();
    assert.equal(status, 0, err);
    const answers = listen.out().match(/eta_changed \S+ \d{3} in \d+ ms/g);
    assert.deepEqual(
      answers?.map((line) => line.split(" ").slice(1, 3)),
      [
        [ids[0], "204"],
        [ids[1], "500"],
        [ids[2], "204"],
      ],
    );
  });

  test("listen forwards one sample once, though trigger raises it for each endpoint", async (t) => {
    const caller = await createCaller(service, "tracking");
    const local = await receiver(t, []);
    const words = ["listen", "--url", url, "--key", caller.key, "--forward", local.url, "--secret", SECRET];
    const start = firstUuidOf(service.clock.nowMs() - 1);
    const listen = follow([...words, "--after", start]);
    const ids: string[] = [];
    for (let endpoint = 0; endpoint < 7; endpoint += 1)
      ids.push(await raise(caller.accountId, '{"sample":true,"eta":1}'));
    ids.push(await raise(caller.accountId, '{"sample":true,"eta":2}'));
    await service.clock.advance(10_000);
    for (const data of ['{"sample":true,"eta":2}', '{"eta":2}', '{"eta":2}'])
      ids.push(await raise(caller.accountId, data));
    await polled(() => local.verdicts.length >= 5, "two samples, one of them twice, and two events");
    await listen.stop();
    assert.deepEqual(local.verdicts, [ids[0], ids[7], ...ids.slice(8)]);
  });

  test("trigger sends a sample to a server on this machine, without a service", async (t) => {
    const local = await receiver(t, [204, 500, 204]);
    const to = ["--forward", local.url, "--secret", SECRET];
    const sent = await run(["trigger", "eta_changed", ...to]);
    assert.equal(sent.status, 0, sent.err);
    const [, id, status] = /^eta_changed (\S+) (\d+) in \d+ ms$/m.exec(sent.out)!;
    assert.deepEqual([local.verdicts, status], [[id], "204"]);
    assert.equal((await run(["trigger", "ping", ...to])).status, 1, "the server's failure is the command's");
    assert.equal(
      (await run(["trigger", "index_refreshed", ...to])).status,
      0,
      "of the one product that has it",
    );
    assert.equal(local.verdicts.length, 3);
    const unknown = await run(["trigger", "nothing", ...to]);
    assert.deepEqual([unknown.status, unknown.err], [2, "No product raises nothing.\n"]);
  });

  test("listen goes on when nothing listens, makes a secret, and warns of another machine", async () => {
    const caller = await createCaller(service, "tracking");
    const id = await raise(caller.accountId);
    const beforeIt = firstUuidOf(service.clock.nowMs() - 1);
    const words = ["listen", "--url", url, "--key", caller.key, "--after", beforeIt];
    const listen = follow([...words, "--forward", "http://127.0.0.1:1/hooks"]);
    await polled(() => listen.out().includes("nothing listens there"), "the failure");
    assert.match(listen.out(), /^Signing with whsec_[\w-]{64}\n/);
    assert.ok(listen.out().includes(id));
    await listen.stop();
    const other = follow([...words, "--forward", "http://127.example.com/hooks"]);
    await polled(() => other.err().includes("127.example.com is not this machine"), "the warning");
    await other.stop();
  });

  test("tail connects again after a break, and misses nothing", async (t) => {
    const caller = await createCaller(service, "tracking");
    const passed: ClientRequest[] = [];
    const proxyUrl = await listening(t, (from, to) => {
      const { method, headers } = from;
      const onward = request(from.url!, { method: method!, headers }, (answer) => {
        to.writeHead(answer.statusCode!, answer.headers);
        answer.on("error", () => to.destroy()).pipe(to);
      });
      passed.push(onward.on("error", () => to.destroy()));
      onward.end();
    });
    const beforeAll = firstUuidOf(service.clock.nowMs() - 1);
    const tail = follow(["tail", "--url", url, "--key", caller.key, "--json", "--after", beforeAll], {
      environment: { http_proxy: proxyUrl, https_proxy: proxyUrl },
    });
    await polled(() => passed.length === 1, "a connection through the proxy");
    const first = await raise(caller.accountId);
    await polled(() => tail.out().includes(first), "the first event");
    passed[0]!.destroy();
    const second = await raise(caller.accountId);
    await polled(() => tail.out().includes(second), "the event of the gap");
    const { status, out, err } = await tail.stop();
    assert.equal(status, 0);
    const bodies = out
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { id: string }).id);
    assert.deepEqual(bodies, [first, second]);
    assert.match(err, /again in 1 s/);
  });

  test("tail prints one line an event, and with a reference those alone that say it", async () => {
    const caller = await createCaller(service, "tracking");
    const words = [
      "tail",
      "--url",
      url,
      "--key",
      caller.key,
      "--after",
      firstUuidOf(service.clock.nowMs() - 1),
    ];
    const box = (identifier: string) =>
      JSON.stringify({ identifier, new_eta: "2026-12-04T06:00:00Z", delta_hours: 48 });
    await raise(caller.accountId, box("MSCU1234566"));
    const wanted = await raise(caller.accountId, box("AVCU0000085"));
    const last = await raise(caller.accountId, box("AVCU0000090"));
    const tail = follow([...words, "--reference", "avcu 00000"]);
    await polled(() => tail.out().includes(last), "the last event");
    await tail.stop();
    assert.deepEqual(tail.out().trim().split("\n"), [
      `${wanted} eta_changed AVCU0000085: ETA 4 Dec 06:00 UTC (+2 days)`,
      `${last} eta_changed AVCU0000090: ETA 4 Dec 06:00 UTC (+2 days)`,
    ]);
  });

  test("a refusal and wrong options end them, with what to change", async () => {
    const caller = await createCaller(service, "tracking");
    const key = ["--key", caller.key];
    for (const [words, status, message] of [
      [["tail", "--url", url, "--key", "tracking_wrong"], 2, /^The key is mistyped, or not whole/],
      [
        ["tail", "--url", url, "--key", mintKey("tracking", systemRandom())],
        1,
        /answered 401: the key is not good here/,
      ],
      [["tail", "--url", url.replace("/tracking", "/nowhere"), ...key], 1, /answered 404/],
      [["tail", "--url", "nowhere", ...key], 2, /^--url must be a product's address/],
      [["tail", "--url", url], 2, /^The key is missing/],
      [["tail", "--url", url, ...key, "--reference", "."], 2, /^--reference must have a letter or a digit/],
      [["tail", "--url", url, ...key, "--after", "5"], 2, /must be an id/],
      [["listen", "--url", url, ...key, "--forward", "localhost:3000"], 2, /^--forward must be a URL/],
    ] as const) {
      const ran = await run(words);
      assert.equal(ran.status, status, ran.err);
      assert.match(ran.err, message);
    }
    const tail = follow(["tail", "--url", url, ...key]);
    await raise(caller.accountId);
    await polled(() => tail.out() !== "", "its stream");
    await sendAsOperator(service, "DELETE", `/v1/keys/${caller.keyId}`);
    let isOver = false;
    void tail.ran.then(() => (isOver = true));
    await polled(() => isOver, "the end of a revoked key's stream");
    assert.match((await tail.ran).err, /answered 401/);
  });
});
