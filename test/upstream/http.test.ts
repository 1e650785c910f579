/** What comes back over the wire as a text. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync, gzipSync } from "node:zlib";

import { serving } from "./serving.ts";

const OPTIONS = { headers: {}, timeoutMs: 5_000, bodyBytesMax: 10_000 };

/** What an answer comes to that is compressed as its header says. */
function answered(encoding: string, body: Buffer): Promise<string> {
  return serving(
    (_, response) => response.writeHead(200, { "content-encoding": encoding }).end(body),
    async ({ url, http }) => {
      const answer = await http(new URL(url), OPTIONS);
      return answer.kind === "answered" ? answer.body : answer.reason;
    },
  );
}

test("an answer that was compressed unasked is unpacked, within its bound", async () => {
  assert.equal(await answered("gzip", gzipSync('["é"]')), '["é"]');
  assert.equal(await answered("deflate", deflateSync("[]")), "[]");
  assert.equal(await answered("GZIP", Buffer.alloc(0)), "", "an answer without a body");
  assert.equal(await answered("gzip", gzipSync(Buffer.alloc(10_001))), "too_large");
  assert.equal(await answered("gzip", Buffer.from("[]")), "connection", "it is not what it says");
  assert.equal(await answered("gzip", gzipSync("[]").subarray(0, 12)), "connection", "cut off");
});

test("the mark that some programs begin a text with is none of the text", async () => {
  assert.equal(await answered("identity", Buffer.from("\uFEFF[]")), "[]");
});
