/** What the tests of the sender share: a sender that reaches loopback, and one attempt as a promise. */
import { after } from "node:test";

import type { SendResult } from "../../src/model/delivery.ts";
import { addressPolicy } from "../../src/engine/send/address.ts";
import { createSender, type Sender, type SenderOptions } from "../../src/engine/send/attempt.ts";
import type { DnsLookup } from "../../src/runtime/dns-lookup.ts";
import { makeCertificates } from "../support/certificates.ts";
import { realClock } from "../support/real-clock.ts";
import { OK, startReceiver, type Behaviour, type Receiver } from "../support/receivers.ts";

export const certificates = await makeCertificates();

/** Every name under `receiver.test` is this machine. */
export const lookUp: DnsLookup = (hostname, family, done) => {
  const isOurs = hostname === "receiver.test" || hostname.endsWith(".receiver.test");
  setImmediate(() => {
    if (!isOurs) done(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }), []);
    else done(null, family === 4 ? [{ address: "127.0.0.1", ttlS: 60 }] : []);
  });
};

/** Time in all for attempts that should run out of it, milliseconds. */
export const SHORT_MS = 300;

export function testSender(options: Partial<SenderOptions> = {}): Sender {
  return createSender({
    clock: realClock,
    policy: addressPolicy(["127.0.0.0/8", "::1"]),
    dnsLookup: lookUp,
    secureContext: certificates.secureContext,
    timeoutMs: 5_000,
    ...options,
  });
}

const cleanUp: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const close of cleanUp.toReversed()) await close();
});

/** Closed when the file's tests are over, like its receivers. */
export function openSender(options: Partial<SenderOptions> = {}): Sender {
  const sender = testSender(options);
  cleanUp.push(sender.close);
  return sender;
}

export async function openReceiver(behave: Behaviour): Promise<Receiver & { readonly url: string }> {
  const receiver = await startReceiver(certificates.valid, behave);
  cleanUp.push(receiver.close);
  return { ...receiver, url: `https://receiver.test:${receiver.port}/hook?a=b` };
}

export const answerOk: Behaviour = (socket) => void socket.write(OK);

export function post(sender: Sender, url: string, body = `{"id":"1"}`): Promise<SendResult> {
  return new Promise((resolve) => {
    sender.send({ url, headers: ["content-type", "application/json", "x-test", "1"], body }, resolve);
  });
}

/** `answered 200`, `timeout`, `timeout 200`, `unsent out_of_sockets`: a result in a word or two. */
export function inShort(outcome: SendResult): string {
  if (outcome.kind === "answered") return `answered ${outcome.statusCode}`;
  if (outcome.kind === "unsent") return `unsent ${outcome.error.code}`;
  return outcome.statusCode === null ? outcome.error.code : `${outcome.error.code} ${outcome.statusCode}`;
}
