/** Status messages of Cargo-XML about flights, each beside the lines of Cargo-IMP that say the same. */
import { said, type Told } from "./told.ts";
import { ALL, movement, status, tag } from "./xfsu.ts";

const LH400 = { flight: "LH400", from: "FRA", to: "JFK" };

export const FLIGHT_MESSAGES: readonly Told[] = [
  said(
    "BKD with both scheduled times",
    "BKD/LH400/15NOV/FRAJFK/T10K250.5/S1030/S1250",
    status(
      "BKD",
      ALL,
      movement({
        ...LH400,
        scheduledDeparture: "2026-11-15T10:30:00",
        scheduledArrival: "2026-11-15T12:50:00",
      }),
    ),
  ),
  said(
    "BKD of two flights in one status",
    ["BKD/LH400/15NOV/FRAEWR/T10K250.5/S1030/S1250", "BKD/LH402/16NOV/EWRJFK/T10K250.5/S0900"],
    status(
      "BKD",
      ALL,
      movement({
        flight: "LH400",
        from: "FRA",
        to: "EWR",
        departs: "2026-11-15T10:30:00+01:00",
        departsIs: "S",
        arrives: "2026-11-15T12:50:00-05:00",
        arrivesIs: "S",
      }),
      movement({ flight: "LH402", from: "EWR", to: "JFK", departs: "2026-11-16T09:00:00", departsIs: "S" }),
    ),
  ),
  said(
    "PRE",
    "PRE/LH400/15NOV/FRAJFK/T10K250.5/E1030",
    status("PRE", ALL, movement({ ...LH400, departs: "2026-11-15T10:30:00", departsIs: "E" })),
  ),
  said(
    "MAN with its ULDs",
    ["MAN/LH400/15NOV/FRAJFK/T10K250.5/S1030", "ULD/AKE12345LH/PMC7253QR"],
    status(
      "MAN",
      ALL,
      movement({ ...LH400, scheduledDeparture: "2026-11-15T10:30:00" }),
      tag(
        "UtilizedUnitLoadTransportEquipment",
        tag("ID", "12345") + tag("CharacteristicCode", "AKE") + tag("OperatingParty", tag("PrimaryID", "LH")),
      ),
      tag("UtilizedUnitLoadTransportEquipment", tag("ID", "PMC7253QR")),
    ),
  ),
  said(
    "DEP, actual, with the estimated arrival",
    "DEP/LH400/15NOV/FRAJFK/T10K250.5/A1042/E1250",
    status(
      "DEP",
      ALL,
      movement({
        ...LH400,
        departs: "2026-11-15T10:42:00+01:00",
        arrives: "2026-11-15T12:50:00-05:00",
        arrivesIs: "E",
      }),
    ),
  ),
  said(
    "DEP over midnight, dated by its schedule",
    "DEP/LH400/14NOV/FRAJFK/T10K250.5/A0010-N",
    status(
      "DEP",
      ALL,
      movement({
        ...LH400,
        departs: "2026-11-15T00:10:00+01:00",
        scheduledDeparture: "2026-11-14T23:40:00+01:00",
      }),
    ),
  ),
  said(
    "ARR with the flight's arrival alone",
    "ARR/LH400/15NOV/JFK/T10K250.5//A1348",
    status("ARR", ALL, movement({ flight: "LH400", to: "JFK", arrives: "2026-11-15T13:48:00-05:00" })),
  ),
  said(
    "RCF with an offset of UTC",
    "RCF/LH400/15NOV1655/JFK/T10K250.5//A1348",
    status(
      "RCF",
      ALL,
      movement({ flight: "LH400", to: "JFK", arrives: "2026-11-15T18:48:00Z", time: "2026-11-15T21:55:00Z" }),
    ),
  ),
  said(
    "AWR",
    "AWR/LH400/15NOV1655/JFK/T10K250.5",
    status("AWR", ALL, movement({ flight: "LH400", to: "JFK", time: "2026-11-15T16:55:00" })),
  ),
  said(
    "FIW",
    "FIW/LH400/15NOV1655/JFK/T10K250.5",
    status("FIW", ALL, movement({ flight: "LH400", to: "JFK", time: "2026-11-15T16:55:00" })),
  ),
  said(
    "FOW to its flight",
    "FOW/LH400/15NOV0820/FRA/T10K250.5/S1030",
    status(
      "FOW",
      ALL,
      movement({
        flight: "LH400",
        from: "FRA",
        scheduledDeparture: "2026-11-15T10:30:00",
        time: "2026-11-15T08:20:00",
      }),
    ),
  ),
];
