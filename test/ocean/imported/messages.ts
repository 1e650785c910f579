/** Messages as different providers write them, each with the same milestones as rows of JSON. */
import type { MilestoneRow } from "../../../src/products/ocean/sources/imported/milestone.ts";

const BOX = "HRNU4000017";
const OTHER_BOX = "HRNU4000022";
const NO_BOX = { container: undefined };
const LADEN = { load: "laden" };
const ISO = { iso_code: "22G1" };
const SAILING = { vessel: "HERON STAR", voyage: "612E" };
const STAR = { ...SAILING, imo: "9321483" };
const CARRIER = { carrier: "HRNL" };
const BOOKED = { booking: "HRN0040001" };
const BILL = { bill: "HRNL4000017" };
const STATED = { stated_at: "2026-11-10T08:30:00Z" };
const ESTIMATED = { classifier: "estimated" };

function row(
  milestone: string,
  time: string,
  location: string | undefined,
  ...more: readonly MilestoneRow[]
): MilestoneRow {
  return Object.assign({ container: BOX, milestone, time, location }, ...more) as MilestoneRow;
}

const says = (habit: string, message: string, ...rows: readonly MilestoneRow[]) => ({ habit, message, rows });

const HEAD = "UNH+1+IFTSTA:D:00B:UN'BGM+23+1+9'";

