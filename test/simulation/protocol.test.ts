/** What the server in the middle of a world reads of a real one. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { message, Received } from "./protocol.ts";

const READY = message("Z", Buffer.from("I"));
const EMPTY = message("I", Buffer.alloc(0));
const notification = (pid: number): Buffer => {
  const body = Buffer.alloc(6);
  body.writeInt32BE(pid);
  return message("A", body);
};

// World 1795995936 waited for an answer that had a notification behind its end.
test("an answer ends where it is ready, whatever comes with it, and in whatever pieces", () => {
  const sent = Buffer.concat([notification(1), EMPTY, READY, notification(2), EMPTY]);
  for (let size = 1; size <= sent.length; size++) {
    const received = new Received();
    const answers: Buffer[] = [];
    for (let at = 0; at < sent.length; at += size) {
      const answer = received.take(sent.subarray(at, at + size));
      if (answer !== null) answers.push(answer);
    }
    assert.deepEqual(answers, [Buffer.concat([EMPTY, READY])], `pieces of ${size}`);
    assert.deepEqual(
      received.notifications.map(({ pid }) => pid),
      [1, 2],
    );
    assert.deepEqual(received.rest(), EMPTY);
  }
});
