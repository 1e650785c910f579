import assert from "node:assert/strict";
import type { AddressInfo, Socket } from "node:net";
import { describe, it } from "node:test";
import { createServer, type TLSSocket } from "node:tls";

import { manualClock } from "../support/clock.ts";
import { OK } from "../support/receivers.ts";
import { answerOk, certificates, inShort, openReceiver, openSender, post } from "./sending.ts";

describe("connections", () => {
  it("are used again, also after answers that were failures", async () => {
    const { url, connections } = await openReceiver((socket, { inAll }) => {
      socket.write(inAll % 2 === 0 ? OK : "HTTP/1.1 500 X\r\ncontent-length: 0\r\n\r\n");
    });
    const from = openSender();
    for (let i = 0; i < 10; i++) await post(from, url);
    assert.equal(connections(), 1);
  });

  it("that close when used again cost no attempt: it goes out once more on a fresh one", async () => {
    const { url, connections } = await openReceiver((socket, { onConnection }) => {
      if (onConnection === 1) socket.write(OK);
      else socket.destroy();
    });
    const from = openSender();
    const outcomes = [];
    for (let i = 0; i < 3; i++) outcomes.push(inShort(await post(from, url)));
    assert.deepEqual(outcomes, ["answered 200", "answered 200", "answered 200"]);
    assert.equal(connections(), 3);
  });

  it("that close on every request fail the attempt after that one repeat", async () => {
    let requests = 0;
    const { url } = await openReceiver((socket, { inAll }) => {
      requests = inAll;
      if (inAll === 1) socket.write(OK);
      else socket.destroy();
    });
    const from = openSender();
    assert.equal(inShort(await post(from, url)), "answered 200");
    assert.match(inShort(await post(from, url)), /^(closed_early|connection_reset)$/u);
    assert.equal(requests, 3);
  });

  it("with an answer that nobody asked for are closed, and it answers no other request", async () => {
    const { url, connections } = await openReceiver((socket) => {
      socket.write(OK);
      socket.write(OK.replace("200", "500"));
    });
    const from = openSender({ connectionsPerOriginMax: 1 });
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => post(from, url)));
    assert.deepEqual(outcomes.map(inShort), Array(5).fill("answered 200"));
    assert.equal(connections(), 5);
  });

  it("are closed by a byte that comes while they are idle", async () => {
    const asking: Socket[] = [];
    const { url } = await openReceiver((socket) => {
      asking.push(socket);
      socket.write(OK);
    });
    const from = openSender();
    await post(from, url);
    assert.equal(from.connectionCount(), 1);
    asking[0]!.write("\r");
    while (from.connectionCount() > 0) await new Promise(setImmediate);
    assert.equal(inShort(await post(from, url)), "answered 200");
    assert.equal(asking.length, 2);
  });

  it("wait idle for a minute, or two seconds less than the receiver announces, and are closed then", async () => {
    for (const [announced, idleMs] of [
      ["", 60_000],
      ["keep-alive: timeout=5\r\n", 3_000],
    ] as const) {
      const clock = manualClock();
      const { url } = await openReceiver((socket) => {
        socket.write(OK.replace("\r\n", `\r\n${announced}`));
      });
      const from = openSender({ clock });
      for (let i = 0; i < 2; i += 1) {
        assert.equal(inShort(await post(from, url)), "answered 200");
        await clock.advance(idleMs - 1);
        assert.equal(from.connectionCount(), 1);
      }
      await clock.advance(1_000);
      assert.equal(from.connectionCount(), 0);
    }
  });

  it("whose receiver answers a request that it does not read carry no other", async () => {
    const asking: TLSSocket[] = [];
    const server = createServer(certificates.valid, (socket) => {
      asking.push(socket);
      socket.on("error", () => {});
      socket.once("data", () => {
        socket.pause();
        socket.write(OK);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `https://receiver.test:${(server.address() as AddressInfo).port}/`;
    const from = openSender();
    for (let sent = 1; sent <= 3; sent += 1) {
      assert.equal(inShort(await post(from, url, "x".repeat(16 << 20))), "answered 200");
      assert.equal(asking.length, sent);
    }
    for (const socket of asking) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  it("that break after the first byte of an answer are not tried again", async () => {
    let requests = 0;
    const { url } = await openReceiver((socket, { inAll }) => {
      requests = inAll;
      if (inAll === 1) socket.write(OK);
      else socket.end("HTTP/1.1 2");
    });
    const from = openSender();
    await post(from, url);
    assert.equal(inShort(await post(from, url)), "closed_early");
    assert.equal(requests, 2);
  });

  it("grow to their bound for one origin when all are busy, and serve all who wait", async () => {
    let open = 0;
    let openMax = 0;
    const { url, connections } = await openReceiver((socket) => {
      openMax = Math.max(openMax, ++open);
      setTimeout(() => {
        open -= 1;
        socket.write(OK);
      }, 5);
    });
    const from = openSender({ connectionsPerOriginMax: 4 });
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => post(from, url)));
    assert.ok(outcomes.every((outcome) => inShort(outcome) === "answered 200"));
    assert.equal(connections(), 4);
    assert.equal(openMax, 4);
  });

  it("stay within their bound in all, over more origins than that", async () => {
    const { port } = await openReceiver(answerOk);
    const from = openSender({ connectionsMax: 3 });
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

  it("that the receiver closes are forgotten, whether they have been needed or not", async () => {
    const asking: Socket[] = [];
    const { url, close, connections } = await openReceiver((socket) => asking.push(socket));
    const until = async (isSo: () => boolean): Promise<void> => {
      while (!isSo()) await new Promise(setImmediate);
    };
    const from = openSender();
    const first = post(from, url);
    await until(() => asking.length === 1);
    // The second attempt asks for a second connection, and the first comes free before its handshake is over.
    const second = post(from, url);
    asking[0]!.write(OK);
    await first;
    await until(() => asking.length === 2 && connections() === 2);
    assert.ok(asking[0] === asking[1], "the second connection has carried nothing");
    asking[1]!.write(OK);
    await second;
    assert.equal(from.connectionCount(), 2);
    await close();
    await until(() => from.connectionCount() === 0);
  });

  it("resume the TLS session of an origin visited before", async () => {
    const reused: boolean[] = [];
    const { url } = await openReceiver((socket) => {
      reused.push((socket as unknown as { isSessionReused(): boolean }).isSessionReused());
      socket.end(OK.replace("\r\n", "\r\nconnection: close\r\n"));
    });
    const from = openSender();
    for (let i = 0; i < 3; i++) assert.equal(inShort(await post(from, url)), "answered 200");
    assert.deepEqual(reused, [false, true, true]);
  });

  it("are all closed when the sender closes, and open attempts end", async () => {
    const { url } = await openReceiver(() => {});
    const from = openSender();
    const open = post(from, url);
    const waiting = post(from, "https://127.0.0.1:1/");
    await from.close();
    assert.equal(inShort(await open), "sender_closed");
    assert.match(inShort(await waiting), /sender_closed|connection_refused/u);
    assert.equal(from.connectionCount(), 0);
    assert.equal(inShort(await post(from, url)), "sender_closed");
  });
});
