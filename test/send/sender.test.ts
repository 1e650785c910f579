import assert from "node:assert/strict";
import { after, describe, it } from "node:test";

import { addressPolicy } from "../../src/engine/send/address.ts";
import type { Sender } from "../../src/engine/send/attempt.ts";
import type { Outcome } from "../../src/model/delivery.ts";
import type { NameLookUp } from "../../src/runtime/name-lookup.ts";
import { manualClock } from "../support/clock.ts";
import { OK, startReceiver, startTcpReceiver, type Behaviour, type Receiver } from "../support/receivers.ts";
import { certificates, inShort, post, SHORT_MS, testSender } from "./sending.ts";

const cleanUp: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const close of cleanUp.reverse()) await close();
});

function sender(options: Parameters<typeof testSender>[0] = {}): Sender {
  const made = testSender(options);
  cleanUp.push(made.close);
  return made;
}

async function receiver(behave: Behaviour): Promise<Receiver & { readonly url: string }> {
  const made = await startReceiver(certificates.valid, behave);
  cleanUp.push(made.close);
  return { ...made, url: `https://receiver.test:${made.port}/hook?a=b` };
}

const answerOk: Behaviour = (socket) => void socket.write(OK);

describe("an attempt", () => {
  it("posts the body byte for byte with the headers it was given, and no more than it needs", async () => {
    const requests: string[] = [];
    const { url, port } = await receiver((socket, _count, request) => {
      requests.push(request);
      answerOk(socket, _count, request);
    });
    const body = `{"name":"Håkon – 東京"}`;
    assert.equal(inShort(await post(sender(), url, body)), "answered 200");
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

  it("reports every final status as answered, a redirect among them, and follows none", async () => {
    let status = 0;
    const { url, connections } = await receiver((socket) => {
      socket.write(`HTTP/1.1 ${status} X\r\nlocation: https://receiver.test:1/\r\ncontent-length: 0\r\n\r\n`);
    });
    const from = sender();
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
    const { url } = await receiver((socket, { inAll }) => {
      const answer = answers[inAll - 1];
      if (answer === undefined) socket.end("HTTP/1.1 200 OK\r\n\r\nuntil the end");
      else socket.write(answer);
    });
    const from = sender();
    const outcomes = [];
    for (let i = 0; i < 4; i++) outcomes.push(inShort(await post(from, url)));
    assert.deepEqual(outcomes, ["answered 204", "answered 202", "answered 200", "answered 200"]);
  });

  it("takes a long answer that says how long it is without reading it", async () => {
    const { url } = await receiver((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100000000\r\n\r\n<html>");
    });
    assert.equal(inShort(await post(sender(), url)), "answered 200");
  });

  it("says what is wrong where nobody listens, and where a name does not exist", async () => {
    const closed = await receiver(answerOk);
    await closed.close();
    assert.equal(inShort(await post(sender(), closed.url)), "connection_refused");
    assert.equal(inShort(await post(sender(), "https://nowhere.test/")), "dns_not_found");
  });

  it("fails with all others that wait when the failure is known already", async () => {
    const from = sender();
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => post(from, "https://nowhere.test/")));
    assert.deepEqual(outcomes.map(inShort), Array(5).fill("dns_not_found"));
    assert.equal(from.connectionCount(), 0);
  });

  it("is never told of before send returns, and exactly once", async () => {
    const from = sender();
    const outcomes: Outcome[] = [];
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
    (...addresses: string[]): NameLookUp =>
    (_hostname, family, done) =>
      done(null, family === 4 ? addresses.map((address) => ({ address, ttlS: 60 })) : []);

  it("connects to no address, name or port that it refuses", async () => {
    const target = await startTcpReceiver(() => {});
    cleanUp.push(target.close);
    const from = sender({ policy: publicOnly, lookUp: leadingTo("127.0.0.1") });
    for (const host of ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433", "intranet", "hooks.example.com"]) {
      assert.equal(inShort(await post(from, `https://${host}:${target.port}/`)), "blocked_address", host);
    }
    assert.equal(inShort(await post(from, "https://hooks.example.com:5432/")), "blocked_address");
    assert.equal(target.connections(), 0);
  });

  it("refuses a name when one of several answers is refused", async () => {
    const from = sender({ policy: publicOnly, lookUp: leadingTo("93.184.215.14", "10.0.0.5") });
    assert.equal(inShort(await post(from, "https://mixed.example.com/")), "blocked_address");
  });

  it("refuses a name that leads to this service itself", async () => {
    const policy = addressPolicy(false, ["93.184.215.99"]);
    const from = sender({ policy, lookUp: leadingTo("93.184.215.99") });
    assert.equal(inShort(await post(from, "https://self.example.com/")), "blocked_address");
  });

  it("connects to the address that was checked, whatever the name means a moment later", async () => {
    const target = await receiver(answerOk);
    let lookUps = 0;
    const rebinding: NameLookUp = (_hostname, family, done) => {
      if (family === 6) return done(null, []);
      lookUps += 1;
      done(null, [{ address: lookUps === 1 ? "127.0.0.1" : "127.0.0.2", ttlS: 0 }]);
    };
    const from = sender({ policy: addressPolicy(["127.0.0.1"]), lookUp: rebinding });
    assert.equal(inShort(await post(from, target.url)), "answered 200");
    assert.equal(lookUps, 1);
  });

  it("verifies the certificate of an address against the address, and sends no server name with it", async () => {
    const target = await receiver(answerOk);
    assert.equal(inShort(await post(sender(), `https://127.0.0.1:${target.port}/`)), "answered 200");
    assert.equal(inShort(await post(sender(), `https://localhost:${target.port}/`)), "answered 200");
    assert.equal(inShort(await post(sender(), `https://127.0.0.2:${target.port}/`)), "connection_refused");
  });
});

describe("connections", () => {
  it("are used again, also after answers that were failures", async () => {
    const { url, connections } = await receiver((socket, { inAll }) => {
      socket.write(inAll % 2 === 0 ? OK : "HTTP/1.1 500 X\r\ncontent-length: 0\r\n\r\n");
    });
    const from = sender();
    for (let i = 0; i < 10; i++) await post(from, url);
    assert.equal(connections(), 1);
  });

  it("that close when used again cost no attempt: it goes out once more on a fresh one", async () => {
    const { url, connections } = await receiver((socket, { onConnection }) => {
      if (onConnection === 1) socket.write(OK);
      else socket.destroy();
    });
    const from = sender();
    const outcomes = [];
    for (let i = 0; i < 3; i++) outcomes.push(inShort(await post(from, url)));
    assert.deepEqual(outcomes, ["answered 200", "answered 200", "answered 200"]);
    assert.equal(connections(), 3);
  });

  it("that close on every request fail the attempt after that one repeat", async () => {
    let requests = 0;
    const { url } = await receiver((socket, { inAll }) => {
      requests = inAll;
      if (inAll === 1) socket.write(OK);
      else socket.destroy();
    });
    const from = sender();
    assert.equal(inShort(await post(from, url)), "answered 200");
    assert.match(inShort(await post(from, url)), /^(closed_early|connection_reset)$/u);
    assert.equal(requests, 3);
  });

  it("that break after the first byte of an answer are not tried again", async () => {
    let requests = 0;
    const { url } = await receiver((socket, { inAll }) => {
      requests = inAll;
      if (inAll === 1) socket.write(OK);
      else socket.end("HTTP/1.1 2");
    });
    const from = sender();
    await post(from, url);
    assert.equal(inShort(await post(from, url)), "closed_early");
    assert.equal(requests, 2);
  });

  it("grow to their bound for one origin when all are busy, and serve all who wait", async () => {
    let open = 0;
    let openMax = 0;
    const { url, connections } = await receiver((socket) => {
      openMax = Math.max(openMax, ++open);
      setTimeout(() => {
        open -= 1;
        socket.write(OK);
      }, 5);
    });
    const from = sender({ connectionsPerOriginMax: 4 });
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => post(from, url)));
    assert.ok(outcomes.every((outcome) => inShort(outcome) === "answered 200"));
    assert.equal(connections(), 4);
    assert.equal(openMax, 4);
  });

  it("stay within their bound in all, over more origins than that", async () => {
    const { port } = await receiver(answerOk);
    const from = sender({ connectionsMax: 3 });
    let countMax = 0;
    const urls = Array.from({ length: 24 }, (_, i) => `https://r${i % 12}.receiver.test:${port}/`);
    const outcomes = await Promise.all(
      urls.map(async (url) => {
        const outcome = await post(from, url);
        countMax = Math.max(countMax, from.connectionCount());
        return inShort(outcome);
      }),
    );
    assert.deepEqual([...new Set(outcomes)], ["answered 200"]);
    assert.ok(countMax <= 3);
  });

  it("resume the TLS session of an origin visited before", async () => {
    const reused: boolean[] = [];
    const { url } = await receiver((socket) => {
      reused.push((socket as unknown as { isSessionReused(): boolean }).isSessionReused());
      socket.end(OK.replace("\r\n", "\r\nconnection: close\r\n"));
    });
    const from = sender();
    for (let i = 0; i < 3; i++) assert.equal(inShort(await post(from, url)), "answered 200");
    assert.deepEqual(reused, [false, true, true]);
  });

  it("are all closed when the sender closes, and what was on its way is told", async () => {
    const { url } = await receiver(() => {});
    const from = sender();
    const open = post(from, url);
    const waiting = post(from, "https://127.0.0.1:1/");
    await from.close();
    assert.equal(inShort(await open), "sender_closed");
    assert.match(inShort(await waiting), /sender_closed|connection_refused/u);
    assert.equal(from.connectionCount(), 0);
    assert.equal(inShort(await post(from, url)), "sender_closed");
  });
});

