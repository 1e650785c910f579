/**
 * Texts that carry messages, made to take long where counted steps do not tell (`test/loop/growth.test.ts`): in regular
 * expressions, and in the parsers of XML and of e-mails; as many characters as are read of a text.
 */
import { adversarialTexts } from "../../bench/setting/messages.ts";

export const CHARS = 999_900;
export const filled = (unit: string, from = "", to = "", length = CHARS): string =>
  from + unit.repeat(Math.floor((length - from.length - to.length) / unit.length)) + to;

export const MAIL = "From: a@kite.example\r\nMIME-Version: 1.0\r\n";
export const MULTIPART = (boundary: string): string =>
  `Content-Type: multipart/mixed; boundary=${boundary}\r\n\r\n--${boundary}\r\n`;
const TYPE = "Content-Type: ";
const PART = `--b\r\n\r\n${"x\r\n".repeat(15)}`;

export const SLOW_TEXTS: Readonly<Record<string, string>> = {
  ...adversarialTexts(CHARS),
  attributes: `<a ${Array.from({ length: 90_000 }, (_, index) => `a${index}=""`).join(" ")}/>`,
  sections: filled("<![CDATA[<]]>", "<a>", "</a>"),
  comments: filled("- ", "<a><!--"),
  "half a tag": filled("<a "),
  "as many lines as are read": `${MAIL}\r\n${"\r\n".repeat(19_900)}${`${"x".repeat(66)}\r\n`.repeat(40_000)}`,
  "as many parts as are read": `${MAIL}${TYPE}multipart/mixed; boundary=b\r\n\r\n${PART.repeat(990)}`,
  "HTML in an e-mail": filled("<p>FSU", `${MAIL}${TYPE}text/html\r\n\r\n`),
  "half of HTML": filled("<br ", `${MAIL}${TYPE}text/html\r\n\r\nFSU`),
  "quotes in an e-mail": filled("> > \t", `${MAIL}\r\nFSU\r\n`),
};

/** Of an e-mail that may have four megabytes. */
const LARGEST = 4 * 1_024 * 1_024 - 2_000;
export const BASE64_LINE = `${"QUJD".repeat(19)}\r\n`;
export const PLAIN_LINE = `${"x".repeat(68)}\r\n`;
const lines = (line: string, length = LARGEST): string => filled(line, "", "", length);

/** The worst that are read. */
export const ACCEPTED_MAILS: Readonly<Record<string, string>> = {
  base64: `Content-Transfer-Encoding: base64\r\n\r\n${lines(BASE64_LINE)}`,
  attached: `${MULTIPART("b")}Content-Transfer-Encoding: base64\r\n\r\n${lines(BASE64_LINE)}--b--\r\n`,
  "quoted-printable": `Content-Transfer-Encoding: quoted-printable\r\n\r\n${lines(`${"=41".repeat(25)}\r\n`)}`,
  "as many plain lines as may be": `\r\n${PLAIN_LINE.repeat(11_900)}`,
  "a line": `\r\n${lines("x")}`,
  addresses: `Cc: ${lines("a@b,", 60_000)}\r\n\r\nx`,
  groups: `To: ${"a:b@c;".repeat(10_000)}\r\n\r\nx`,
  parts: `${MULTIPART("b")}${lines(`\r\n${"x".repeat(3_000)}\r\n--b\r\n`, 990 * 3_009)}--b--\r\n`,
};

/** More than the parser reads in time. */
export const REFUSED_MAILS: Readonly<Record<string, string>> = {
  "plain text": `\r\n${lines(PLAIN_LINE)}`,
  "short lines": `\r\n${lines("x\r\n")}`,
  html: `Content-Type: text/html\r\n\r\n${lines(`${"<p>a&amp;b</p>".repeat(6)}\r\n`)}`,
};
