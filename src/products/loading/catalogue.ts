/** Load planning's identity and events (spec 6.2: plan_created, plan_updated). */
import type { Product } from "../../model/product.ts";
import { LoadPlanData } from "./event-data.ts";

export const loading: Product = {
  tag: "loading",
  title: "Load planning",
  headerTag: "Loading",
  keyPrefixes: ["loading"],
  entitlement: "loading",
  envelope: "ok-and-data",
  versions: [],
  arePayloadsOpen: true,
  catalogue: [
    {
      name: "plan_created",
      description: "A load plan was made.",
      subscribable: true,
      raised: true,
      data: LoadPlanData,
    },
    {
      name: "plan_updated",
      description: "A load plan was made again, from other cargo or containers, or under another name.",
      subscribable: true,
      raised: true,
      data: LoadPlanData,
    },
  ],
};
