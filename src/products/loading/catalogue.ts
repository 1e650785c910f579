/** Load planning's identity and events (spec 6.2: plan_created, plan_updated). */
import { join } from "node:path";

import { around, counted, figure, joined, text, type InWords } from "../../model/in-words.ts";
import type { Product } from "../../model/product.ts";
import { LOAD_PLAN, LoadPlanData } from "./event-data.ts";

const DESCRIPTIONS = {
  plan_created: "A load plan was made.",
  plan_updated: "A load plan was made again, from other cargo or containers, or under another name.",
};

const inWords: InWords = (data) => {
  const { name, revision, container_count: containers, pieces_placed: placed, pieces_left: left } = data;
  const packed = joined([counted(placed, "piece"), counted(containers, "container")], " in ");
  return joined(
    [
      joined([text(name), around("revision ", figure(revision))]),
      joined([packed, left === 0 ? null : around("", figure(left), " left behind")]),
    ],
    ": ",
  );
};

export const loading: Product = {
  tag: "loading",
  title: "Load planning",
  headerTag: "Loading",
  keyPrefixes: ["loading"],
  entitlement: "loading",
  envelope: "ok-and-data",
  versions: [],
  arePayloadsOpen: true,
  examples: join(import.meta.dirname, "examples.json"),
  catalogue: Object.entries(DESCRIPTIONS).map(([name, description]) => ({
    name,
    description,
    subscribable: true,
    raised: true,
    data: LoadPlanData,
    references: ["plan_id", "name"],
    inWords,
    example: { ...LOAD_PLAN, revision: name === "plan_created" ? 1 : 2 },
  })),
};
