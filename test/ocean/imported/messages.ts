/** Messages as different providers write them, each with the same milestones as rows of JSON. */
import type { MilestoneRow } from "../../../src/products/ocean/sources/imported/milestone.ts";

export type ProviderMessage = {
  readonly habit: string;
  readonly message: string;
  readonly rows: readonly MilestoneRow[];
};

const BOX = "HRNU4000017";
const OTHER_BOX = "HRNU4000022";

export const MESSAGES: readonly ProviderMessage[] = [
  {
    habit: "a portal, D.99B: one status and one container a message, codes of X12",
    message: `UNB+UNOA:1+PORTAL+FORWARDER+261101:1205+17'UNH+1+IFTSTA:D:99B:UN'BGM+23+700123+9'DTM+137:202611011205:203'
NAD+CA+HRNL:160:87'RFF+BN:HRN0040001'RFF+BM:HRNL4000017'CNI+1'STS+1+AE'DTM+334:202611011100:203'
LOC+9+NLRTM:139:6:Rotterdam'TDT+20+612E+1++HRNL:172:182+++9321483:146::HERON STAR'EQD+CN+${BOX}+45G1:102:5+++5'UNT+13+1'UNZ+1+17'`,
    rows: [
      {
        ...{ container: BOX, milestone: "loaded_on_vessel", time: "2026-11-01 11:00", location: "NLRTM" },
        ...{ place: "Rotterdam", vessel: "HERON STAR", imo: "9321483", voyage: "612E", carrier: "HRNL" },
        ...{ booking: "HRN0040001", bill: "HRNL4000017", load: "laden", iso_code: "45G1" },
        stated_at: "2026-11-01T12:05:00Z",
      },
    ],
  },
  {
    habit:
      "a carrier, D.00B, with UNA and a line for each segment: words beside the code, calls of the vessel",
    message: `UNA:+.? '
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
    rows: [
      {
        ...{ container: BOX, milestone: "vessel_departed", time: "2026-11-09 22:30", location: "NLRTM" },
        ...{ place: "ROTTERDAM", facility: "APM TERMINALS", vessel: "HERON STAR", imo: "9321483" },
        ...{ voyage: "612E", carrier: "HRNL", booking: "HRN0040001", load: "laden", iso_code: "45G1" },
        stated_at: "2026-11-10T08:30:00Z",
      },
      {
        ...{ container: BOX, milestone: "vessel_departed", time: "2026-11-09 22:30", location: "NLRTM" },
        ...{ vessel: "HERON STAR", imo: "9321483", voyage: "612E", carrier: "HRNL", booking: "HRN0040001" },
        stated_at: "2026-11-10T08:30:00Z",
      },
      {
        ...{ container: BOX, milestone: "vessel_arrived", time: "2026-11-20 14:00", location: "USNYC" },
        ...{ classifier: "estimated", vessel: "HERON STAR", imo: "9321483", voyage: "612E" },
        ...{ carrier: "HRNL", booking: "HRN0040001", stated_at: "2026-11-10T08:30:00Z" },
      },
    ],
  },
  {
    habit: "a forwarder's network, D.95B: Recommendation 24 in numbers, no container but a bill",
    message: `UNH+9+IFTSTA:D:95B:UN'BGM+23+A77+9'CNI+1+HRNL4000017'STS+1+24'DTM+7:202611092230:203'LOC+9+NLRTM'TDT+20+612E+1+++++:::HERON STAR'UNT+7+9'`,
    rows: [
      {
        ...{ milestone: "vessel_departed", time: "2026-11-09 22:30", location: "NLRTM", bill: "HRNL4000017" },
        ...{ vessel: "HERON STAR", voyage: "612E" },
      },
    ],
  },
  {
    habit: "two containers of one status, discharged by number 29",
    message: `UNH+1+IFTSTA:D:00B:UN'BGM+23+1+9'RFF+BM:HRNL4000017'CNI+1'STS+1+29'DTM+334:202611201600:203'LOC+11+USNYC'TDT+20+612E+1+++++9321483:146::HERON STAR'EQD+CN+${BOX}+22G1+++5'EQD+CN+${OTHER_BOX}+22G1+++5'UNT+10+1'`,
    rows: [BOX, OTHER_BOX].map((container) => ({
      ...{
        container,
        milestone: "discharged",
        time: "2026-11-20 16:00",
        location: "USNYC",
        bill: "HRNL4000017",
      },
      ...{ vessel: "HERON STAR", imo: "9321483", voyage: "612E", load: "laden", iso_code: "22G1" },
    })),
  },
  {
    habit: "several statuses of one container that is named once, before them (D.16B)",
    message: `UNH+1+IFTSTA:D:16B:UN'BGM+23+1+9'CNI+1'EQD+CN+${BOX}+22G1+++5'STS+1+I'DTM+334:202611010800:203'LOC+175+NLRTM+++'STS+1+AE'DTM+334:202611021900:203'LOC+175+NLRTM'STS+1+VD'DTM+334:202611030100:203'LOC+175+NLRTM'UNT+14+1'`,
    rows: [
      ["gate_in", "2026-11-01 08:00"],
      ["loaded_on_vessel", "2026-11-02 19:00"],
      ["vessel_departed", "2026-11-03 01:00"],
    ].map(([milestone, time]) => ({
      ...{ container: BOX, milestone, time, location: "NLRTM", load: "laden", iso_code: "22G1" },
    })),
  },
  {
    habit: "an empty container leaves a depot: 8169 is 4",
    message: `UNH+1+IFTSTA:D:00B:UN'BGM+23+1+9'RFF+BN:HRN0040001'CNI+1'STS+1+EE'DTM+334:202610281015:203'LOC+14+DEHAM:139:6+HCS:ZZZ::HCS DEPOT'EQD+CN+${BOX}+22G1+++4'UNT+8+1'`,
    rows: [
      {
        ...{ container: BOX, milestone: "empty_out", time: "2026-10-28 10:15", location: "DEHAM" },
        ...{ facility: "HCS DEPOT", booking: "HRN0040001", load: "empty", iso_code: "22G1" },
      },
    ],
  },
  {
    habit: "an empty return by X12's RD",
    message: `UNH+1+IFTSTA:D:00B:UN'BGM+23+1+9'CNI+1'STS+1+RD'DTM+334:202612011015:203'LOC+14+USNYC+DEP1:ZZZ'EQD+CN+${BOX}++++4'UNT+7+1'`,
    rows: [
      {
        ...{ container: BOX, milestone: "empty_return", time: "2026-12-01 10:15", location: "USNYC" },
        ...{ facility: "DEP1", load: "empty" },
      },
    ],
  },
  {
    habit: "times with an offset, format 205",
    message: `UNH+1+IFTSTA:D:01B:UN'BGM+23+1+9'CNI+1'STS+1+OA'DTM+334:202611220930-0500:205'LOC+175+USNYC'EQD+CN+${BOX}++++5'UNT+7+1'`,
    rows: [
      {
        ...{ container: BOX, milestone: "gate_out", time: "2026-11-22T09:30:00-05:00", location: "USNYC" },
        load: "laden",
      },
    ],
  },
  {
    habit: "times in UTC, format 303, and seconds, format 204, in the header",
    message: `UNH+1+IFTSTA:D:01B:UN'BGM+23+1+9'DTM+137:20261122143301:204'CNI+1'STS+1+AV'DTM+334:202611221430UTC:303'LOC+175+USNYC'EQD+CN+${BOX}++++5'UNT+8+1'`,
    rows: [
      {
        ...{ container: BOX, milestone: "available", time: "2026-11-22T14:30:00Z", location: "USNYC" },
        ...{ load: "laden", stated_at: "2026-11-22T14:33:01Z" },
      },
    ],
  },
  {
    habit: "years of two digits, format 201",
    message: `UNH+1+IFTSTA:D:96A:UN'BGM+23+1+9'CNI+1'STS+1+13'DTM+7:2611220930:201'LOC+14+USNYC'EQD+CN+${BOX}'UNT+7+1'`,
    rows: [{ container: BOX, milestone: "gate_out", time: "2026-11-22 09:30", location: "USNYC" }],
  },
  {
    habit: "delimiters of its own and a released apostrophe",
    message: `UNA:+,? ~UNH+1+IFTSTA:D:00B:UN~BGM+23+1+9~CNI+1~STS+1+D~DTM+334:202611231100:203~LOC+7+USNYC+++~TDT+30++3+31++++:::O?~NEIL~EQD+CN+${BOX}++++5~UNT+8+1~`,
    rows: [
      {
        container: BOX,
        milestone: "delivered",
        time: "2026-11-23 11:00",
        location: "USNYC",
        mode: "truck",
        load: "laden",
      },
    ],
  },
];
