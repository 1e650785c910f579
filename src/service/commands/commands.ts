/** Every command of `boathook`. Its module loads when somebody calls it. */
import { group, type CommandFactory, type LazyCommand } from "../../cli/command.ts";
import type { OtherApi } from "../../cli/resource-command.ts";
import { products } from "../../products/index.ts";

const productCommands = products.flatMap((product) => product.commands);

type Parts = {
  /** What no operation does. */
  readonly byHand?: () => Promise<readonly CommandFactory[]>;
  readonly other?: () => Promise<OtherApi>;
};

/** A command made of the operator's API: the operations whose words begin with its name. */
function resource(name: string, summary: string, about: string, parts: Parts = {}): LazyCommand {
  async function load(): Promise<{ readonly command: CommandFactory }> {
    const [{ operationsOf }, { resourceActions }, { readOperatorDocument }] = await Promise.all([
      import("../../cli/operation.ts"),
      import("../../cli/resource-command.ts"),
      import("./operator.ts"),
    ]);
    const operations = operationsOf(await readOperatorDocument());
    const actions = resourceActions(operations, name, await parts.other?.());
    const alone = actions.get("");
    if (alone !== undefined) return { command: alone };
    return { command: group(name, about, [...actions.values(), ...((await parts.byHand?.()) ?? [])]) };
  }
  return { name, summary, load };
}

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
  resource("status", "show nodes, cells, what waits and what fails", ""),
  resource("sources", "show carriers, airlines and feeds, and how they answer", ""),
  resource(
    "accounts",
    "list, create, show, change and remove accounts",
    "Accounts own endpoints and API keys.",
  ),
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
  resource("keys", "create, list and revoke API keys", "API keys let an account's programs call the API."),
  resource("portal-link", "print a link that signs a client in to the portal", ""),
  resource(
    "portal-links",
    "list and revoke links to the portal",
    "Links to the portal that are handed out. boathook portal-link prints a new one.",
  ),
  resource(
    "endpoints",
    "list endpoints and their health, and enable them",
    "Endpoints are the URLs that deliveries go to.",
    { byHand: async () => [(await import("./lost-endpoints.ts")).lost] },
  ),
  resource(
    "deliveries",
    "list and show deliveries, and why they failed",
    "Deliveries: what was sent, what waits, and why it failed.",
    { other: async () => (await import("./client-deliveries.ts")).asClient },
  ),
  resource("events", "list and show what was raised", "Events: what was raised, and what became of it."),
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
    name: "mcp",
    summary: "give an assistant the API as tools that read",
    load: () => import("./mcp.ts"),
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
