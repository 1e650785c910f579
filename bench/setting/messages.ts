/** Cargo-IMP texts to read: a day's traffic, and such as are made to take long. */
import { inEdifact, inTypeB } from "../../packages/simulator/src/airport/imp-envelope.ts";

/** One waybill's journey in airline messages; half of the messages are in an envelope. */
export function traffic(messages: number): readonly string[] {
  return Array.from({ length: messages }, (_, index) => {
    const text = message(index);
    if (index % 4 === 1) return inTypeB(text, { to: ["FRAFMLH", "JFKFMAA"], from: "JFKFMLH" }, "151430");
    return index % 4 === 3 ? inEdifact(text, `REF${index}`) : text;
  });
}

function message(index: number): string {
  const serial = 1_000_000 + index;
  const awb = `020-${serial}${serial % 7}`;
  const [from, to] = STATIONS[index % STATIONS.length]!;
  const day = String(1 + (index % 20)).padStart(2, "0");
  const flight = `LH${400 + (index % 600)}`;
  const lines = [
    `FSU/${12 + (index % 4)}`,
    `${awb}${from}${to}/T10K250.5`,
    `RCS/${day}NOV0930/${from}/T10K250.5/ACME LOGISTICS GMBH`,
    `/MC1.2`,
    `OCI/${from === "JFK" ? "US" : "DE"}/ISS/RA/00123-01`,
    `///SD/15NOV261430`,
    `MAN/${flight}/${day}NOV/${from}${to}/T10K250.5/S1030/S1345-N`,
    `ULD/AKE12345LH/PMC54321LH`,
    `DEP/${flight}/${day}NOV/${from}${to}/P6K150/A1042/E1350-N`,
    `RCF/${flight}/${day}NOV1655/${to}/P6K150//A1348-N`,
    `NFD/${day}NOV1805/${to}/P6K150/ACME LOGISTICS INC`,
    `OSI/SECOND PART TO FOLLOW`,
    `DLV/${day}NOV1930/${to}/P6K150/J SMITH`,
  ];
  return lines.map((line) => `${line}\r\n`).join("");
}

const STATIONS = [
  ["FRA", "JFK"],
  ["HKG", "FRA"],
  ["LHR", "SYD"],
  ["JFK", "GRU"],
] as const;

const OPENING = "FSU/14\r\n020-12345675FRAJFK/T10\r\n";

/** Each of so many characters, and meant to be slow. */
export function adversarialTexts(chars: number): Readonly<Record<string, string>> {
  const filled = (head: string, piece: string) =>
    (head + piece.repeat(Math.ceil(chars / piece.length))).slice(0, chars);
  const counted = (head: string, line: (count: number) => string) => {
    let text = head;
    for (let count = 0; text.length < chars; count += 1) text += line(count);
    return text.slice(0, chars);
  };
  return {
    "one long line": filled(OPENING, "A"),
    "statuses in one line": filled("FSU/14 020-12345675FRAJFK/T10", " CCD/15NOV1430/JFK/T1"),
    "codes in one line": filled("FSU/14 020-12345675FRAJFK/T10", " OSI/"),
    "released in one line": filled("UNH+1+CIMFSU:14'FSU/14\n020-12345675FRAJFK/T10", " OSI/?'?'"),
    blanks: filled(OPENING, " "),
    "line ends": filled(OPENING, "\r\n"),
    "control characters": filled(OPENING, "\u0001\u0002\u0003"),
    slants: filled(`${OPENING}RCS`, "/"),
    "slants a line": filled(`${OPENING}RCS/15NOV1430/FRA/T10`, "\r\n/"),
    "customs continued": filled(`${OPENING}RCS/15NOV1430/FRA/T10\r\nOCI///`, "\r\n////"),
    devices: filled(`${OPENING}RCS/15NOV1430/FRA/T10\r\nULD`, "/AKE12345LH"),
    digits: filled(`${OPENING}RCS/15NOV1430/FRA/T`, "1"),
    weights: filled(`${OPENING}RCS/15NOV1430/FRA/T10`, "K1"),
    statuses: filled(OPENING, "CCD/15NOV1430/JFK/T1\r\n"),
    "bad statuses": filled(OPENING, "CCD/15XYZ1430/JFK/T1\r\n"),
    "unknown statuses": filled(OPENING, "XYZ/15NOV1430/JFK/T1\r\n"),
    "unknown airports": counted("FSU/14\r\n", (count) => {
      const station = [count / 676, count / 26, count]
        .map((digit) => LETTERS[Math.floor(digit) % 26]!)
        .join("");
      return `020-12345675\r\nTGC/${String(1 + (count % 28)).padStart(2, "0")}MAR/${station}/T1\r\n`;
    }),
    messages: filled("", "FSU\r\n"),
    waybills: filled("FSU/14\r\n", "020-12345675\r\n"),
    "waybills that are none": filled("FSU/14\r\n", "020-1\r\n"),
    interchanges: filled("", "UNB+'UNH+'UNT+'UNZ+'"),
    "interchanges a line": filled("", "UNB+\r\n"),
    headers: filled("", "UNH+1+CIMFSU'"),
    "headers a line": filled("", "UNH+1+CIMFSU\r\n"),
    "free text": filled("UNH+1+CIMFSU'", "FTX+CIM+++FSU/14:020-12345675:TRM/KL/AMS/T1'"),
    components: filled("UNH+1+CIMFSU'FTX+CIM+++FSU/14", ":"),
    terminators: filled("UNH+1+CIMFSU'FSU/14", "'"),
    "terminators a line": filled("UNH+1+CIMFSU'FSU/14", "'\r\n"),
    "release characters": filled("UNH+1+CIMFSU'FTX+CIM+++FSU/14:020-12345675:OSI/", "??"),
    "released terminators": filled("UNH+1+CIMFSU'FSU/14'020-12345675'OSI/", "?'"),
    "released lines": filled("UNH+1+CIMFSU'FTX+CIM+++FSU/14:020-12345675:", "X?'Y/?:?+:"),
    "small letters": filled(OPENING, "dlv/15nov1430/jfk/t10/acme\r\n"),
    addresses: filled("", "QD FRAFMLH\r\n.JFKFMAA 121530\r\n"),
  };
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
