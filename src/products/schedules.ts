/** Sailing schedules (spec 6.2). The payloads of its events are not defined yet. */
import type { Product } from "../model/product.ts";
import { AnyObject } from "./shapes.ts";

export const schedules: Product = {
  tag: "schedules",
  title: "Sailing schedules",
  headerTag: "Schedules",
  keyPrefixes: ["schedules"],
  entitlement: null,
  envelope: "ok-and-data",
  versions: [],
  catalogue: [
    {
      name: "blank_sailing",
      description: "A sailing was blanked.",
      subscribable: true,
      raised: true,
      data: AnyObject,
    },
    {
      name: "cutoff_approaching",
      description: "A cut-off is near.",
      subscribable: true,
      raised: true,
      data: AnyObject,
    },
    {
      name: "sailing_slipped",
      description: "A sailing moved to a later date.",
      subscribable: true,
      raised: true,
      data: AnyObject,
    },
    {
      name: "reliability_drop",
      description: "A service keeps its schedule less well than it did.",
      subscribable: true,
      raised: true,
      data: AnyObject,
    },
  ],
};
