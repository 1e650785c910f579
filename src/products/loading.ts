/** Load planning (spec 6.2). The payloads of its events are not defined yet. */
import type { Product } from "../model/product.ts";
import { AnyObject } from "./shapes.ts";

export const loading: Product = {
  tag: "loading",
  title: "Load planning",
  headerTag: "Loading",
  keyPrefixes: ["loading"],
  entitlement: "loading",
  envelope: "ok-and-data",
  versions: [],
  catalogue: [
    {
      name: "plan_created",
      description: "A load plan was made.",
      subscribable: true,
      raised: true,
      data: AnyObject,
    },
    {
      name: "plan_updated",
      description: "A load plan was changed.",
      subscribable: true,
      raised: true,
      data: AnyObject,
    },
  ],
};
