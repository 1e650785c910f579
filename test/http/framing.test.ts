/** Requests that two servers could read in two ways: both listeners refuse them and close the connection. */
import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";

import { say, talkTo } from "../faults/raw-http.ts";
import { startService, type TestService } from "../support/service.ts";

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
  "two lengths": ["POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\ncontent-length: 3", "{} "],
};

describe("requests that can be read in two ways", () => {
  let service: TestService;
  const urls: string[] = [];
  before(async () => {
    service = await startService();
    for (const app of [service.api, service.ops]) {
      await app.listen({ host: "127.0.0.1", port: 0 });
      urls.push(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
    }
  });
  after(() => service.close());

  for (const [name, [head, rest = ""]] of Object.entries(REFUSED)) {
    test(`${name}: 400, and the connection is closed`, async () => {
      for (const url of urls) {
        const { statuses, open, text } = await talkTo(url, say(`${head}\r\n\r\n${rest}`), 5_000);
        assert.deepEqual([statuses, open], [[400], false], text);
      }
    });
  }

  test("one host, in whatever case, and HTTP/1.0 without chunks are taken", async () => {
    for (const head of ["GET / HTTP/1.1\r\nHOST: localhost\r\nconnection: close", "GET / HTTP/1.0"]) {
      const [api, ops] = await Promise.all(urls.map((url) => talkTo(url, say(`${head}\r\n\r\n`), 5_000)));
      assert.deepEqual([api!.statuses, ops!.statuses], [[200], [200]], head);
    }
  });
});
