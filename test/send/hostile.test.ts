import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { TlsOptions } from "node:tls";

import {
  HOSTILE,
  startReceiver,
  startTcpReceiver,
  type Behaviour,
  type Receiver,
} from "../support/receivers.ts";
import { certificates, inShort, post, SHORT_MS, testSender } from "./sending.ts";

/** What one attempt may keep. */
const MEMORY_BYTES_MAX = 32 << 20;

const LONG_MS = 10_000;

/** Sends one delivery there and says in short how it ended. */
async function attemptAt(receiver: Receiver, timeoutMs = SHORT_MS): Promise<string> {
  const sender = testSender({ timeoutMs });
  try {
    return inShort(await post(sender, `https://receiver.test:${receiver.port}/hook`));
  } finally {
    await sender.close();
    await receiver.close();
  }
}

describe("a hostile receiver", () => {
  const expected: Record<keyof typeof HOSTILE, string> = {
    silent: "timeout",
    endlessAnswer: "answer_too_large 200",
    endlessUnframedAnswer: "answer_too_large 200",
    drippingHeaders: "timeout",
    drippingBody: "timeout 200",
    drippingInterimAnswers: "protocol_error",
    interimFlood: "protocol_error",
    hugeHeader: "headers_too_large",
    endlessHeaders: "headers_too_large",
    gzipBomb: "answer_too_large 200",
    closesAtOnce: "closed_early",
    closesInHeaders: "closed_early",
    closesInBody: "closed_early 200",
    closesInChunk: "closed_early 200",
    resets: "closed_early",
    garbage: "protocol_error",
    otherVersion: "protocol_error",
    twoLengths: "protocol_error",
    upgrade: "protocol_error",
  };
  for (const [name, outcome] of Object.entries(expected)) {
    it(`that does "${name}" ends in ${outcome} in bounded memory`, async () => {
      const behave: Behaviour = HOSTILE[name as keyof typeof HOSTILE];
      const before = process.memoryUsage();
      const receiver = await startReceiver(certificates.valid, (socket, count, request) =>
        behave(socket, count, request),
      );
      // Only what is to run into the deadline may: the rest has time on a busy machine too.
      const timeoutMs = outcome.startsWith("timeout") ? SHORT_MS : LONG_MS;
      assert.equal(await attemptAt(receiver, timeoutMs), outcome);
      const after = process.memoryUsage();
      assert.ok(after.external + after.heapUsed - before.external - before.heapUsed < MEMORY_BYTES_MAX);
    });
  }
});

describe("bad TLS", () => {
  const expected: Record<string, TlsOptions> = {
    tls_expired: certificates.expired,
    tls_wrong_host: certificates.wrongHost,
    tls_self_signed: certificates.selfSigned,
    tls_untrusted: certificates.untrusted,
    tls_version: {
      ...certificates.valid,
      minVersion: "TLSv1.1",
      maxVersion: "TLSv1.1",
      ciphers: "ALL@SECLEVEL=0",
    },
    tls_failed: { ...certificates.valid, ALPNProtocols: ["h2"] },
  };
  for (const [code, options] of Object.entries(expected)) {
    it(`ends in ${code} and sends no byte of the delivery`, async () => {
      const receiver = await startReceiver(options, (socket) => socket.end());
      assert.equal(await attemptAt(receiver, 5_000), code);
      assert.equal(receiver.bytesRead(), 0);
    });
  }

  it("ends in tls_expired before a certificate's time as well", async () => {
    const receiver = await startReceiver(certificates.notYetValid, (socket) => socket.end());
    assert.equal(await attemptAt(receiver, 5_000), "tls_expired");
  });

  it("ends in tls_failed where something else than TLS answers", async () => {
    const receiver = await startTcpReceiver((socket) => socket.write("HTTP/1.1 400 Bad Request\r\n\r\n"));
    assert.equal(await attemptAt(receiver, 5_000), "tls_failed");
  });

  it("ends in a time-out where the handshake never does", async () => {
    assert.equal(await attemptAt(await startTcpReceiver(() => {})), "timeout");
  });

  it("ends in connection_reset where the connection closes in the handshake", async () => {
    const receiver = await startTcpReceiver((socket) => socket.once("data", () => socket.destroy()));
    assert.equal(await attemptAt(receiver, 5_000), "connection_reset");
  });
});
