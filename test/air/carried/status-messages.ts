/** Status messages of Cargo-XML, each beside the lines of Cargo-IMP that say the same. */
import { FLIGHT_MESSAGES } from "./flight-messages.ts";
import { said, type Told } from "./told.ts";
import { ALL, movement, party, quantity, status, tag } from "./xfsu.ts";

const NOON_FRA = { at: "FRA", time: "2026-11-14T12:05:00+01:00" };
const NOON_JFK = { at: "JFK", time: "2026-11-16T12:05:00-05:00" };
const LH400 = { flight: "LH400", from: "FRA", to: "JFK" };

export const STATUS_MESSAGES: readonly Told[] = [
  ...FLIGHT_MESSAGES,
  said(
    "RCS with its shipper and volume",
    ["RCS/14NOV1205/FRA/T10K250.5/ACME GMBH", "/MC1.25"],
    status(
      "RCS",
      ALL + tag("GrossVolumeMeasure", "1.25", ' unitCode="MTQ"'),
      movement(NOON_FRA),
      party("AssociatedReceivedFromParty", "ACME GMBH"),
    ),
  ),
  said(
    "FOH with its density group",
    ["FOH/14NOV1205/FRA/T10K250.5", "/DG6"],
    status("FOH", ALL + tag("DensityGroupCode", "6"), movement(NOON_FRA)),
  ),
  said("DPU", "DPU/14NOV1205/FRA/T10K250.5", status("DPU", ALL, movement(NOON_FRA))),
  said("DOC", "DOC/14NOV1205/FRA/T10K250.5", status("DOC", ALL, movement(NOON_FRA))),
  said(
    "NFD and its notified party",
    "NFD/16NOV1205/JFK/T10K250.5/ACME INC",
    status("NFD", ALL, movement(NOON_JFK), party("NotifiedParty", "ACME INC")),
  ),
  said(
    "AWD",
    "AWD/16NOV1205/JFK/T10K250.5/ACME INC",
    status("AWD", ALL, movement(NOON_JFK), party("NotifiedParty", "ACME INC")),
  ),
  said(
    "DLV and its receiver",
    "DLV/16NOV1205/JFK/T10K250.5/J SMITH",
    status("DLV", ALL, movement(NOON_JFK), party("DeliveryParty", "J SMITH")),
  ),
  said(
    "DDL",
    "DDL/16NOV1205/JFK/T10K250.5/J SMITH",
    status("DDL", ALL, movement(NOON_JFK), party("DeliveryParty", "J SMITH")),
  ),
  said("CCD", "CCD/16NOV1205/JFK/T10K250.5", status("CCD", ALL, movement(NOON_JFK))),
  said("TGC", "TGC/16NOV1205/JFK/T10K250.5", status("TGC", ALL, movement(NOON_JFK))),
  said(
    "CRC with its flight",
    "CRC/14NOV1205/FRA/T10K250.5/LH400/15NOV/FRAJFK",
    status(
      "CRC",
      ALL,
      movement({ ...LH400, departs: "2026-11-15T10:30:00", departsIs: "S", time: "2026-11-14T12:05:00" }),
    ),
  ),
  said(
    "RCT between carriers",
    ["RCT/KL/15NOV0900/AMS/T10K250.5", "/LH/J DE VRIES"],
    status(
      "RCT",
      ALL,
      movement({ carrier: "LH", at: "AMS", time: "2026-11-15T09:00:00" }),
      party("AssociatedReceivedFromParty", "J DE VRIES", "KL"),
    ),
  ),
  said(
    "TRM without a time",
    "TRM/KL/AMS/T10K250.5",
    status("TRM", ALL, movement({ carrier: "KL", at: "AMS" })),
  ),
  said(
    "TFD with its manifest",
    ["TFD/KL/15NOV0900/AMS/T10K250.5/123456", "/LH/J DE VRIES"],
    status(
      "TFD",
      ALL,
      tag("AssociatedManifestDocument", tag("ID", "123456")),
      movement({ carrier: "KL", at: "AMS", time: "2026-11-15T09:00:00" }),
      party("AssociatedTransferredFromParty", "J DE VRIES", "LH"),
    ),
  ),
  said(
    "DIS with its discrepancy",
    "DIS/LH400/15NOV1700/JFK/MSCA/P4K100",
    status(
      "DIS",
      quantity("4", "100", "P") + tag("DiscrepancyDescriptionCode", "MSCA"),
      movement({ flight: "LH400", at: "JFK", time: "2026-11-15T17:00:00" }),
    ),
  ),
  said(
    "DIS with the discrepancy in its code",
    "DIS//15NOV1700/JFK/FDAW/P4K100",
    status("DIS_FDAW", quantity("4", "100", "P"), movement({ at: "JFK", time: "2026-11-15T17:00:00" })),
  ),
  said(
    "a split over two flights",
    ["DEP/LH400/15NOV/FRAJFK/S4K100/A1042", "DEP/LH404/16NOV/FRAJFK/S6K150.5/A1042"],
    status("DEP", quantity("4", "100", "S"), movement({ ...LH400, departs: "2026-11-15T10:42:00" })) +
      status(
        "DEP",
        quantity("6", "150.5", "S"),
        movement({ ...LH400, flight: "LH404", departs: "2026-11-16T10:42:00" }),
      ),
  ),
  said(
    "two consignments of one status",
    ["NFD/16NOV1205/JFK/P4K100", "NFD/16NOV1300/JFK/P6K150.5"],
    `<ram:ReportedStatus>${tag("ReasonCode", "NFD")}${tag("AssociatedStatusConsignment", quantity("4", "100", "P") + movement(NOON_JFK))}${tag("AssociatedStatusConsignment", quantity("6", "150.5", "P") + movement({ at: "JFK", time: "2026-11-16T13:00:00" }))}</ram:ReportedStatus>`,
  ),
  said(
    "remarks and customs notes",
    [
      "RCS/14NOV1205/FRA/T10K250.5",
      "OCI/US/CNE/T/12-3456789",
      "/DE//RA/00123-01",
      "OSI/SCREENED",
      "/LEFT & RIGHT",
    ],
    status(
      "RCS",
      ALL,
      movement(NOON_FRA),
      tag("HandlingOSIInstructions", tag("Description", "SCREENED")),
      tag("HandlingOSIInstructions", tag("Description", "<![CDATA[LEFT & RIGHT]]>")),
      tag(
        "IncludedCustomsNote",
        tag("ContentCode", "T") +
          tag("Content", "12-3456789") +
          tag("SubjectCode", "CNE") +
          tag("CountryID", "US"),
      ),
      tag(
        "IncludedCustomsNote",
        tag("ContentCode", "RA") + tag("Content", "00123-01") + tag("CountryID", "DE"),
      ),
    ),
  ),
  said(
    "pounds",
    "RCS/14NOV1205/FRA/T10L552",
    status("RCS", quantity("10", "552", "T", "LBR"), movement(NOON_FRA)),
  ),
  said(
    "only the day",
    "DLV/16NOV/JFK/T10K250.5",
    status("DLV", ALL, movement({ at: "JFK", time: "2026-11-16" })),
  ),
  {
    ...said(
      "a message about a part",
      "RCF/LH400/15NOV1655/JFK/T4K100",
      status(
        "RCF",
        quantity("4", "100", "T"),
        movement({ flight: "LH400", to: "JFK", time: "2026-11-15T16:55:00" }),
      ),
      { pieces: "4", weight: "100", split: "P" },
    ),
    imp: "020-12345675FRAJFK/P4K100T10",
  },
  {
    ...said(
      "the weight in a status only",
      "RCS/14NOV1205/FRA/T10K250.5",
      status("RCS", ALL, movement(NOON_FRA)),
      { weight: "" },
    ),
    imp: "020-12345675FRAJFK/T10",
  },
  { ...said("no status at all", [], ""), imp: "020-12345675FRAJFK/T10K250.5" },
];
