import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";

import { excessOf } from "../../../src/products/air/sources/carried/mail-lines.ts";
import type { TimedMail } from "./timed-mail.ts";

const MAIL = "From: a@kite.example\r\nMIME-Version: 1.0\r\n";
const MULTIPART = (boundary: string): string =>
  `Content-Type: multipart/mixed; boundary=${boundary}\r\n\r\n--${boundary}\r\n`;
const LARGEST = 4 * 1_024 * 1_024 - 2_000;
/** For an idle processor, and warm code: the best of some runs. */
const ACCEPTED_MS_MAX = 200;
const REFUSED_MS_MAX = 20;

const filled = (line: string, length = LARGEST): string => line.repeat(Math.floor(length / line.length));
const BASE64 = `${"QUJD".repeat(19)}\r\n`;
const PLAIN = `${"x".repeat(68)}\r\n`;

async function opened(mail: string): Promise<TimedMail> {
  const worker = new Worker(new URL("./timed-mail.ts", import.meta.url), { workerData: MAIL + mail });
  const [told] = (await once(worker, "message")) as [TimedMail];
  await worker.terminate();
  return told;
}

const ACCEPTED = {
  base64: `Content-Transfer-Encoding: base64\r\n\r\n${filled(BASE64)}`,
  attached: `${MULTIPART("b")}Content-Transfer-Encoding: base64\r\n\r\n${filled(BASE64)}--b--\r\n`,
  "quoted-printable": `Content-Transfer-Encoding: quoted-printable\r\n\r\n${filled(`${"=41".repeat(25)}\r\n`)}`,
  "as many plain lines as may be": `\r\n${PLAIN.repeat(11_900)}`,
  "a line": `\r\n${filled("x")}`,
  addresses: `Cc: ${filled("a@b,", 250_000)}\r\n\r\nx`,
  parts: `${MULTIPART("b")}${filled(`\r\n${"x".repeat(3_000)}\r\n--b\r\n`, 990 * 3_009)}--b--\r\n`,
};

for (const [name, mail] of Object.entries(ACCEPTED)) {
  test(`the worst e-mail that is read does not take long: ${name}`, async (t) => {
    const { ms, failure } = await opened(mail);
    t.diagnostic(`${ms.toFixed(0)} ms`);
    assert.equal(failure, null);
    assert.ok(ms < ACCEPTED_MS_MAX, `${ms.toFixed(0)} ms`);
  });
}

const REFUSED = {
  "plain text": `\r\n${filled(PLAIN)}`,
  "short lines": `\r\n${filled("x\r\n")}`,
  html: `Content-Type: text/html\r\n\r\n${filled(`${"<p>a&amp;b</p>".repeat(6)}\r\n`)}`,
};

for (const [name, mail] of Object.entries(REFUSED)) {
  test(`an e-mail that would take long is refused at once: ${name}`, async (t) => {
    const { ms, failure } = await opened(mail);
    t.diagnostic(`${ms.toFixed(0)} ms`);
    assert.match(failure ?? "", /the e-mail cannot be read: more than 60000 lines/);
    assert.ok(ms < REFUSED_MS_MAX, `${ms.toFixed(0)} ms`);
  });
}

const isRefused = (mail: string): boolean => excessOf(Buffer.from(MAIL + mail)) !== null;

test("a line that stands as it is counts as five, wherever its part is", () => {
  const plain = PLAIN.repeat(15_000);
  const encoded = BASE64.repeat(15_000);
  const base64 = "Content-Transfer-Encoding: Base64\r\n\r\n";
  const inner = MULTIPART('"outer b"').replaceAll('--"outer b"', "--outer b") + MULTIPART("inner");
  assert.ok(!isRefused(base64 + encoded));
  assert.ok(!isRefused(`${inner}${base64}${encoded}--inner--\r\n--outer b--\r\n`));
  assert.ok(!isRefused(`content-type: text/plain;\r\n charset=utf-8\r\n${base64}${encoded}`));
  const slow = {
    "no encoding": `\r\n${plain}`,
    "another encoding": `Content-Transfer-Encoding: 8bit\r\n\r\n${plain}`,
    "an encoding of the body's own": `\r\n${base64}${plain}`,
    "two encodings": `Content-Transfer-Encoding: 8bit\r\n${base64}${plain}`,
    "a boundary that is not the mail's": `${MULTIPART("b")}\r\n--c\r\n${base64}${plain}`,
    "after the end of the parts": `${MULTIPART("b")}${base64}--b--\r\n${plain}`,
    "a part after one that is encoded": `${MULTIPART("b")}${base64}QUJD\r\n--b\r\n\r\n${plain}`,
    "a mail in a mail": `Content-Type: message/rfc822\r\n${base64}${plain}`,
    "an encoded whole of parts": `Content-Type: multipart/mixed; boundary=b\r\n${base64}--b\r\n\r\n${plain}`,
  };
  for (const [name, mail] of Object.entries(slow)) assert.ok(isRefused(mail), name);
});