export const MESSAGES = [
  says(
    "a portal, D.99B: one status and one container a message, codes of X12",
    `UNB+UNOA:1+PORTAL+FORWARDER+261101:1205+17'UNH+1+IFTSTA:D:99B:UN'BGM+23+700123+9'DTM+137:202611011205:203'
NAD+CA+HRNL:160:87'RFF+BN:HRN0040001'RFF+BM:HRNL4000017'CNI+1'STS+1+AE'DTM+334:202611011100:203'
LOC+9+NLRTM:139:6:Rotterdam'TDT+20+612E+1++HRNL:172:182+++9321483:146::HERON STAR'EQD+CN+${BOX}+45G1:102:5+++5'UNT+13+1'UNZ+1+17'`,
    row("loaded_on_vessel", "2026-11-01 11:00", "NLRTM", STAR, CARRIER, BOOKED, BILL, LADEN, {
      ...{ place: "Rotterdam", iso_code: "45G1", stated_at: "2026-11-01T12:05:00Z" },
    }),
  ),
  says(
    "a carrier, D.00B, with UNA and a line for each segment: words beside the code, calls of the vessel",
    `UNA:+.? '
UNB+UNOA:3+HRNL+FWD+261110:0830+18'
UNH+2805567+IFTSTA:D:00B:UN'
BGM+23+2BOG129382+9'
DTM+137:202611100830:203'
NAD+CA+HRNL:160++HERON LINE+1 QUAY+ROTTERDAM++3011+NL'
RFF+BN:HRN0040001'
CNI+1'
STS+1+VD::HS:Vessel Departed'
RFF+EQ:${BOX}'
DTM+334:202611092230:203'
LOC+175+NLRTM:139::ROTTERDAM+APMR:72::APM TERMINALS'
TDT+20+612E+1+13+HRNL:172+++9321483:146::HERON STAR'
LOC+9+NLRTM:139'
DTM+186:202611092230:203'
LOC+11+USNYC:139'
DTM+132:202611201400:203'
EQD+CN+${BOX}+45G1:102:5+++5'
UNT+17+2805567'
UNZ+1+18'`,
    row("vessel_departed", "2026-11-09 22:30", "NLRTM", STAR, CARRIER, BOOKED, LADEN, STATED, {
      ...{ place: "ROTTERDAM", facility: "APM TERMINALS", iso_code: "45G1" },
    }),
    row("vessel_departed", "2026-11-09 22:30", "NLRTM", STAR, CARRIER, BOOKED, STATED),
    row("vessel_arrived", "2026-11-20 14:00", "USNYC", ESTIMATED, STAR, CARRIER, BOOKED, STATED),
  ),
  says(
    "a forwarder's network, D.95B: Recommendation 24 in numbers, no container but a bill",
    `UNH+9+IFTSTA:D:95B:UN'BGM+23+A77+9'CNI+1+HRNL4000017'STS+1+24'DTM+7:202611092230:203'LOC+9+NLRTM'TDT+20+612E+1+++++:::HERON STAR'UNT+7+9'`,
    row("vessel_departed", "2026-11-09 22:30", "NLRTM", NO_BOX, BILL, SAILING),
  ),
  says(
    "two containers of one status, discharged by number 29",
    `${HEAD}RFF+BM:HRNL4000017'CNI+1'STS+1+29'DTM+334:202611201600:203'LOC+11+USNYC'TDT+20+612E+1+++++9321483:146::HERON STAR'EQD+CN+${BOX}+22G1+++5'EQD+CN+${OTHER_BOX}+22G1+++5'UNT+10+1'`,
    ...[BOX, OTHER_BOX].map((container) =>
      row("discharged", "2026-11-20 16:00", "USNYC", { container }, BILL, STAR, LADEN, ISO),
    ),
  ),
  says(
    "several statuses of one container that is named once, before them (D.16B)",
    `UNH+1+IFTSTA:D:16B:UN'BGM+23+1+9'CNI+1'EQD+CN+${BOX}+22G1+++5'STS+1+I'DTM+334:202611010800:203'LOC+175+NLRTM+++'STS+1+AE'DTM+334:202611021900:203'LOC+175+NLRTM'STS+1+VD'DTM+334:202611030100:203'LOC+175+NLRTM'UNT+14+1'`,
    row("gate_in", "2026-11-01 08:00", "NLRTM", LADEN, ISO),
    row("loaded_on_vessel", "2026-11-02 19:00", "NLRTM", LADEN, ISO),
    row("vessel_departed", "2026-11-03 01:00", "NLRTM", LADEN, ISO),
  ),
  says(
    "an empty container leaves a depot: 8169 is 4",
    `${HEAD}RFF+BN:HRN0040001'CNI+1'STS+1+EE'DTM+334:202610281015:203'LOC+14+DEHAM:139:6+HCS:ZZZ::HCS DEPOT'EQD+CN+${BOX}+22G1+++4'UNT+8+1'`,
    row("empty_out", "2026-10-28 10:15", "DEHAM", { facility: "HCS DEPOT", load: "empty" }, BOOKED, ISO),
  ),
  says(
    "an empty return by X12's RD",
    `${HEAD}CNI+1'STS+1+RD'DTM+334:202612011015:203'LOC+14+USNYC+DEP1:ZZZ'EQD+CN+${BOX}++++4'UNT+7+1'`,
    row("empty_return", "2026-12-01 10:15", "USNYC", { facility: "DEP1", load: "empty" }),
  ),
  says(
    "a UN/LOCODE with a terminal behind it",
    `${HEAD}CNI+1'STS+1+OA'DTM+334:202611220930:203'LOC+175+IDJKT45:139:6'EQD+CN+${BOX}++++5'UNT+7+1'`,
    row("gate_out", "2026-11-22 09:30", "IDJKT", { facility: "45" }, LADEN),
  ),
  says(
    "times with an offset, format 205",
    `UNH+1+IFTSTA:D:01B:UN'BGM+23+1+9'CNI+1'STS+1+OA'DTM+334:202611220930-0500:205'LOC+175+USNYC'EQD+CN+${BOX}++++5'UNT+7+1'`,
    row("gate_out", "2026-11-22T09:30:00-05:00", "USNYC", LADEN),
  ),
  says(
    "times in UTC, format 303, and seconds, format 204, in the header",
    `UNH+1+IFTSTA:D:01B:UN'BGM+23+1+9'DTM+137:20261122143301:204'CNI+1'STS+1+AV'DTM+334:202611221430UTC:303'LOC+175+USNYC'EQD+CN+${BOX}++++5'UNT+8+1'`,
    row("available", "2026-11-22T14:30:00Z", "USNYC", LADEN, { stated_at: "2026-11-22T14:33:01Z" }),
  ),
  says(
    "years of two digits, format 201",
    `UNH+1+IFTSTA:D:96A:UN'BGM+23+1+9'CNI+1'STS+1+13'DTM+7:2611220930:201'LOC+14+USNYC'EQD+CN+${BOX}'UNT+7+1'`,
    row("gate_out", "2026-11-22 09:30", "USNYC"),
  ),
  says(
    "delimiters of its own and a released apostrophe",
    `UNA:+,? ~UNH+1+IFTSTA:D:00B:UN~BGM+23+1+9~CNI+1~STS+1+D~DTM+334:202611231100:203~LOC+7+USNYC+++~TDT+30++3+31++++:::O?~NEIL~EQD+CN+${BOX}++++5~UNT+8+1~`,
    row("delivered", "2026-11-23 11:00", "USNYC", { mode: "truck" }, LADEN),
  ),
  says(
    "DCSA's codes in STS",
    `UNH+1+IFTSTA:D:96A:UN:EAN008'BGM+23+S1+9'STS+1+GTIN+receiving'DTM+334:202611010800:203'LOC+147+NLRTM'EQD+CN+${BOX}++++5'UNT+6+1'`,
    row("GTIN", "2026-11-01 08:00", "NLRTM", LADEN),
  ),
  says(
    "a code of its own, and the words of the milestone beside it",
    `${HEAD}CNI+1'STS+1+X7:ZZZ:HRN:Unloaded from vessel'DTM+334:202611201600:203'LOC+11+USNYC'EQD+CN+${BOX}++++5'UNT+7+1'`,
    row("unloaded_from_vessel", "2026-11-20 16:00", "USNYC", LADEN),
  ),
  says(
    "a train: X12's AL, RL, AR and UR, the train's number as voyage",
    `${HEAD}CNI+1'STS+1+RL'DTM+334:202611240600:203'LOC+175+USNYC'TDT+30+Q123+2'EQD+CN+${BOX}++++5'STS+1+AR'DTM+334:202611260600:203'LOC+175+USCHI'TDT+30+Q123+2'EQD+CN+${BOX}++++5'UNT+13+1'`,
    row("rail_departed", "2026-11-24 06:00", "USNYC", { voyage: "Q123" }, LADEN),
    row("rail_arrived", "2026-11-26 06:00", "USCHI", { voyage: "Q123" }, LADEN),
  ),
  says(
    "the mode tells what departed: number 24 of a truck",
    `${HEAD}CNI+1'STS+1+24'DTM+334:202610300700:203'LOC+5+DEHAM'TDT+10++3+31'EQD+CN+${BOX}++++5'UNT+8+1'`,
    row("truck_departed", "2026-10-30 07:00", "DEHAM", LADEN),
  ),
  says(
    "an estimated arrival alone: DTM 132 of the status",
    `${HEAD}DTM+137:202611100830:203'CNI+1'STS+1+1'DTM+132:202611201400:203'LOC+11+USNYC'TDT+20+612E+1+++++HRN1:103::HERON STAR'EQD+CN+${BOX}'UNT+9+1'`,
    row("vessel_arrived", "2026-11-20 14:00", "USNYC", ESTIMATED, SAILING, STATED),
  ),
  says(
    "customs released it: number 12 and X12's CT",
    `${HEAD}RFF+BM:HRNL4000017'CNI+1'STS+1+12'DTM+334:202611211200:203'LOC+22+USNYC'EQD+CN+${BOX}'UNT+7+1'UNH+2+IFTSTA:D:00B:UN'BGM+23+2+9'STS+1+CT'DTM+334:202611211200:203'LOC+22+USNYC'EQD+CN+${BOX}'UNT+6+2'`,
    row("customs_released", "2026-11-21 12:00", "USNYC", BILL),
    row("customs_released", "2026-11-21 12:00", "USNYC"),
  ),
  says(
    "a booking is confirmed, and no container is known",
    `${HEAD}NAD+CA+HRNL:160'RFF+BN:HRN0040001'CNI+1'STS+1+BF'DTM+334:202610201200:203'LOC+175+DEHAM'UNT+7+1'`,
    row("booking_confirmed", "2026-10-20 12:00", "DEHAM", NO_BOX, CARRIER, BOOKED),
  ),
  says(
    "places by name alone, small letters in the tags, no CNI",
    `unh+1+iftsta:D:00B:UN'bgm+23+1+9'sts+1+VA'dtm+334:202611201500:203'loc+11+:::New York'tdt+20+612E+1+++++9321483::11:HERON STAR'eqd+CN+${BOX}'unt+7+1'`,
    row("vessel_arrived", "2026-11-20 15:00", undefined, { place: "New York" }, STAR),
  ),
  says(
    "a message withdrawn by its function, BGM 1",
    `UNH+1+IFTSTA:D:00B:UN'BGM+23+1+1'DTM+137:202611240000:203'CNI+1'STS+1+OA'DTM+334:202611220930:203'LOC+175+USNYC'EQD+CN+${BOX}++++5'UNT+8+1'`,
    row("gate_out", "2026-11-22 09:30", "USNYC", LADEN, {
      ...{ stated_at: "2026-11-24T00:00:00Z", withdrawn: true },
    }),
  ),
  says(
    "two consignments in one message",
    `${HEAD}CNI+1+HRNL4000017'STS+1+UV'DTM+334:202611201600:203'LOC+11+USNYC'EQD+CN+${BOX}'CNI+2+HRNL4000018'STS+1+UV'DTM+334:202611201700:203'LOC+11+USNYC'EQD+CN+${OTHER_BOX}'UNT+12+1'`,
    row("discharged", "2026-11-20 16:00", "USNYC", BILL),
    row("discharged", "2026-11-20 17:00", "USNYC", { container: OTHER_BOX, bill: "HRNL4000018" }),
  ),
  says(
    "inside an e-mail: text before the interchange, CRLF after each segment, and no UNZ",
    `Dear customer,\r\nunable to send by AS2 today.\r\n\r\nUNB+UNOA:2+A+B+261101:1205+1'\r\nUNH+1+IFTSTA:D:00B:UN'\r\nBGM+23+1+9'\r\nSTS+1+I'\r\nDTM+334:202611010800:203'\r\nLOC+175+NLRTM'\r\nEQD+CN+${BOX}++++5'\r\nUNT+6+1'\r\n`,
    row("gate_in", "2026-11-01 08:00", "NLRTM", LADEN),
  ),
  says(
    "a terminal, CODECO: gate in and gate out of two containers, by truck",
    `UNH+1+CODECO:D:95B:UN:SMDG20'BGM+34+GATE1+9'TDT+20+612E+1++HRNL:172:20+++9321483:146::HERON STAR'NAD+CF+HRNL:160:20'EQD+CN+${BOX}+22G1:102:5++2+5'RFF+BN:HRN0040001'DTM+7:202611010800:203'LOC+165+NLRTM:139:6+APMR:TER:ZZZ'TDT+1++3'EQD+CN+${OTHER_BOX}+22G1:102:5++2+5'DTM+7:202611010815:203'LOC+165+NLRTM:139:6+APMR:TER:ZZZ'CNT+16:2'UNT+14+1'`,
    row(
      "gate_in",
      "2026-11-01 08:00",
      "NLRTM",
      { facility: "APMR", mode: "truck" },
      CARRIER,
      BOOKED,
      LADEN,
      ISO,
    ),
    row(
      "gate_in",
      "2026-11-01 08:15",
      "NLRTM",
      { container: OTHER_BOX, facility: "APMR" },
      CARRIER,
      LADEN,
      ISO,
    ),
  ),
  says(
    "a terminal, COARRI: discharged, with the vessel before the containers",
    `UNH+1+COARRI:D:95B:UN:SMDG20'BGM+44+V1+9'TDT+20+612E+1++HRNL:172:20+++9321483:146::HERON STAR'LOC+11+USNYC:139:6'DTM+178:202611201400:203'EQD+CN+${BOX}+22G1:102:5++3+5'RFF+BM:HRNL4000017'DTM+203:202611201613:203'CNT+16:1'UNT+9+1'`,
    row("discharged", "2026-11-20 16:13", "USNYC", STAR, BILL, LADEN, ISO),
  ),
];
