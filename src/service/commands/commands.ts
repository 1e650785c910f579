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
    name: "try",
    summary: "run the service on a simulated world, with values to try",
    load: () => import("./try.ts"),
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
    name: "status",
    summary: "show nodes, cells, what waits and what fails",
    load: () => import("./status.ts"),
  },
  {
    name: "sources",
    summary: "show carriers, airlines and feeds, and how they answer",
    load: () => import("./sources.ts"),
  },
  {
    name: "accounts",
    summary: "list, create, show, change and remove accounts",
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
  {
    name: "backup",
    summary: "write the embedded database and its keys to a file",
    load: () => import("./backup.ts"),
  },
  {
    name: "restore",
    summary: "make a data folder of a backup",
    load: () => import("./restore.ts"),
  },
  { name: "keys", summary: "create, list and revoke API keys", load: () => import("./keys.ts") },
  {
    name: "portal-link",
    summary: "print a link that signs a client in to the portal",
    load: () => import("./portal-link.ts"),
  },
  {
    name: "portal-links",
    summary: "list and revoke links to the portal",
    load: () => import("./portal-links.ts"),
  },
  {
    name: "endpoints",
    summary: "list endpoints and their health, and enable them",
    load: () => import("./endpoints.ts"),
  },
  {
    name: "deliveries",
    summary: "list and show deliveries, and why they failed",
    load: () => import("./deliveries.ts"),
  },
  ...productCommands.filter(({ loads }) => loads === true),
  ...productCommands.filter(({ loads }) => loads !== true),
  {
    name: "listen",
    summary: "forward your account's events to a server on your machine",
    load: () => import("./listen.ts"),
  },
  {
    name: "tail",
    summary: "print your account's events as they are raised",
    load: () => import("./tail.ts"),
  },
  {
    name: "trigger",
    summary: "send a sample of an event type to your endpoints",
    load: () => import("./trigger.ts"),
  },
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
