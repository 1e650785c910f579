/** A product that Boathook does not have: what a folder and a line must be enough for. */
import { join } from "node:path";

import Type from "typebox";

import { openObject } from "../../../src/model/data-types.ts";
import { defineProduct } from "../../../src/products/manifest.ts";
import { RAIL_SETTINGS } from "./settings.ts";

export const rail = defineProduct({
  tag: "rail",
  title: "Rail freight",
  headerTag: "Rail",
  keyPrefixes: ["rail"],
  entitlement: null,
  envelope: "data-only",
  versions: [],
  catalogue: [
    {
      name: "train_departed",
      description: "The train left.",
      subscribable: true,
      raised: true,
      data: openObject("TrainData", { train: Type.Integer() }),
      example: { train: 7 },
    },
  ],
  settings: RAIL_SETTINGS,
  migrations: join(import.meta.dirname, "migrations"),
  accountTables: ["trains"],
  start: async (context, settings) => (await import("./running.ts")).startRail(context, settings),
});
