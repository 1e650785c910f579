/** What comes back over the wire as a text. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync, gzipSync } from "node:zlib";

import { served } from "./serving.ts";

test("an answer is unpacked within its bound, and loses the mark that some programs begin a text with", async (t) => {
  const zipped = gzipSync("[]");
  for (const [what, encoding, body, expected] of [
    ["compressed unasked", "gzip", gzipSync('["é"]'), '["é"]'],
    ["compressed otherwise", "deflate", deflateSync("[]"), "[]"],
    ["without a body", "GZIP", Buffer.alloc(0), ""],
    ["too large once it is unpacked", "gzip", gzipSync(Buffer.alloc(10_001)), "too_large"],
    ["not what it says", "gzip", Buffer.from("[]"), "connection"],
    ["cut off", "gzip", zipped.subarray(0, 12), "connection"],
    ["marked", "identity", Buffer.from("\uFEFF[]"), "[]"],
  ] as const) {
    const { url, http } = await served(t, (_, response) =>
      response.writeHead(200, { "content-encoding": encoding }).end(body),
    );
    const answer = await http(new URL(url), { headers: {}, timeoutMs: 5_000, bodyBytesMax: 10_000 });
    assert.equal(answer.kind === "answered" ? answer.body : answer.reason, expected, what);
  }
});
