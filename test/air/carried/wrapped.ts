/** One message of Cargo-IMP in all that people have it in. */
import { inEdifact, inFreeText, inTypeB } from "../../../packages/simulator/src/airport/imp-envelope.ts";

export const MESSAGE =
  "FSU/14\r\n020-12345675FRAJFK/T10K250.5\r\nRCF/LH400/15NOV1655/JFK/T10K250.5//A1348\r\nOSI/M\u00DCLLER & S\u00D6HNE <2>\r\n";

type Carried = {
  readonly name: string;
  readonly sent: string | Buffer;
  readonly isMail?: true;
  readonly part?: string;
};

const TYPE_B = inTypeB(MESSAGE, { to: ["FRAFMLH"], from: "JFKFMLH" }, "151430");
const [FIRST, ...REST] = MESSAGE.trimEnd().split("\r\n");
const SITATEX = (smi: string, text: string) =>
  `=HEADER\r\nRCV,2026/11/15 14:30\r\n=PRIORITY\r\nQD\r\n=DESTINATION TYPE B\r\nSTX,FRAFMLH\r\n=ORIGIN\r\nJFKFMLH\r\n=MSGID\r\n151430\r\n${smi}=TEXT\r\n${text}`;
const ESCAPED = MESSAGE.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const base64 = (text: string | Buffer) => Buffer.from(text).toString("base64").replaceAll(/.{76}/g, "$&\r\n");
const quotedPrintable = (text: string) =>
  [...Buffer.from(text)]
    .map((byte) =>
      byte === 10 || byte === 13 || (byte >= 32 && byte < 127 && byte !== 61)
        ? String.fromCharCode(byte)
        : `=${byte.toString(16).toUpperCase().padStart(2, "0")}`,
    )
    .join("")
    .replaceAll(/[^\r\n]{60}/g, "$&=\r\n");

const HEADERS =
  "From: Cargo <cargo@kite.example>\r\nTo: air@forwarder.example\r\nSubject: =?utf-8?Q?Status_M=C3=BCller?=\r\nMIME-Version: 1.0\r\n";
const textPart = (type: string, encoding: string, body: string, more = "") =>
  `Content-Type: ${type}\r\n${more}Content-Transfer-Encoding: ${encoding}\r\n\r\n${body}`;
const multipart = (kind: string, boundary: string, ...parts: readonly string[]) =>
  `Content-Type: multipart/${kind}; boundary="${boundary}"\r\n\r\npreamble\r\n${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join("")}--${boundary}--\r\n`;
const attached = (name: string, type: string, encoding: string, body: string) =>
  textPart(type, encoding, body, `Content-Disposition: attachment; filename="${name}"\r\n`);
const HELLO = textPart(
  "text/plain; charset=utf-8",
  "7bit",
  "Dear colleagues,\r\nplease see the attachment.\r\n-- \r\nKite\r\n",
);
const HTML = `<html><head><style>p{}</style></head><body><p>Dear colleagues</p>${ESCAPED.replaceAll("\r\n", "<br>\r\n")}</body></html>`;
const FORWARDED = HEADERS + textPart("text/plain; charset=utf-8", "8bit", MESSAGE);
const ATTACHED_MAIL =
  HEADERS +
  multipart(
    "mixed",
    "outer",
    HELLO,
    `Content-Type: message/rfc822\r\nContent-Disposition: attachment; filename="fwd.eml"\r\n\r\n${FORWARDED}`,
  );
const TWICE =
  HEADERS + multipart("mixed", "twice", HELLO, `Content-Type: message/rfc822\r\n\r\n${ATTACHED_MAIL}`);
const WITHOUT_SPACES = { data: { items: [{ id: 1 }, { text: MESSAGE }] } };