describe("the deadline", () => {
  it("is one for the whole attempt, name look-up included", async () => {
    const clock = manualClock();
    const from = sender({ clock, timeoutMs: 4_000, lookUp: () => {} });
    const outcomes: string[] = [];
    from.send({ url: "https://slow.receiver.test/", headers: [], body: "{}" }, (outcome) => {
      outcomes.push(inShort(outcome));
    });
    await clock.advance(3_999);
    assert.deepEqual(outcomes, []);
    await clock.advance(1);
    assert.deepEqual(outcomes, ["timeout"]);
    assert.equal(from.connectionCount(), 0);
  });

  it("ends attempts in the order of their start, each at its own time", async () => {
    const clock = manualClock();
    const { url } = await receiver(() => {});
    const from = sender({ clock, timeoutMs: 10_000 });
    const outcomes: string[] = [];
    const send = (name: string): void => {
      from.send({ url, headers: [], body: "{}" }, (outcome) => outcomes.push(`${name} ${inShort(outcome)}`));
    };
    send("first");
    await clock.advance(3_000);
    send("second");
    await clock.advance(6_999);
    assert.deepEqual(outcomes, []);
    await clock.advance(1);
    assert.deepEqual(outcomes, ["first timeout"]);
    await clock.advance(3_000);
    assert.deepEqual(outcomes, ["first timeout", "second timeout"]);
  });

  it("that passes while an attempt waits keeps it off the wire for good", async () => {
    const bodies: string[] = [];
    const { url } = await receiver((socket, _count, request) => {
      bodies.push(request.split("\r\n\r\n")[1]!);
      // The first answer comes when the second attempt has long been given up.
      setTimeout(() => socket.write(OK), SHORT_MS * 2);
    });
    const from = sender({ timeoutMs: SHORT_MS, connectionsPerOriginMax: 1 });
    const outcomes = await Promise.all([post(from, url, "first"), post(from, url, "second"), post(from, url, "third")]);
    assert.deepEqual(outcomes.map(inShort), ["timeout", "timeout", "timeout"]);
    await new Promise((resolve) => setTimeout(resolve, SHORT_MS));
    assert.deepEqual(bodies, ["first"]);
  });
});
