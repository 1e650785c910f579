/** Requests that two servers could read in two ways: both listeners refuse them and close the connection. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import { before, describe, test } from "node:test";

import { say, talkTo } from "../faults/raw-http.ts";
import { ofSuite } from "../support/suite.ts";
import { createCaller, startService } from "../support/service.ts";

const CHUNK = "2\r\n{}\r\n0\r\n\r\n";
const HIDDEN = "GET /hidden HTTP/1.1\r\nhost: a\r\n\r\n";

/** The heads without the empty line, and what follows it. */
const REFUSED: Readonly<Record<string, readonly [head: string, rest?: string]>> = {
  "two hosts": ["GET / HTTP/1.1\r\nhost: a\r\nhost: b"],
  "two hosts that are one": ["GET / HTTP/1.1\r\nhost: a\r\nHost: a"],
  "HTTP/0.9": ["GET /"],
  "no host": ["GET / HTTP/1.1"],
  "chunks in HTTP/1.0": ["POST / HTTP/1.0\r\nhost: a\r\ntransfer-encoding: chunked", CHUNK],
  "chunks in HTTP/1.0 that is kept open": [
    "POST / HTTP/1.0\r\nhost: a\r\nconnection: keep-alive\r\ntransfer-encoding: chunked",
    CHUNK + HIDDEN,
  ],
  "a length and chunks": [
    "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\ntransfer-encoding: chunked",
    CHUNK + HIDDEN,
  ],
  "no HTTP": ["hello there"],
  "a header without a colon": ["GET / HTTP/1.1\r\nhost: a\r\nnonsense"],
  "a method of nobody's": ["BREW / HTTP/1.1\r\nhost: a"],
  "two lengths": ["POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\ncontent-length: 3", "{} "],
};

describe("requests that can be read in two ways", () => {
  const service = ofSuite(() => startService({}, { cells: 1 }));
  const urls: string[] = [];
  before(async () => {
    for (const app of [service.api, service.ops]) {
      await app.listen({ host: "127.0.0.1", port: 0 });
      urls.push(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
    }
  });

  for (const [name, [head, rest = ""]] of Object.entries(REFUSED))
    test(`${name}: 400, and the connection is closed`, async () => {
      for (const url of urls) {
        const { statuses, open, text } = await talkTo(url, say(`${head}\r\n\r\n${rest}`), 5_000);
        assert.deepEqual([statuses, open], [[400], false], text);
      }
    });

  test("headers beyond measure are 431", async () => {
    const head = `GET / HTTP/1.1\r\nhost: a\r\nx: ${"y".repeat(20_000)}\r\n\r\n`;
    assert.deepEqual((await talkTo(urls[0]!, say(head), 5_000)).statuses, [431]);
  });

  test("one host, in whatever case, and HTTP/1.0 without chunks are taken", async () => {
    for (const head of ["GET / HTTP/1.1\r\nHOST: localhost\r\nconnection: close", "GET / HTTP/1.0"]) {
      const [api, ops] = await Promise.all(urls.map((url) => talkTo(url, say(`${head}\r\n\r\n`), 5_000)));
      assert.deepEqual([api!.statuses, ops!.statuses], [[200], [200]], head);
    }
  });

  // As nginx does, which reads no answer before.
  test("a body that is too large is refused once it was sent, not while a proxy still sends it", async () => {
    const body = JSON.stringify("x".repeat(70_000));
    const { key } = await createCaller(service, "tracking");
    let got = "";
    const socket = connect(Number(new URL(urls[0]!).port), "127.0.0.1").on(
      "data",
      (data) => (got += data.toString()),
    );
    socket.write(
      `POST /tracking/v1/webhooks HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\n` +
        `content-length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
    );
    // As many others are answered as it takes for an early answer to arrive.
    for (let others = 0; others < 20; others += 1) await (await fetch(urls[0]!)).arrayBuffer();
    assert.equal(got, "");
    socket.write(body.slice(10));
    await once(socket, "end");
    assert.match(got, /^HTTP\/1\.1 413 /);
  });
});