export const CARRIED: readonly Carried[] = [
  { name: "bare", sent: MESSAGE },
  { name: "bare, in Latin-1", sent: Buffer.from(MESSAGE, "latin1") },
  { name: "bare, in UTF-16 with its mark", sent: Buffer.from(`\uFEFF${MESSAGE}`, "utf16le") },
  { name: "Type B", sent: TYPE_B },
  { name: "SITATEX", sent: SITATEX("", MESSAGE) },
  { name: "SITATEX with its identifier", sent: SITATEX("=SMI\r\nFSU\r\n", MESSAGE) },
  { name: "SITATEX, named by its identifier alone", sent: SITATEX("=SMI\r\nFSU/14\r\n", REST.join("\r\n")) },
  { name: "EDIFACT", sent: inEdifact(MESSAGE, "REF1") },
  { name: "EDIFACT as free text", sent: inFreeText(MESSAGE, "REF1") },
  {
    name: "EDIFACT in Type B",
    sent: inTypeB(inEdifact(MESSAGE, "REF1"), { to: ["FRAFMLH"], from: "JFKFMLH" }, "151430"),
  },
  { name: "JSON of a provider", sent: JSON.stringify(WITHOUT_SPACES), part: "/data/items/1/text" },
  { name: "JSON, a list", sent: JSON.stringify([{ "a/b": MESSAGE }], null, 2), part: "/0/a~1b" },
  { name: "JSON, the lines as a list", sent: JSON.stringify({ lines: [FIRST, ...REST] }), part: "/lines" },
  {
    name: "JSON, in Base64 as queues carry it",
    sent: JSON.stringify({ message: { data: base64(MESSAGE).replaceAll("\r\n", "") } }),
    part: "/message/data",
  },
  {
    name: "JSON in JSON",
    sent: JSON.stringify({ Type: "Notification", Message: JSON.stringify({ content: TYPE_B }) }),
    part: "/Message > /content",
  },
  {
    name: "JSON that holds an e-mail",
    sent: JSON.stringify({ content: FORWARDED }),
    part: "/content > text",
  },
  {
    name: "XML of a provider",
    sent: `<?xml version="1.0"?><Inbox><Message id="1"><Text>${ESCAPED}</Text></Message></Inbox>`,
    part: "/Inbox/Message/Text",
  },
  {
    name: "XML with CDATA in SOAP",
    sent: `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><Push xmlns="urn:x"><raw/><raw><![CDATA[${TYPE_B.replaceAll(/[\u0001-\u0003]/g, "")}]]></raw></Push></s:Body></s:Envelope>`,
    part: "/Envelope/Body/Push/raw[2]",
  },
  {
    name: "XML, in an attribute",
    sent: `<m text="${ESCAPED.replaceAll("\r\n", "&#13;&#10;")}"/>`,
    part: "/m/@text",
  },
  {
    name: "XML in Latin-1 by its declaration",
    sent: Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>\n<m>${ESCAPED}</m>`, "latin1"),
    part: "/m",
  },
  {
    name: "XML in XML",
    sent: `<a>${`<b>${ESCAPED}</b>`.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</a>`,
    part: "/a > /b",
  },
  { name: "a page of HTML", sent: `<!DOCTYPE html>\n${HTML}`, part: "html" },
  { name: "e-mail, 8 bit", sent: FORWARDED, isMail: true, part: "text" },
  { name: "e-mail that is not said to be one", sent: FORWARDED, part: "text" },
  {
    name: "e-mail from an mbox file",
    sent: `From cargo@kite.example Sun Nov 15 14:30:00 2026\r\n${FORWARDED}`,
    part: "text",
  },
  {
    name: "e-mail without MIME",
    sent: `From: a@kite.example\r\nSubject: FSU\r\n\r\n${MESSAGE}`,
    isMail: true,
    part: "text",
  },
  {
    name: "e-mail in Base64",
    sent: HEADERS + textPart("text/plain; charset=utf-8", "base64", base64(MESSAGE)),
    isMail: true,
    part: "text",
  },
  {
    name: "e-mail, quoted-printable",
    sent: HEADERS + textPart("text/plain; charset=utf-8", "quoted-printable", quotedPrintable(MESSAGE)),
    isMail: true,
    part: "text",
  },
  {
    name: "e-mail in Latin-1",
    sent:
      HEADERS + textPart("text/plain; charset=iso-8859-1", "base64", base64(Buffer.from(MESSAGE, "latin1"))),
    isMail: true,
    part: "text",
  },
  {
    name: "e-mail with a signature",
    sent: HEADERS + textPart("text/plain; charset=utf-8", "8bit", `${MESSAGE}-- \r\nDIS/OUR OFFICE\r\n`),
    isMail: true,
    part: "text",
  },
  {
    name: "e-mail with lines quoted",
    sent:
      HEADERS +
      textPart(
        "text/plain; charset=utf-8",
        "8bit",
        `On Sunday, Kite wrote:\r\n${MESSAGE.replaceAll(/^(?=.)/gm, "> > ")}`,
      ),
    isMail: true,
    part: "text",
  },
  {
    name: "e-mail of HTML alone",
    sent: HEADERS + textPart("text/html; charset=utf-8", "base64", base64(HTML)),
    isMail: true,
    part: "html",
  },
  {
    name: "e-mail as text and HTML",
    sent:
      HEADERS +
      multipart(
        "alternative",
        "alt",
        textPart("text/plain; charset=utf-8", "8bit", MESSAGE),
        textPart("text/html; charset=utf-8", "8bit", HTML),
      ),
    isMail: true,
    part: "text",
  },
  {
    name: "e-mail with a text attached",
    sent:
      HEADERS + multipart("mixed", "b1", HELLO, attached("fsu.txt", "text/plain", "base64", base64(MESSAGE))),
    isMail: true,
    part: "fsu.txt (text/plain)",
  },
  {
    name: "e-mail with bytes attached",
    sent:
      HEADERS +
      multipart(
        "mixed",
        "b1",
        HELLO,
        attached(
          "=?utf-8?B?ZsO8ci50eHQ=?=",
          "application/octet-stream",
          "base64",
          base64(Buffer.from(MESSAGE, "latin1")),
        ),
      ),
    isMail: true,
    part: "f\u00FCr.txt (application/octet-stream)",
  },
  {
    name: "e-mail with JSON and a picture attached",
    sent:
      HEADERS +
      multipart(
        "mixed",
        "b1",
        HELLO,
        attached("logo.png", "image/png", "base64", base64(Buffer.alloc(300, 137))),
        attached("a.json", "application/json", "base64", base64(JSON.stringify(WITHOUT_SPACES))),
      ),
    isMail: true,
    part: "a.json (application/json) > /data/items/1/text",
  },
  {
    name: "e-mail forwarded as an attachment",
    sent: ATTACHED_MAIL,
    isMail: true,
    part: "fwd.eml (message/rfc822) > text",
  },
  {
    name: "e-mail forwarded twice",
    sent: TWICE,
    isMail: true,
    part: "attachment 1 (message/rfc822) > fwd.eml (message/rfc822) > text",
  },
];
