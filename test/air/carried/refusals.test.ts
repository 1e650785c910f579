/** What is not read says where it was looked for, what was expected there, and where in it the fault is. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { readIn, refusalOf } from "./reading.ts";
import { ALL, movement, party, quantity, status, tag, xfsu } from "./xfsu.ts";

const NONE = "no line names an FSU or FSA message, such as FSU/14, and no element is an XFSU's StatusMessage";
const MAIL = "From: a@kite.example\r\nMIME-Version: 1.0\r\n";
const RCS = status("RCS", ALL, movement({ at: "FRA", time: "2026-11-14T12:05:00" }));

async function problemsOf(sent: string): Promise<readonly string[]> {
  const read = await readIn(sent);
  return read.flatMap(({ part, message }) =>
    (message.kind === "refused" ? [message.problem] : message.problems).map(
      ({ line, column, message: text }) => `${part === null ? "" : `${part} `}${line}:${column} ${text}`,
    ),
  );
}

test("what has no message says where it was looked for", async () => {
  assert.equal(await refusalOf("good morning"), `1:1 ${NONE}`);
  assert.equal(await refusalOf("{}"), `1:1 ${NONE}`);
  assert.equal(await refusalOf('{"a":{"b":"about FSU 14"}}'), `1:1 ${NONE}, looked in /a/b`);
  const parts = `--b\r\n\r\nhello\r\n--b\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename=a.pdf\r\n\r\n%PDF-1.7 FSU\r\n--b--\r\n`;
  assert.equal(
    await refusalOf(`${MAIL}Content-Type: multipart/mixed; boundary=b\r\n\r\n${parts}`),
    `1:1 ${NONE}, looked in text; a.pdf (application/pdf)`,
  );
  const many = Array.from({ length: 12 }, (_, index) => `FSU ${index}`);
  assert.match(await refusalOf(JSON.stringify(many)), /looked in \/0; \/1; .*\/9; and 2 more$/);
});

test("a text that takes too long to read says so", async () => {
  let ms = 0;
  const slow = { monotonicMs: () => (ms += 4_000) };
  const long = JSON.stringify(Array.from({ length: 5_000 }, () => "FSU"));
  assert.match(await refusalOf(long, false, slow), /takes more than 10 seconds to read; send it in several$/);
});

test("XML that is not well-formed says where, also within an e-mail", async () => {
  const broken = xfsu(RCS).replace("</rsm:BusinessHeaderDocument>", "</x>");
  const place = broken.split("\n").findIndex((line) => line.includes("</x>")) + 1;
  assert.match(
    await refusalOf(broken),
    new RegExp(`^${place}:\\d+ the XML cannot be read: unexpected close tag$`),
  );
  const mail = `${MAIL}Content-Type: text/xml; name=x.xml\r\nContent-Disposition: attachment\r\n\r\n${broken}`;
  assert.match(await refusalOf(mail), /looked in x\.xml \(text\/xml\): the XML cannot be read: unexpected/);
});

test("a problem names its part, line and column", async () => {
  const text = "FSU/14\r\n020-12345675FRAJFK/T10\r\nRCF/LH400/15NOV1655/JFK/T10\r\nXYZ/1\r\n";
  assert.deepEqual(await problemsOf(JSON.stringify({ a: [text] })), [
    '/a/0 4:1 "XYZ" is no status of FSU or FSA, nor OCI, ULD or OSI: not read',
  ]);
  assert.deepEqual(await problemsOf("FSU/14\r\n020-12345674FRAJFK/T10"), [
    "2:12 02012345674 has a wrong check digit",
  ]);
});

test("what is wrong in an XFSU is reported at its element, and the rest is read", async () => {
  const wrong = xfsu(
    [
      "",
      status("XYZ", ALL),
      status("RCS", quantity("ten", "250", "Q", "STN"), movement({ at: "FRANKFURT", time: "14 November" })),
      status("DIS", ALL + tag("DiscrepancyDescriptionCode", "LOST1"), movement({ flight: "?", at: "JFK" })),
      status("DEP", ALL),
      status("NFD", ALL, movement({ at: "JFK" }), movement({ at: "EWR" })),
      status(
        "MAN",
        ALL,
        movement({ from: "FRA" }),
        tag("UtilizedUnitLoadTransportEquipment", tag("ID", "1")),
      ),
      "",
    ].join("\n"),
    { version: "9.00" },
  );
  const lines = wrong.split("\n");
  const [told] = await readIn(wrong);
  assert.ok(told?.message.kind === "message");
  const { problems, statement } = told.message;
  assert.deepEqual(
    statement.events.map(({ code, station }) => `${code} ${station}`),
    ["DIS JFK", "NFD JFK", "MAN FRA"],
  );
  const found = problems.map(({ line, column, message }) => [
    lines[line - 1]!.slice(column - 1).split(">", 1)[0],
    message,
  ]);
  assert.deepEqual(found, [
    ["<ram:VersionID", "version 9.00: the XFSU is read as 2.00 to 6.00 are"],
    ["<ram:ReasonCode", '"XYZ" is no status of XFSU: not read'],
    ["<ram:PieceQuantity", 'a whole number is expected here, not "ten"'],
    ["<ram:TransportSplitDescription", 'T, P, S, D or M is expected here, not "Q"'],
    [
      '<ram:GrossWeightMeasure unitCode="STN"',
      'a measure in KGM or the like is expected here, not "250 STN"',
    ],
    ["<ram:SpecifiedLocation", 'an airport of three letters is expected here, not "FRANKFURT"'],
    [
      "<ram:OccurrenceDateTime",
      'a date and a time such as 2026-11-15T14:30:00 are expected here, not "14 November"',
    ],
    ["<ram:DiscrepancyDescriptionCode", 'a discrepancy code of four letters is expected here, not "LOST1"'],
    ["<ram:ID", 'a flight such as LH400 is expected here, not "?"'],
    ["<ram:AssociatedStatusConsignment", "DEP without the airport that the flight leaves: not read"],
    ["<ram:SpecifiedLogisticsTransportMovement", "a further movement of NFD is not read"],
    ["<ram:UtilizedUnitLoadTransportEquipment", 'a ULD such as AKE12345LH is expected here, not "1"'],
  ]);
});

test("an XFSU without a number, with a wrong one, and one that withdraws another are refused", async () => {
  assert.match(await refusalOf(xfsu(RCS, { awb: "" })), /a waybill's number is missing in this XFSU$/);
  assert.match(await refusalOf(xfsu(RCS, { awb: "AB" })), /a waybill number is expected here, not "AB"$/);
  assert.match(
    await refusalOf(xfsu(RCS, { purpose: "Deletion" })),
    /the XFSU withdraws another \(Deletion\)/,
  );
  assert.deepEqual(await problemsOf(xfsu(RCS, { awb: "020-12345674" })), [
    "14:36 02012345674 has a wrong check digit",
  ]);
});

test("another namespace is reported, and what only has the name is no message", async () => {
  const other = xfsu(RCS).replace("iata:statusmessage:1", "urn:kite:status");
  assert.deepEqual(await problemsOf(other), [
    '2:1 namespace "urn:kite:status": the XFSU is read as if it were IATA\'s',
  ]);
  assert.deepEqual(await problemsOf(xfsu(RCS).replace("statusmessage:1", "statusmessage:2")), []);
  assert.match(
    await refusalOf('<p:StatusMessage xmlns:p="urn:saml">failed</p:StatusMessage>'),
    /^1:1 no line names/,
  );
});

test("neither entities nor DTDs are read, and nothing is deeper than any message", async () => {
  const laughs = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join(
    "",
  );
  const refused = {
    laughs: `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY l0 "ha">${laughs}]><a>FSU &l9;</a>`,
    external: '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>FSU &x;</a>',
    remote: '<!DOCTYPE a SYSTEM "http://127.0.0.1:9/a.dtd"><a>FSU</a>',
    parameter: '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://127.0.0.1:9/a.dtd">%x;]><a>FSU</a>',
  };
  for (const [name, xml] of Object.entries(refused)) {
    assert.match(await refusalOf(xml), /a DOCTYPE is not read$/, name);
  }
  assert.match(await refusalOf("<a>FSU &unknown;</a>"), /undefined entity$/);
  const deep = `${"<a>".repeat(1_000)}FSU${"</a>".repeat(1_000)}`;
  assert.match(await refusalOf(deep), /^1:304 .*elements deeper than 100 are not read$/);
  assert.match(await refusalOf(`<a>${"<b/>".repeat(50_001)}</a>`), /more than 50000 elements are not read$/);
  const wide = `<a ${Array.from({ length: 501 }, (_, nth) => `b${nth}="" xmlns:n${nth}="x"`).join(" ")}/>`;
  assert.match(await refusalOf(wide), /more than 500 attributes of an element are not read$/);
  const nested = Array.from({ length: 9 }).reduce<string>((text) => JSON.stringify([text]), "FSU");
  assert.match(await refusalOf(nested), /more than 6 texts within each other are not read$/);
});

test("an e-mail that would be slow to read is refused", async () => {
  const plain = `${MAIL}\r\n`;
  const encoded = `${MAIL}Content-Transfer-Encoding: base64\r\n\r\n`;
  const slow = {
    "more than 1000 lines that begin like a boundary": plain + "--b\r\n".repeat(1_001),
    "more than 20000 lines shorter than 60 bytes": encoded + "QUJD\r\n".repeat(20_001),
    "more than 60000 lines, where a line in neither Base64 nor quoted-printable counts as 5":
      plain + `${"x".repeat(62)}\r\n`.repeat(12_001),
  };
  for (const [reason, mail] of Object.entries(slow)) {
    assert.match(await refusalOf(mail, true), new RegExp(`the e-mail cannot be read: ${reason}`));
  }
  assert.match(
    await refusalOf(`${`X: ${"y".repeat(70)}\r\n`.repeat(4_000)}\r\n`, true),
    /Maximum header size/,
  );
});

test("a waybill and a house manifest give facts of the air waybill, and no event", async () => {
  const waybill = `<rsm:Waybill xmlns:rsm="iata:waybill:1" xmlns:ram="iata:datamodel:3"><rsm:MessageHeaderDocument><ram:VersionID>3.00</ram:VersionID></rsm:MessageHeaderDocument><rsm:BusinessHeaderDocument><ram:ID>020-12345675</ram:ID></rsm:BusinessHeaderDocument><rsm:MasterConsignment><ram:IncludedTareGrossWeightMeasure unitCode="KGM">250.5</ram:IncludedTareGrossWeightMeasure><ram:TotalPieceQuantity>10</ram:TotalPieceQuantity><ram:OriginLocation><ram:ID>FRA</ram:ID></ram:OriginLocation><ram:FinalDestinationLocation><ram:ID>JFK</ram:ID></ram:FinalDestinationLocation></rsm:MasterConsignment></rsm:Waybill>`;
  const manifest = waybill
    .replaceAll("rsm:Waybill", "rsm:HouseManifest")
    .replace("iata:waybill:1", "iata:housemanifest:1")
    .replace("<ram:ID>020-12345675</ram:ID>", "<ram:ID>1</ram:ID>")
    .replace(
      "<rsm:MasterConsignment>",
      "<rsm:MasterConsignment><ram:TransportContractDocument><ram:ID>020-12345675</ram:ID></ram:TransportContractDocument>",
    );
  for (const [type, xml] of [
    ["XFWB", waybill],
    ["XFHL", manifest],
  ] as const) {
    const [told] = await readIn(xml);
    assert.ok(told?.message.kind === "message", JSON.stringify(told));
    assert.deepEqual([told.message.type, told.message.problems], [type, []]);
    const facts = { awb: "02012345675", origin: "FRA", destination: "JFK", pieces: 10, weightKg: 250.5 };
    assert.deepEqual(told.message.statement, { ...facts, events: [], isDocument: true });
  }
});

test("a name, a remark or a note of customs that is longer than a line of Cargo-IMP is reported, and not read", async () => {
  const long = "x".repeat(1_001);
  const sent = xfsu(
    status(
      "DLV",
      ALL,
      movement({ at: "JFK" }),
      party("DeliveryParty", long),
      tag("HandlingOSIInstructions", tag("Description", long)),
      tag("HandlingOSIInstructions", tag("Description", "as it is")),
      tag("IncludedCustomsNote", tag("CountryID", "US") + tag("Content", long)),
    ),
  );
  const [told] = await readIn(sent);
  assert.ok(told?.message.kind === "message");
  const [delivered] = told.message.statement.events;
  assert.deepEqual(
    [delivered?.party, delivered?.remarks, delivered?.customs],
    [null, ["as it is"], [{ country: "US", info: "", control: null, text: "" }]],
  );
  const expected = "a text of more than 1000 characters: not read";
  assert.deepEqual(
    told.message.problems.map(({ message }) => message),
    [expected, expected, expected],
  );
});
