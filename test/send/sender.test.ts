import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, it } from "node:test";

import { addressPolicy } from "../../src/engine/send/address.ts";
import type { SendResult } from "../../src/model/delivery.ts";
import type { DnsLookup } from "../../src/runtime/dns-lookup.ts";
import { startTcpReceiver } from "../support/receivers.ts";
import { answerOk, inShort, openReceiver, openSender, post, SHORT_MS } from "./sending.ts";

const SEND = join(import.meta.dirname, "..", "..", "src", "engine", "send");

describe("an attempt", () => {
  it("posts the body byte for byte with the headers it was given, and no more than it needs", async () => {
    const requests: string[] = [];
    const { url, port } = await openReceiver((socket, _count, request) => {
      requests.push(request);
      answerOk(socket, _count, request);
    });
    const body = `{"name":"Håkon – 東京"}`;
    assert.equal(inShort(await post(openSender(), url, body)), "answered 200");
    const [head, sent] = requests[0]!.split("\r\n\r\n");
    assert.equal(Buffer.from(sent!, "latin1").toString(), body);
    assert.deepEqual(head!.split("\r\n"), [
      "POST /hook?a=b HTTP/1.1",
      `host: receiver.test:${port}`,
      "connection: keep-alive",
      "content-type: application/json",
      "x-test: 1",
      `content-length: ${Buffer.byteLength(body)}`,
    ]);
  });

  it("goes nowhere with a header that would end its line, add another or frame the request", async () => {
    const { url, bytesRead } = await openReceiver(answerOk);
    const from = openSender();
    for (const [name, value] of [
      ...["a\r\nx: y", "a\nb", "a\rb", "a\0b", "a\x7f", "a\u0100", "\u{1f4e6}"].map((bad) => ["x-test", bad]),
      ...["", "x y", "x:", "x\r\ny", "x\0", "h\u00e9"].map((bad) => [bad, "1"]),
      ...["Host", "connection", "Content-Length", "transfer-encoding", "keep-alive", "upgrade", "expect"].map(
        (own) => [own, "1"],
      ),
    ] as [string, string][]) {
      const outcome = await new Promise<SendResult>((resolve) => {
        from.send({ url, headers: ["x-fine", "1", name, value], body: "{}" }, resolve);
      });
      assert.equal(inShort(outcome), "transport_error", JSON.stringify([name, value]));
    }
    assert.equal(bytesRead(), 0);
  });

  // spec 8: redirects
  it("reports every final status as answered, a redirect among them, and follows none", async () => {
    let status = 0;
    const { url, connections } = await openReceiver((socket) => {
      socket.write(`HTTP/1.1 ${status} X\r\nlocation: https://receiver.test:1/\r\ncontent-length: 0\r\n\r\n`);
    });
    const from = openSender();
    for (status of [200, 201, 299, 301, 302, 307, 308, 400, 404, 410, 421, 429, 500, 503, 599]) {
      assert.equal(inShort(await post(from, url)), `answered ${status}`);
    }
    assert.equal(connections(), 1);
  });

  it("counts an answer without a body, an unframed one and one behind interim answers", async () => {
    const answers = [
      "HTTP/1.1 204 No Content\r\n\r\n",
      "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n",
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
    ];
    const { url } = await openReceiver((socket, { inAll }) => {
      const answer = answers[inAll - 1];
      if (answer === undefined) socket.end("HTTP/1.1 200 OK\r\n\r\nuntil the end");
      else socket.write(answer);
    });
    const from = openSender();
    const outcomes = [];
    for (let i = 0; i < 4; i++) outcomes.push(inShort(await post(from, url)));
    assert.deepEqual(outcomes, ["answered 204", "answered 202", "answered 200", "answered 200"]);
  });

  // spec 8: response_body
  it("takes a long answer that says how long it is without reading it", async () => {
    const { url } = await openReceiver((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100000000\r\n\r\n<html>");
    });
    assert.equal(inShort(await post(openSender(), url)), "answered 200");
  });

  it("says what is wrong where nobody listens, and where a name does not exist", async () => {
    const closed = await openReceiver(answerOk);
    await closed.close();
    assert.equal(inShort(await post(openSender(), closed.url)), "connection_refused");
    assert.equal(inShort(await post(openSender(), "https://nowhere.test/")), "dns_not_found");
  });

  it("says what it was sent to and how much was answered, of what did not succeed", async () => {
    const peerOf = (url: string, options: Parameters<typeof openSender>[0] = {}) =>
      new Promise((resolve) => {
        openSender(options).send({ url, headers: [], body: "{}" }, (_result, peer) => resolve(peer));
      });
    const failing = await openReceiver((socket) => {
      socket.write("HTTP/1.1 500 No\r\ncontent-length: 12\r\n\r\nnot this way");
    });
    assert.deepEqual(await peerOf(failing.url), { address: "127.0.0.1", answerBytes: 12 });
    const silent = await openReceiver(() => undefined);
    const slow = await peerOf(silent.url, { timeoutMs: SHORT_MS });
    assert.deepEqual(slow, { address: "127.0.0.1", answerBytes: 0 });
    const closed = await openReceiver(answerOk);
    assert.equal(await peerOf(closed.url), undefined);
    await closed.close();
    assert.deepEqual(await peerOf(closed.url), { address: "127.0.0.1", answerBytes: 0 });
    assert.deepEqual(await peerOf("https://nowhere.test/"), { address: null, answerBytes: 0 });
  });

  it("fails with all others that wait when the failure is known already", async () => {
    const from = openSender();
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => post(from, "https://nowhere.test/")));
    assert.deepEqual(outcomes.map(inShort), Array(5).fill("dns_not_found"));
    assert.equal(from.connectionCount(), 0);
  });

  it("is no attempt when the name servers, or a socket, are what is missing", async () => {
    const refused = Object.assign(new Error("queryA ECONNREFUSED"), { code: "ECONNREFUSED" });
    const from = openSender({ dnsLookup: (_hostname, _family, done) => done(refused, []) });
    const result = await post(from, "https://receiver.test/");
    assert.equal(inShort(result), "unsent name_servers_unreachable");

    const script = `
      import { openSync } from "node:fs";
      import { createSender } from ${JSON.stringify(join(SEND, "attempt.ts"))};
      import { addressPolicy } from ${JSON.stringify(join(SEND, "address.ts"))};
      import { realClock } from ${JSON.stringify(join(SEND, "../../../test/support/real-clock.ts"))};
      const sender = createSender({ clock: realClock, policy: addressPolicy(true), dnsLookup: () => {}, timeoutMs: 5_000 });
      try { for (;;) openSync("/dev/null"); } catch {}
      sender.send({ url: "https://127.0.0.1:9/", headers: [], body: "{}" }, (result) => {
        process.stdout.write(result.kind + " " + result.error.code);
        process.exit();
      });`;
    const run = `ulimit -n 64 && exec "${process.execPath}" --input-type=module -e '${script}'`;
    assert.equal(execFileSync("sh", ["-c", run], { encoding: "utf8" }), "unsent out_of_sockets");
  });

  it("ends exactly once, never before send returns", async () => {
    const from = openSender();
    const outcomes: SendResult[] = [];
    for (const url of ["https://10.0.0.1/", "nonsense", "https://nowhere.test/"]) {
      from.send({ url, headers: [], body: "{}" }, (outcome) => outcomes.push(outcome));
    }
    assert.deepEqual(outcomes, []);
    while (outcomes.length < 3) await new Promise(setImmediate);
    await new Promise(setImmediate);
    assert.deepEqual(outcomes.map(inShort), ["blocked_address", "invalid_url", "dns_not_found"]);
  });
});

