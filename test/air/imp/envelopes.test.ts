/** Type-B and EDIFACT envelopes, several messages in a text, and texts without any. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { inEdifact, inFreeText, inTypeB } from "../../../packages/simulator/src/airport/imp-envelope.ts";
import { readMessages } from "../../../src/products/air/sources/imp/read-messages.ts";
import { RECEIVED_MS, readOne, refusedOne, about, eventOf, eventsOf, problemsOf, winter } from "./reading.ts";

const BODY =
  "FSU/14\r\n020-12345675FRAJFK/T10K250\r\nDLV/15NOV1430/JFK/T10K250/O'HARA: SONS\r\nOSI/WHERE? JFK+\r\n";
const ADDRESSES = { to: ["FRAFMLH", "JFKFMAA"], from: "JFKFMLH" };

const waybillsIn = (text: string | Uint8Array) =>
  readMessages(text, RECEIVED_MS).map((message) =>
    message.kind === "message" ? message.statement.awb : message.problem.message,
  );

test("a message is the same in every envelope, and with every end of line", () => {
  const plain = readOne(BODY);
  assert.deepEqual(plain.problems, []);
  assert.equal(plain.statement.events[0]?.party, "O'HARA: SONS");
  const carried = {
    oneLine: inEdifact(BODY.replace("O'HARA", "O?'HARA").replaceAll("\r\n", "'"), "REF1"),
    terminated: inEdifact(BODY.replaceAll("\r\n", "'\r\n"), "REF1"),
    wrapped: inFreeText(BODY, "REF1").replaceAll("'", (mark, at, all: string) =>
      all[at - 1] === "?" ? mark : "'\r\n",
    ),
    edifactInTypeB: inTypeB(inEdifact(BODY, "REF1"), ADDRESSES, "151430"),
    una: `UNA:+.? '${inFreeText(BODY, "REF1")}`,
    otherMarks: `UNA:*.! ~${inFreeText(BODY, "R").replaceAll("+", "*").replaceAll("'", "~").replaceAll("?*", "+").replaceAll("?~", "'").replaceAll("??", "?").replaceAll("?:", "!:")}`,
    cr: BODY.replaceAll("\r\n", "\r"),
    blanks: BODY.replaceAll("\r\n", "  \t\r\r\n\r\n"),
    marked: `\uFEFF${BODY}`,
    noEnd: BODY.trimEnd(),
    nul: `\0\0${BODY}\0`,
  };
  for (const [name, text] of Object.entries(carried)) {
    const { statement, problems, version } = readOne(text);
    assert.deepEqual(
      { statement, problems, version },
      { statement: plain.statement, problems: [], version: 14 },
      name,
    );
  }
});

test("bytes are read as UTF-8, or else as Latin-1", () => {
  const text = "FSU/14\n020-12345675FRAJFK/T10\nDLV/15NOV1430/JFK/T10/Müller & Söhne";
  assert.equal(readOne(text).statement.events[0]?.party, "Müller & Söhne");
  for (const encoding of ["utf8", "latin1"] as const) {
    const [message] = readMessages(Buffer.from(text, encoding), RECEIVED_MS);
    assert.ok(message?.kind === "message");
    assert.equal(message.statement.events[0]?.party, "Müller & Söhne");
  }
});

test("several messages of a text are read, with or without envelopes between them", () => {
  const second = BODY.replace("020-12345675", "176-12345675");
  const both = ["02012345675", "17612345675"];
  assert.deepEqual(waybillsIn(BODY + second), both);
  assert.deepEqual(
    waybillsIn(inTypeB(BODY, ADDRESSES, "151430") + inTypeB(second, ADDRESSES, "151431")),
    both,
  );
  assert.deepEqual(waybillsIn(`${BODY}\r\nQD FRAFMLH\r\n.JFKFMAA 151430\r\n${second}`), both);
  assert.deepEqual(waybillsIn(`ZCZC 1\r\n${BODY}NNNN\r\nZCZC 2\r\n${second}NNNN\r\n`), both);
  assert.deepEqual(waybillsIn(inEdifact(BODY, "R1") + inFreeText(second, "R2")), both);
  assert.deepEqual(waybillsIn(`${inEdifact(BODY, "R1")}\r\n${second}`), both);
  const together = `UNB+IATA:1+A+B+261115:1430+I'UNH+1+CIMFSU:14'${BODY}'UNT+3+1'UNH+2+CIMFSU:14'${second}'UNT+3+2'UNZ+2+I'`;
  assert.deepEqual(waybillsIn(together), both);
});

test("text before and between messages is skipped, and ends the message before it", () => {
  const [message, ...more] = readMessages(
    `=HEADER\nRCV,2026/11/15 14:30\n=TEXT\n${BODY}=PRIORITY\nQD\n=ORIGIN\nJFKFMLH\n`,
    RECEIVED_MS,
  );
  assert.deepEqual(more, []);
  assert.ok(message?.kind === "message");
  assert.deepEqual(message.problems, []);
});

test("an answer may report several waybills", () => {
  const text =
    "FSA/15\r\n020-12345675FRAJFK/T1\r\nTRM/KL/AMS/T1\r\n176-12345675\r\nOSI/NO RECORD FOUND\r\n020-1\r\nTRM/KL/AMS/T1\r\n";
  const [first, second, third] = readMessages(text, RECEIVED_MS);
  assert.ok(first?.kind === "message" && second?.kind === "message" && third?.kind === "refused");
  assert.deepEqual([first.type, first.version, first.statement.events.length], ["FSA", 15, 1]);
  assert.deepEqual(second.statement.events, []);
  assert.deepEqual(second.remarks, ["NO RECORD FOUND"]);
  assert.deepEqual([third.problem.line, third.text], [6, "020-1\r\nTRM/KL/AMS/T1"]);
});

test("a message that does not name its type has that of its EDIFACT header", () => {
  const { type, version } = readOne("UNH+1+CIMFSA:13'020-12345675FRAJFK/T1'TRM/KL/AMS/T1'UNT+3+1'");
  assert.deepEqual([type, version], ["FSA", 13]);
});

test("messages of other types are refused, and the others are read", () => {
  const rejection = "FNA/1\r\nACK/NO SUCH AWB\r\nFSR/2\r\n020-12345675\r\n";
  assert.deepEqual(waybillsIn(`FNA/1\r\nACK/NO SUCH AWB\r\n${BODY}`), [
    'a message of type "FNA", and only FSU and FSA are read',
    "02012345675",
  ]);
  assert.equal(waybillsIn(rejection).length, 2);
  const empty = refusedOne("UNB+A+B'UNH+1+CIMFMA:1'UNT+2+1'UNZ+1+1'");
  assert.deepEqual(empty.problem, {
    line: 1,
    column: 9,
    message: 'a message of type "FMA", and only FSU and FSA are read',
  });
});

test("a text without a message is refused as a whole", () => {
  for (const text of ["", "  \r\n", "<html>502 Bad Gateway</html>", "020-12345675FRAJFK/T1", "FSU14"]) {
    const refused = refusedOne(text);
    assert.deepEqual(refused.text, text);
    assert.deepEqual([refused.problem.line, refused.problem.column], [1, 1]);
  }
});

test("a text that is longer than any is refused", () =>
  assert.match(refusedOne(BODY + " ".repeat(1_000_000)).problem.message, /more than 1000000 characters/));

test("versions of other years are read and reported", () => {
  for (const [head, told] of [
    ["FSU/9", "version 9"],
    ["FSU/16", "version 16"],
    ["FSU", "no version"],
  ]) {
    const { statement, problems } = readOne(`${head}\r\n020-12345675FRAJFK/T1\r\nTRM/KL/AMS/T1`);
    assert.equal(statement.events.length, 1);
    const message = `${told}: the message is read as 12 to 15 are`;
    assert.deepEqual(problems, [{ line: 1, column: 1, message }]);
  }
});

test("lines and columns are those of the text received, in every envelope", () => {
  const wrong = "FSU/14\r\n020-12345675FRAJFK/T1\r\nOSI/A?B: C'D\r\nDLV/15NOV1430/JFK/TX\r\nXYZ/1\r\n";
  const texts = [
    wrong,
    inTypeB(wrong, ADDRESSES, "151430"),
    inEdifact(wrong, "R"),
    inFreeText(wrong, "R"),
    inFreeText(wrong.replace("DLV/", "DLV//'/:/"), "R"),
  ];
  for (const text of texts) {
    const { problems } = readOne(text);
    const lines = text.split(/\r\n|[\r\n]/);
    const found = problems.map(({ line, column }) => lines[line - 1]!.slice(column - 1));
    assert.equal(problems.length > 1, true);
    assert.match(found.at(-1)!, /^XYZ/);
    assert.match(found[0]!, /^(?:TX|')/);
  }
});

test("small letters are read as capitals, and names keep theirs", () => {
  const { statement, problems } = readOne(
    "fsu/14\r\n020-12345675fraJFK/t10k250.5\r\ndlv/15nov1430/jfk/t10k250.5/Acme Inc.\r\nosi/Left at door",
  );
  assert.deepEqual(problems, []);
  assert.equal(statement.origin, "FRA");
  const [event] = statement.events;
  assert.deepEqual([event?.code, event?.station, event?.party], ["DLV", "JFK", "Acme Inc."]);
  assert.deepEqual(event?.remarks, ["Left at door"]);
});

test("slants at the end and blanks around fields are skipped", () => {
  const plain = eventOf("RCF/LH400/15NOV1430/JFK/T10K250.5");
  assert.deepEqual(eventOf("RCF/LH400/15NOV1430/JFK/T10K250.5///"), plain);
  assert.deepEqual(eventOf("  RCF/ LH400 /15NOV1430 / JFK/ T10K250.5  "), plain);
  assert.deepEqual(eventOf("RCF/LH400//15NOV1430/JFK//T10K250.5"), plain);
  assert.deepEqual(eventOf("RCF/LH 400/15NOV1430/JFK/T10K250.5"), plain);
});

test("a flight may be omitted with its slant", () => {
  assert.deepEqual(eventOf("RCF/15NOV1430/JFK/T10"), eventOf("RCF//15NOV1430/JFK/T10"));
  assert.deepEqual(eventOf("DIS/15NOV1430/JFK/MSCA/T1"), eventOf("DIS//15NOV1430/JFK/MSCA/T1"));
  assert.deepEqual(eventOf("MAN/15NOV/FRAJFK/T10"), eventOf("MAN//15NOV/FRAJFK/T10"));
  assert.deepEqual(eventOf("MAN/FRAJFK/T10"), eventOf("MAN///FRAJFK/T10"));
});

test("a slant within a flight, a leg or a time is skipped", () => {
  assert.deepEqual(eventOf("BKD/NH/0231/22NOV/HKG/FRA/T10"), eventOf("BKD/NH231/22NOV/HKGFRA/T10"));
  assert.deepEqual(eventOf("RCS/15NOV/1430/FRA/T10"), eventOf("RCS/15NOV1430/FRA/T10"));
  assert.equal(eventOf("BKD/NH/22NOV/HKGFRA/T10").flight, null);
});

test("flights have three digits at least, a suffix or none, and carriers of two or three characters", () => {
  const flight = (written: string) => {
    const { carrier, number } = eventOf(`RCF/${written}/15NOV1430/JFK/T10`).flight!;
    return [carrier, number];
  };
  assert.deepEqual(flight("EK0005"), ["EK", "005"]);
  assert.deepEqual(flight("EK5"), ["EK", "005"]);
  assert.deepEqual(flight("O31698"), ["O3", "1698"]);
  assert.deepEqual(flight("5X0123A"), ["5X", "123A"]);
  assert.deepEqual(flight("DNT212"), ["DNT", "212"]);
});

test("blanks, colons and hyphens within a quantity, a day or a flight are skipped", () => {
  const plain = eventOf("RCF/LH400/15NOV1430/JFK/P4K100.5MC1.2T10");
  assert.deepEqual(eventOf("RCF/LH-400/15NOV1430/JFK/P4 K100.5 MC1.2 T10"), plain);
  assert.deepEqual(eventOf("RCF/LH400/15 NOV 14:30/JFK/P 4 K 100.5 MC 1.2 T 10"), plain);
  assert.deepEqual(eventOf("RCF/LH400/15NOV/14:30/JFK/P4KG100.5MC1.2T10"), plain);
});

test("a quantity without its code is read, and the code reported as missing", () => {
  const [event] = readOne(about("DLV/15NOV1430/JFK/4K100/ACME INC")).statement.events;
  assert.deepEqual([event?.pieces, event?.weightKg, event?.party], [4, 100, "ACME INC"]);
  const problem = "3:19 T, P, S, D or M before the pieces is expected here";
  assert.deepEqual(problemsOf("DLV/15NOV1430/JFK/4K100/ACME INC"), [problem]);
});

test("a message of a single line is read as if its lines were ended, and its problems have their columns", () => {
  const lines = [
    "RCS/14NOV1715/FRA/T10K250.5/ACME GMBH",
    "/MC1.2",
    "DEP/LH400/15NOV/FRAJFK/T10K250.5/A1042",
    "ULD/AKE12345LH",
    "OSI/LEFT AT DOOR",
  ];
  const flat = readOne(about(...lines).replaceAll("\r\n", " "));
  assert.deepEqual(flat.problems, []);
  assert.deepEqual(flat.statement, readOne(about(...lines)).statement);

  const [problem] = readOne("FSU/14 020-12345675FRAJFK/T10 DLV/15NOV1430/JFK").problems;
  assert.deepEqual([problem?.line, problem?.column], [1, 48]);
  const second = "020-12345675FRAJFK/T10 OSI/A?+B DLV/15NOV1430/JFK";
  const [released] = readOne(`UNH+1+CIMFSU:14'FSU/14\n${second}'UNT+1+1'`).problems;
  assert.deepEqual([released?.line, released?.column], [2, second.length + 1]);
});

test("the marks of a message sent in parts are skipped", () => {
  const lines = ["RCS/14NOV1715/FRA/T10", "PART/1/CONT", "OSI/LEFT AT DOOR", "PART/2/LAST"];
  assert.deepEqual(eventOf(...lines).remarks, ["LEFT AT DOOR"]);
});

test("an arrival by a truck of any name is read without the name", () => {
  const [event] = readOne(about("RCF/TRUCK 7/15NOV1430/JFK/T10")).statement.events;
  assert.deepEqual([event?.flight, event?.station], [null, "JFK"]);
  const problem = '3:5 a flight such as LH400 is expected here, not "TRUCK 7"';
  assert.deepEqual(problemsOf("RCF/TRUCK 7/15NOV1430/JFK/T10"), [problem]);
});

test("a booking written like a receipt is read", () => {
  const [event] = readOne(about("BKD/16NOV0945/FRA/HOLT CARGO")).statement.events;
  assert.deepEqual(event?.at, winter("FRA", "2026-11-16T09:45"));
  assert.equal(event?.party, "HOLT CARGO");
});

test("the total of a part in a status, and a name or a reference of the carrier's own, are read", () => {
  const delivered = eventOf("DLV/15NOV/JFK/P5K82.5T8/C/O BAKER - SONS");
  assert.deepEqual([delivered.pieces, delivered.totalPieces, delivered.party], [5, 8, "C/O BAKER - SONS"]);
  assert.equal(eventOf("TFD/IB/12NOV/LHR/P7/MAD-417X").transfer?.manifest, "MAD-417X");
  assert.equal(
    eventOf("NFD/15NOV1430/JFK/T10/A VERY LONG NAME OF A", "/COMPANY").party,
    "A VERY LONG NAME OF A COMPANY",
  );
});

test("omitted fields stay unknown, and required ones are reported", () => {
  const noDay = eventOf("NFD//JFK/T10");
  assert.deepEqual([noDay.at, noDay.timeIs, noDay.station], [null, null, "JFK"]);
  const noStation = readOne(about("NFD/15NOV1430//T10"));
  assert.equal(noStation.statement.events[0]?.station, null);
  assert.deepEqual(problemsOf("NFD/15NOV1430//T10"), ["3:16 an airport of three letters is missing here"]);
  assert.deepEqual(problemsOf("NFD/15NOV1430/JFK"), [
    "3:18 a quantity such as T10K250 is expected here, not nothing",
  ]);
  assert.deepEqual(problemsOf("DIS//15NOV1430/JFK/T1"), [
    "3:20 a discrepancy code of four letters is missing here",
  ]);
});

test("an unusable line is reported and skipped, and the lines around it are read", () => {
  const lines = [
    "RCS/15NOV1430/FRA/T10",
    "RCS/15XXX1430/FRA/T10",
    "DEP/LH400/15NOV/FRA-/T10",
    "NFD/15NOV1430/JFK/T10",
  ];
  const { statement, problems } = readOne(about(...lines));
  assert.deepEqual(
    statement.events.map(({ code }) => code),
    ["RCS", "NFD"],
  );
  assert.deepEqual(problems, [
    { line: 4, column: 5, message: 'a day and a time such as 15NOV1430 is expected here, not "15XXX1430"' },
    {
      line: 5,
      column: 17,
      message: 'a leg such as FRAJFK is expected here, not "FRA-"',
    },
  ]);
});

test("unknown lines are reported and skipped with their continuations", () => {
  const events = ["XYZ/LH400/15NOV1430/JFK/T10K250.5/S1030/A1342", "/MORE", "REMARK", "COR/T/1", "1"];
  assert.deepEqual(problemsOf("RCS/15NOV1430/FRA/T10", ...events.slice(0, 4)), [
    '4:1 "XYZ" is no status of FSU or FSA, nor OCI, ULD or OSI: not read',
    '6:1 "REMARK" is no status of FSU or FSA, nor OCI, ULD or OSI: not read',
    '7:1 "COR" is no status of FSU or FSA, nor OCI, ULD or OSI: not read',
  ]);
});

test("supplements of an unreadable status belong to the waybill, not to the status before", () => {
  const { statement, remarks, ulds } = readOne(
    about(
      "RCS/15NOV1430/FRA/T10",
      "XYZ/LH400/15NOV1430/JFK/T10",
      "OSI/LATE",
      "RCF/LH400/15XXX/JFK/T1",
      "ULD/AKE12345LH",
    ),
  );
  assert.deepEqual(statement.events[0]?.remarks, []);
  assert.deepEqual([remarks, ulds], [["LATE"], ["AKE12345LH"]]);
});

test("a continuation of no line is reported", () =>
  assert.deepEqual(problemsOf("/T10"), ["3:1 this line continues no other"]));

test("supplements skip blank fields and report invalid ones", () => {
  const [event] = eventsOf(
    "RCS/15NOV1430/FRA/T10",
    "OCI////",
    "OCI//ISS/RA/00123-01",
    "/DE/AGT//A/B",
    "OSI/",
    "ULD//AKE 1234 LH/",
  );
  assert.deepEqual(event?.customs, [
    { country: null, info: "ISS", control: "RA", text: "00123-01" },
    { country: "DE", info: "AGT", control: null, text: "A/B" },
  ]);
  assert.deepEqual([event?.remarks, event?.ulds], [[], ["AKE1234LH"]]);
  assert.deepEqual(problemsOf("RCS/15NOV1430/FRA/T10", "ULD/BULK/AKE1234LH", "OCI/USA/CNE/T/1"), [
    '4:5 a ULD such as AKE12345LH is expected here, not "BULK"',
    '5:5 a country of two letters is expected here, not "USA"',
  ]);
});

test("problems, statuses, lines and fields of one waybill have bounds", () => {
  const many = (line: string) => Array.from({ length: 1_000 }, () => line);
  assert.equal(problemsOf(...many("XYZ")).length, 100);
  const { statement, problems } = readOne(about(...many("TRM/KL/AMS/T1")));
  assert.equal(statement.events.length, 500);
  assert.match(problems[0]?.message ?? "", /no more than 500 statuses/);
  assert.match(problemsOf(`TRM/KL/AMS/T1${"/A".repeat(100)}`)[0] ?? "", /more than 64 fields/);
  const long = `DLV/15NOV1430/JFK/T10/${"A".repeat(1_000)}`;
  assert.deepEqual(problemsOf(long, "TRM/KL/AMS/T1"), ["3:1 a line of more than 1000 characters: not read"]);
});

test("fields in another order, or beyond the standard, are read", () => {
  const leg = eventOf("RCF/LH400/15NOV1430/FRAJFK/T10//A1348");
  assert.deepEqual([leg.from, leg.station, leg.to], ["FRA", "JFK", "JFK"]);
  assert.deepEqual(eventOf("RCF/LH400/15NOV1430/FRA/JFK/T10//A1348"), leg);
  const found = eventOf("DIS/LH400/15NOV1430/JFK/MSCA/P2K50");
  assert.deepEqual(eventOf("DIS/LH400/15NOV1430/JFK/P2K50/MSCA"), found);
  const reported = eventOf("CRC/LH400/15NOV1430/JFK/T10");
  assert.deepEqual([reported.flight?.number, reported.station], ["400", "JFK"]);
});

test("a single time after an arrival with only a day is the arrival time", () => {
  const arrived = eventOf("ARR/LH400/15NOV/JFK/T10/A1348");
  assert.deepEqual(arrived.at, winter("JFK", "2026-11-15T13:48"));
  assert.equal(arrived.departure, null);
  const timed = eventOf("ARR/LH400/15NOV1348/JFK/T10/A1042");
  assert.deepEqual([timed.at?.local, timed.departure?.local], ["2026-11-15T13:48:00", "2026-11-15T10:42:00"]);
});
