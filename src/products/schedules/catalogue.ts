/** Sailing schedules (spec 6.2: blank_sailing, cutoff_approaching, sailing_slipped, reliability_drop). */
import type { Product } from "../../model/product.ts";
import {
  BlankSailingData,
  CutOffApproachingData,
  ReliabilityDropData,
  SailingSlippedData,
} from "./event-data.ts";

export const schedules: Product = {
  tag: "schedules",
  title: "Sailing schedules",
  headerTag: "Schedules",
  keyPrefixes: ["schedules"],
  entitlement: null,
  envelope: "ok-and-data",
  versions: [],
  arePayloadsOpen: true,
  catalogue: [
    {
      name: "blank_sailing",
      description: "A voyage was blanked, or one of its calls left out.",
      subscribable: true,
      raised: true,
      data: BlankSailingData,
    },
    {
      name: "cutoff_approaching",
      description: "A cut-off of a sailing is near.",
      subscribable: true,
      raised: true,
      data: CutOffApproachingData,
    },
    {
      name: "sailing_slipped",
      description: "The expected departure moved by 24 hours or more.",
      subscribable: true,
      raised: true,
      data: SailingSlippedData,
    },
    {
      name: "reliability_drop",
      description: "A service keeps its schedule less well than before.",
      subscribable: true,
      raised: true,
      data: ReliabilityDropData,
    },
  ],
};
