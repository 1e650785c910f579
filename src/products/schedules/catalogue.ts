/** Sailing schedules (spec 6.2: blank_sailing, cutoff_approaching, sailing_slipped, reliability_drop). */
import { join } from "node:path";

import type { Product } from "../../model/product.ts";
import {
  BlankSailingData,
  CutOffApproachingData,
  ReliabilityDropData,
  SailingSlippedData,
} from "./event-data.ts";
import { blankInWords, cutOffInWords, reliabilityInWords, slippedInWords } from "./in-words.ts";

const VOYAGE = {
  carrier: "HRNL",
  service: "FE1",
  voyage: "048W",
  vessel_name: "Harbour Star",
  vessel_imo: "9321483",
};
const CALL = { ...VOYAGE, port: "CNSHA", port_name: "Shanghai" };

/** The voyage on its service, and its vessel. */
const SAILING = [["service", "voyage"], "vessel_imo", "vessel_name"] as const;

export const schedules: Product = {
  tag: "schedules",
  title: "Sailing schedules",
  headerTag: "Schedules",
  keyPrefixes: ["schedules"],
  entitlement: null,
  envelope: "ok-and-data",
  versions: [],
  arePayloadsOpen: true,
  examples: join(import.meta.dirname, "examples.json"),
  catalogue: [
    {
      name: "blank_sailing",
      description: "A voyage was blanked, or one of its calls left out.",
      subscribable: true,
      raised: true,
      data: BlankSailingData,
      references: SAILING,
      inWords: blankInWords,
      example: {
        kind: "voyage",
        reason: "blanked",
        status_code: "BLNK",
        ...VOYAGE,
        port_calls: [
          {
            port: "CNSHA",
            port_name: "Shanghai",
            terminal: null,
            arrival: "2026-12-01T02:00:00Z",
            departure: "2026-12-02T10:00:00Z",
          },
        ],
      },
    },
    {
      name: "cutoff_approaching",
      description: "A cut-off of a sailing is near.",
      subscribable: true,
      raised: true,
      data: CutOffApproachingData,
      references: SAILING,
      inWords: cutOffInWords,
      example: {
        ...CALL,
        cut_off_code: "FCO",
        cut_off_name: "full container delivery cut-off",
        cut_off: "2026-12-01T08:00:00Z",
        hours_before: 24,
        hours_left: 23.9,
        departure: "2026-12-02T10:00:00Z",
      },
    },
    {
      name: "sailing_slipped",
      description: "The expected departure moved by 24 hours or more.",
      subscribable: true,
      raised: true,
      data: SailingSlippedData,
      references: SAILING,
      inWords: slippedInWords,
      example: {
        ...CALL,
        old_departure: "2026-12-02T10:00:00Z",
        new_departure: "2026-12-04T06:00:00Z",
        delta_hours: 44,
        remark: "Port congestion",
      },
    },
    {
      name: "reliability_drop",
      description: "A service keeps its schedule less well than before.",
      subscribable: true,
      raised: true,
      data: ReliabilityDropData,
      references: [["carrier", "service"]],
      inWords: reliabilityInWords,
      example: {
        carrier: "HRNL",
        service: "FE1",
        day: "2026-11-21",
        on_time_percent: 61.5,
        previous_percent: 80,
        drop_points: 18.5,
        window_days: 90,
        calls: 52,
        calls_on_time: 32,
      },
    },
  ],
};
