/** Further messages: codes beside the usual ones, land legs, documents, terminals. */
import type { ProviderMessage } from "./messages.ts";

const BOX = "HRNU4000017";
const OTHER_BOX = "HRNU4000022";

export const MORE_MESSAGES: readonly ProviderMessage[] = [
  {
    habit: "DCSA's codes in STS",
    message: `UNH+1+IFTSTA:D:96A:UN:EAN008'BGM+23+S1+9'STS+1+GTIN+receiving'DTM+334:202611010800:203'LOC+147+NLRTM'EQD+CN+${BOX}++++5'UNT+6+1'`,
    rows: [{ container: BOX, milestone: "GTIN", time: "2026-11-01 08:00", location: "NLRTM", load: "laden" }],
  },
  {
    habit: "a code of its own, and the words of the milestone beside it",
    message: `UNH+1+IFTSTA:D:00B:UN'BGM+23+1+9'CNI+1'STS+1+X7:ZZZ:HRN:Unloaded from vessel'DTM+334:202611201600:203'LOC+11+USNYC'EQD+CN+${BOX}++++5'UNT+7+1'`,
    rows: [
      {
        container: BOX,
        milestone: "unloaded_from_vessel",
        time: "2026-11-20 16:00",
        location: "USNYC",
        load: "laden",
      },
    ],
  },
  {
    habit: "a train: X12's AL, RL, AR and UR, the train's number as voyage",
    message: `UNH+1+IFTSTA:D:00B:UN'BGM+23+1+9'CNI+1'STS+1+RL'DTM+334:202611240600:203'LOC+175+USNYC'TDT+30+Q123+2'EQD+CN+${BOX}++++5'STS+1+AR'DTM+334:202611260600:203'LOC+175+USCHI'TDT+30+Q123+2'EQD+CN+${BOX}++++5'UNT+13+1'`,
    rows: [
      {
        container: BOX,
        milestone: "rail_departed",
        time: "2026-11-24 06:00",
        location: "USNYC",
        voyage: "Q123",
        load: "laden",
      },
      {
        container: BOX,
        milestone: "rail_arrived",
        time: "2026-11-26 06:00",
        location: "USCHI",
        voyage: "Q123",
        load: "laden",
      },
    ],
  },
  {
    habit: "the mode tells what departed: number 24 of a truck",
    message: `UNH+1+IFTSTA:D:00B:UN'BGM+23+1+9'CNI+1'STS+1+24'DTM+334:202610300700:203'LOC+5+DEHAM'TDT+10++3+31'EQD+CN+${BOX}++++5'UNT+8+1'`,
    rows: [
      {
        container: BOX,
        milestone: "truck_departed",
        time: "2026-10-30 07:00",
        location: "DEHAM",
        load: "laden",
      },
    ],
  },
  {
    habit: "an estimated arrival alone: DTM 132 of the status",
    message: `UNH+1+IFTSTA:D:00B:UN'BGM+23+1+9'DTM+137:202611100830:203'CNI+1'STS+1+1'DTM+132:202611201400:203'LOC+11+USNYC'TDT+20+612E+1+++++HRN1:103::HERON STAR'EQD+CN+${BOX}'UNT+9+1'`,
    rows: [
      {
        ...{ container: BOX, milestone: "vessel_arrived", classifier: "estimated", time: "2026-11-20 14:00" },
        ...{ location: "USNYC", vessel: "HERON STAR", voyage: "612E", stated_at: "2026-11-10T08:30:00Z" },
      },
    ],
  },
  {
    habit: "customs released it: number 12 and X12's CT",
    message: `UNH+1+IFTSTA:D:00B:UN'BGM+23+1+9'RFF+BM:HRNL4000017'CNI+1'STS+1+12'DTM+334:202611211200:203'LOC+22+USNYC'EQD+CN+${BOX}'UNT+7+1'UNH+2+IFTSTA:D:00B:UN'BGM+23+2+9'STS+1+CT'DTM+334:202611211200:203'LOC+22+USNYC'EQD+CN+${BOX}'UNT+6+2'`,
    rows: [
      {
        container: BOX,
        milestone: "customs_released",
        time: "2026-11-21 12:00",
        location: "USNYC",
        bill: "HRNL4000017",
      },
      { container: BOX, milestone: "customs_released", time: "2026-11-21 12:00", location: "USNYC" },
    ],
  },
  {
    habit: "a booking is confirmed, and no container is known",
    message: `UNH+1+IFTSTA:D:00B:UN'BGM+23+1+9'NAD+CA+HRNL:160'RFF+BN:HRN0040001'CNI+1'STS+1+BF'DTM+334:202610201200:203'LOC+175+DEHAM'UNT+7+1'`,
    rows: [
      {
        milestone: "booking_confirmed",
        time: "2026-10-20 12:00",
        location: "DEHAM",
        booking: "HRN0040001",
        carrier: "HRNL",
      },
    ],
  },
  {
    habit: "places by name alone, small letters in the tags, no CNI",
    message: `unh+1+iftsta:D:00B:UN'bgm+23+1+9'sts+1+VA'dtm+334:202611201500:203'loc+11+:::New York'tdt+20+612E+1+++++9321483::11:HERON STAR'eqd+CN+${BOX}'unt+7+1'`,
    rows: [
      {
        ...{ container: BOX, milestone: "vessel_arrived", time: "2026-11-20 15:00", place: "New York" },
        ...{ vessel: "HERON STAR", imo: "9321483", voyage: "612E" },
      },
    ],
  },
  {
    habit: "a message withdrawn by its function, BGM 1",
    message: `UNH+1+IFTSTA:D:00B:UN'BGM+23+1+1'DTM+137:202611240000:203'CNI+1'STS+1+OA'DTM+334:202611220930:203'LOC+175+USNYC'EQD+CN+${BOX}++++5'UNT+8+1'`,
    rows: [
      {
        ...{
          container: BOX,
          milestone: "gate_out",
          time: "2026-11-22 09:30",
          location: "USNYC",
          load: "laden",
        },
        ...{ stated_at: "2026-11-24T00:00:00Z", withdrawn: true },
      },
    ],
  },
  {
    habit: "two consignments in one message",
    message: `UNH+1+IFTSTA:D:00B:UN'BGM+23+1+9'CNI+1+HRNL4000017'STS+1+UV'DTM+334:202611201600:203'LOC+11+USNYC'EQD+CN+${BOX}'CNI+2+HRNL4000018'STS+1+UV'DTM+334:202611201700:203'LOC+11+USNYC'EQD+CN+${OTHER_BOX}'UNT+12+1'`,
    rows: [
      {
        container: BOX,
        milestone: "discharged",
        time: "2026-11-20 16:00",
        location: "USNYC",
        bill: "HRNL4000017",
      },
      {
        container: OTHER_BOX,
        milestone: "discharged",
        time: "2026-11-20 17:00",
        location: "USNYC",
        bill: "HRNL4000018",
      },
    ],
  },
  {
    habit: "inside an e-mail: text before the interchange, CRLF after each segment, and no UNZ",
    message: `Dear customer,\r\nunable to send by AS2 today.\r\n\r\nUNB+UNOA:2+A+B+261101:1205+1'\r\nUNH+1+IFTSTA:D:00B:UN'\r\nBGM+23+1+9'\r\nSTS+1+I'\r\nDTM+334:202611010800:203'\r\nLOC+175+NLRTM'\r\nEQD+CN+${BOX}++++5'\r\nUNT+6+1'\r\n`,
    rows: [
      { container: BOX, milestone: "gate_in", time: "2026-11-01 08:00", location: "NLRTM", load: "laden" },
    ],
  },
  {
    habit: "a terminal, CODECO: gate in and gate out of two containers, by truck",
    message: `UNH+1+CODECO:D:95B:UN:SMDG20'BGM+34+GATE1+9'TDT+20+612E+1++HRNL:172:20+++9321483:146::HERON STAR'NAD+CF+HRNL:160:20'EQD+CN+${BOX}+22G1:102:5++2+5'RFF+BN:HRN0040001'DTM+7:202611010800:203'LOC+165+NLRTM:139:6+APMR:TER:ZZZ'TDT+1++3'EQD+CN+${OTHER_BOX}+22G1:102:5++2+5'DTM+7:202611010815:203'LOC+165+NLRTM:139:6+APMR:TER:ZZZ'CNT+16:2'UNT+14+1'`,
    rows: [
      {
        ...{
          container: BOX,
          milestone: "gate_in",
          time: "2026-11-01 08:00",
          location: "NLRTM",
          facility: "APMR",
        },
        ...{ mode: "truck", carrier: "HRNL", booking: "HRN0040001", load: "laden", iso_code: "22G1" },
      },
      {
        ...{ container: OTHER_BOX, milestone: "gate_in", time: "2026-11-01 08:15", location: "NLRTM" },
        ...{ facility: "APMR", carrier: "HRNL", load: "laden", iso_code: "22G1" },
      },
    ],
  },
  {
    habit: "a terminal, COARRI: discharged, with the vessel before the containers",
    message: `UNH+1+COARRI:D:95B:UN:SMDG20'BGM+44+V1+9'TDT+20+612E+1++HRNL:172:20+++9321483:146::HERON STAR'LOC+11+USNYC:139:6'DTM+178:202611201400:203'EQD+CN+${BOX}+22G1:102:5++3+5'RFF+BM:HRNL4000017'DTM+203:202611201613:203'CNT+16:1'UNT+9+1'`,
    rows: [
      {
        ...{ container: BOX, milestone: "discharged", time: "2026-11-20 16:13", location: "USNYC" },
        ...{
          vessel: "HERON STAR",
          imo: "9321483",
          voyage: "612E",
          bill: "HRNL4000017",
          load: "laden",
          iso_code: "22G1",
        },
      },
    ],
  },
];