describe("the outgoing guard at an attempt", () => {
  const publicOnly = addressPolicy(false);
  const leadingTo =
    (...addresses: string[]): DnsLookup =>
    (_hostname, family, done) =>
      done(null, family === 4 ? addresses.map((address) => ({ address, ttlS: 60 })) : []);

  it("connects to no address, name or port that it refuses", async () => {
    const target = await startTcpReceiver(() => {});
    const from = openSender({ policy: publicOnly, dnsLookup: leadingTo("127.0.0.1") });
    const hosts = "127.0.0.1 localhost [::ffff:127.0.0.1] 2130706433 intranet hooks.example.com";
    for (const host of hosts.split(" ")) {
      assert.equal(inShort(await post(from, `https://${host}:${target.port}/`)), "blocked_address", host);
    }
    assert.equal(inShort(await post(from, "https://hooks.example.com:5432/")), "blocked_address");
    assert.equal(target.connections(), 0);
    await target.close();
  });

  it("refuses a name that leads to this machine, and one that the operator denies", async () => {
    const ownOrDenied = { own: () => ["93.184.215.99/24"], denied: ["198.41.0.0/24"] };
    for (const address of ["93.184.215.99", "198.41.0.4"]) {
      const from = openSender({ policy: addressPolicy(false, ownOrDenied), dnsLookup: leadingTo(address) });
      for (const url of ["https://self.example.com/", `https://${address}/`])
        assert.equal(inShort(await post(from, url)), "blocked_address", url);
    }
  });

  it("denies an address that is open for development, and reaches it when this machine has lost it", async () => {
    const target = await openReceiver(answerOk);
    const denying = addressPolicy(true, { denied: ["127.0.0.1"] });
    assert.equal(inShort(await post(openSender({ policy: denying }), target.url)), "blocked_address");
    const policy = { ...addressPolicy(["127.0.0.0/8"]) };
    let denied = true;
    const { deniedRanges } = policy;
    policy.deniedRanges = { check: (...asked) => denied || deniedRanges.check(...asked) };
    const from = openSender({ policy });
    const url = `https://127.0.0.1:${target.port}/`;
    assert.equal(inShort(await post(from, url)), "blocked_address");
    denied = false;
    assert.equal(inShort(await post(from, url)), "answered 200");
  });

  it("connects to the address that was checked, whatever the name means a moment later", async () => {
    const target = await openReceiver(answerOk);
    let lookUps = 0;
    const rebinding: DnsLookup = (_hostname, family, done) => {
      if (family === 6) return done(null, []);
      lookUps += 1;
      done(null, [{ address: lookUps === 1 ? "127.0.0.1" : "127.0.0.2", ttlS: 0 }]);
    };
    const from = openSender({ policy: addressPolicy(["127.0.0.1"]), dnsLookup: rebinding });
    assert.equal(inShort(await post(from, target.url)), "answered 200");
    assert.equal(lookUps, 1);
  });

  it("verifies the certificate of an address against the address, and sends no server name with it", async () => {
    const target = await openReceiver(answerOk);
    assert.equal(inShort(await post(openSender(), `https://127.0.0.1:${target.port}/`)), "answered 200");
    assert.equal(inShort(await post(openSender(), `https://localhost:${target.port}/`)), "answered 200");
    assert.equal(
      inShort(await post(openSender(), `https://127.0.0.2:${target.port}/`)),
      "connection_refused",
    );
  });
});
