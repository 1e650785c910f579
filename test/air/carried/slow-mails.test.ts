/** Which e-mails would take the parser too long, and are refused before it begins. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { excessOf } from "../../../src/products/air/sources/carried/mail-lines.ts";
import { ACCEPTED_MAILS, BASE64_LINE, MAIL, MULTIPART, PLAIN_LINE, REFUSED_MAILS } from "../slow-texts.ts";

const isRefused = (mail: string): boolean => excessOf(Buffer.from(MAIL + mail)) !== null;

test("the largest e-mails are read, and those of more lines are refused", () => {
  for (const [name, mail] of Object.entries(ACCEPTED_MAILS)) assert.ok(!isRefused(mail), name);
  for (const [name, mail] of Object.entries(REFUSED_MAILS)) assert.ok(isRefused(mail), name);
});

test("a line that stands as it is counts as five, wherever its part is", () => {
  const plain = PLAIN_LINE.repeat(15_000);
  const encoded = BASE64_LINE.repeat(15_000);
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
