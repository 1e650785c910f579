/** Messages and answers of airlines. */
import { adversarialTexts } from "../../../bench/setting/messages.ts";
import { parseJsonSteps } from "../../../src/model/json.ts";
import { readCarried } from "../../../src/products/air/sources/carried/read-carried.ts";
import { readXml } from "../../../src/products/air/sources/carried/xml.ts";
import { readRecord } from "../../../src/products/air/sources/one-record/read.ts";
import { textsIn } from "../../../src/products/air/sources/status-request/answer-texts.ts";
import { type Intake, NOW_MS, sliced, many, listed, minute, letters } from "./grown.ts";

const FSU = "FSU/14\r\n";
const CONSIGNMENT = "176-12345675DXBFRA/T10K250\r\n";
const STATUS = (at: number): string =>
  `RCS/${String(1 + (at % 28)).padStart(2, "0")}NOV0930/DXB/T10K250/FALCON\r\n`;
const MIME = "From: a@kite.example\r\nMIME-Version: 1.0\r\n";
const MULTIPART = `${MIME}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n`;
const XFSU = "<StatusMessage><MessageHeaderDocument/><MasterConsignment>";

/** Of each, so many characters. */
const CHARS = 4_000;

export const MESSAGES: Intake = {
  read: (text, clock) => readCarried(Buffer.from(text), text.startsWith("From: "), NOW_MS, clock),
  texts: {
    ...Object.fromEntries(
      Object.keys(adversarialTexts(1)).map((name) => [
        name,
        [CHARS, (n: number) => adversarialTexts(n)[name]!],
      ]),
    ),
    statuses: [150, (n) => FSU + CONSIGNMENT + many(n, STATUS)],
    waybills: [200, (n) => FSU + many(n, (at) => CONSIGNMENT + STATUS(at))],
    messages: [200, (n) => many(n, (at) => FSU + CONSIGNMENT + STATUS(at))],
    "statuses in one line": [200, (n) => `${FSU}${CONSIGNMENT.trimEnd()} ${"RCS/A ".repeat(n)}`],
    slants: [2_000, (n) => `${FSU}${CONSIGNMENT}RCS${"/".repeat(n)}`],
    "wrong lines": [400, (n) => FSU + CONSIGNMENT + many(n, (at) => `Q${letters(at)}/1\r\n`)],
    "empty lines": [10_000, (n) => `${"\r\n".repeat(n)}${FSU}${CONSIGNMENT}`],
    "lines without a message": [8_000, (n) => many(n, letters, "\r\n")],
    "segments of EDIFACT": [
      150,
      (n) =>
        `UNB+IATA:1+A+B'UNH+1+CIMFSU:14'${FSU.trim()}'${CONSIGNMENT.trim()}'${many(n, (at) => `${STATUS(at).trim()}'`)}`,
    ],
    "interchanges of EDIFACT": [200, (n) => `UNB+IATA:1+A+B'UNH+1+CIMFSU:14'\r\n`.repeat(n)],
    "released characters": [2_000, (n) => `UNB+IATA:1+A+B'UNH+1+CIMFSU:14'FSU/14'${"?'".repeat(n)}'`],
    elements: [2_000, (n) => `<a>${"<b/>".repeat(n)}FSU</a>`],
    "open elements": [45, (n) => "<a>".repeat(n)],
    "texts of elements": [1_000, (n) => `<a>${many(n, (at) => `<b>FSU ${at}</b>`)}</a>`],
    references: [2_000, (n) => `<a>FSU${"&lt;".repeat(n)}</a>`],
    "statuses of XFSU": [
      200,
      (n) => `${XFSU}${"<ReportedStatus/>".repeat(n)}</MasterConsignment></StatusMessage>`,
    ],
    "texts of JSON": [800, (n) => listed(n, (at) => ({ a: `FSU ${at}` }))],
    "objects of JSON": [40_000, (n) => `{"data":[${"{},".repeat(n)}{}]}`],
    HTML: [2_000, (n) => `<html>FSU${"<p>a&amp;b</p>".repeat(n)}</html>`],
    "lines of an e-mail": [1_000, (n) => `${MIME}\r\n${"x\r\n".repeat(n)}`],
    "headers of an e-mail": [500, (n) => `${MIME}${many(n, (at) => `X-${at}: y\r\n`)}\r\nx`],
    "a folded header": [1_000, (n) => `${MIME}Subject: a\r\n${" a\r\n".repeat(n)}\r\nx`],
    "groups in To": [1_000, (n) => `${MIME}To: ${"a:b@c;".repeat(n)}\r\n\r\nx`],
    "addresses in Cc": [1_000, (n) => `${MIME}Cc: ${"a@b,".repeat(n)}\r\n\r\nx`],
    "encoded words": [200, (n) => `${MIME}Subject: ${"=?utf-8?q?a?= ".repeat(n)}\r\n\r\nx`],
    "parts of an e-mail": [100, (n) => `${MULTIPART}${"\r\nFSU\r\n--b\r\n".repeat(n)}`],
    "e-mails in an e-mail": [10, (n) => `${MIME}${"Content-Type: message/rfc822\r\n\r\n".repeat(n)}`],
    "Base64 in an e-mail": [
      400,
      (n) => `${MIME}Content-Transfer-Encoding: base64\r\n\r\n${`${"QUJD".repeat(19)}\r\n`.repeat(n)}`,
    ],
    "quoted-printable": [
      1_000,
      (n) => `${MIME}Content-Transfer-Encoding: quoted-printable\r\n\r\n${"=41=\r\n".repeat(n)}`,
    ],
    "quotes in an e-mail": [1_000, (n) => `${MIME}\r\nFSU\r\n${"> > x\r\n".repeat(n)}`],
  },
};

export const ONE_RECORD: Intake = {
  read: sliced(function* (text) {
    return yield* readRecord(yield* parseJsonSteps(text), "17612345675");
  }),
  texts: {
    events: [
      800,
      (n) =>
        `{"@graph":${listed(n, (at) => ({ "@type": "LogisticsEvent", "@id": `${at}`, eventCode: "RCS", eventDate: minute(at), recordingActor: { "@id": `${at}` } }))}}`,
    ],
    "one node": [2_000, (n) => listed(n, () => ({ "@type": "LogisticsEvent", "@id": "a" }))],
    links: [
      8_000,
      (n) =>
        `{"@type":"Waybill","waybillNumber":"12345675","waybillPrefix":"176","shipment":${listed(n, () => ({ "@id": "/a" }))}}`,
    ],
    names: [8_000, (n) => `{${many(n, (at) => `"n${at}":0`, ",")}}`],
    "codes of one place": [
      8_000,
      (n) =>
        listed(2, (at) => ({
          "@id": "s",
          "@type": at === 0 ? "Location" : "LogisticsEvent",
          locationCodes: Array.from({ length: n }, () => "XX"),
          eventLocation: { "@id": "s" },
        })),
    ],
  },
};

export const ANSWERED_TEXTS: Intake = {
  read: (text) => textsIn(text, { format: text.startsWith("<") ? "xml" : "json", at: "a" }),
  texts: {
    "of JSON": [1_000, (n) => listed(n, () => ({ a: "FSA/14" }))],
    "of XML": [1_000, (n) => `<r>${"<a>FSA &amp;</a>".repeat(n)}</r>`],
    "open elements": [1_000, (n) => "<a>".repeat(n)],
  },
};

export const ANSWERED_XML: Intake = {
  read: sliced(readXml),
  texts: { elements: [2_000, (n) => `<a>${"<b>1</b>".repeat(n)}</a>`] },
};
