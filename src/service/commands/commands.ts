/** Every command of `boathook`. Its module loads when somebody calls it. */
import type { LazyCommand } from "../../cli/command.ts";
import { products } from "../../products/index.ts";

const productCommands = products.flatMap((product) => product.commands);

export const commands: readonly LazyCommand[] = [
  { name: "serve", summary: "run the service", load: () => import("./serve.ts") },
  {
    name: "demo",
    summary: "watch the whole product at work on this machine",
    load: () => import("./demo.ts"),
  },
  {
    name: "migrate",
    summary: "migrate the database to this build",
    load: () => import("./migrate.ts"),
  },
  {
    name: "config",
    summary: "list the settings and where each comes from",
    load: () => import("./config.ts"),
  },
  {
    name: "accounts",
    summary: "list, create, show, change and move accounts",
    load: () => import("./accounts.ts"),
  },
  {
    name: "cells",
    summary: "list, add, move and drain cells",
    load: () => import("./cells.ts"),
  },
  {
    name: "move-store",
    summary: "move everything to another PostgreSQL",
    load: () => import("./move-store.ts"),
  },
  { name: "keys", summary: "create, list and revoke API keys", load: () => import("./keys.ts") },
  {
    name: "endpoints",
    summary: "list an account's endpoints and their health",
    load: () => import("./endpoints.ts"),
  },
  {
    name: "deliveries",
    summary: "list deliveries, and why they failed",
    load: () => import("./deliveries.ts"),
  },
  ...productCommands.filter(({ loads }) => loads === true),
  ...productCommands.filter(({ loads }) => loads !== true),
  {
    name: "verify",
    summary: "check a delivery's signature, and say what is wrong",
    load: () => import("./verify.ts"),
  },
  {
    name: "replay",
    summary: "serve recorded carrier answers as a carrier's API",
    load: () => import("./replay.ts"),
  },
  {
    name: "simulate",
    summary: "serve simulated carriers, airlines and sailing schedules",
    load: () => import("./simulate.ts"),
  },
  {
    name: "rotate-master-key",
    summary: "reseal every signing secret under the current master key",
    load: () => import("./rotate-master-key.ts"),
  },
  { name: "version", summary: "print the version", load: () => import("./version.ts") },
];
