/** Every command of `boathook`. Its module loads when somebody calls it. */
import type { CommandFactory, LazyCommand, ResourceCommand } from "../../cli/command.ts";
import type { OtherApi } from "../../cli/resource-command.ts";
import { products } from "../../products/index.ts";

/** Its actions come from the document of the operator's API. */
function resource(one: ResourceCommand, other?: () => Promise<OtherApi>): LazyCommand {
  const { name, summary, about = summary, groups = {}, byHand } = one;
  async function load(): Promise<{ readonly command: CommandFactory }> {
    const [{ operationsOf }, { resourceActions, resourceGroup }, { readOperatorDocument }] =
      await Promise.all([
        import("../../cli/operation.ts"),
        import("../../cli/resource-command.ts"),
        import("./operator.ts"),
      ]);
    const operations = operationsOf(await readOperatorDocument());
    const actions = resourceActions(operations, name, await other?.());
    const alone = actions.get("");
    const members = (await byHand?.()) ?? [];
    return { command: alone ?? resourceGroup(name, about, actions, members, groups) };
  }
  return { name, summary, load };
}

const productCommands = products.flatMap((product) =>
  product.commands.map((one) => ({ loads: one.loads, ...("load" in one ? one : resource(one)) })),
);

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
  resource({ name: "status", summary: "show nodes, cells, what waits and what fails" }),
  resource({ name: "find", summary: "find anything by an id, a reference, a name or a URL" }),
  resource({ name: "sources", summary: "show carriers, airlines and feeds, and how they answer" }),
  resource({
    name: "accounts",
    summary: "list, create, show, change and remove accounts",
    about: "Accounts own endpoints and API keys.",
  }),
  resource({
    name: "cells",
    summary: "list, add, move and drain cells",
    about: "Cells hold the accounts and all that is theirs, or the record of a product, each on one server.",
    byHand: async () => (await import("./cells.ts")).byHand,
  }),
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
  resource({
    name: "keys",
    summary: "create, list and revoke API keys",
    about: "API keys let an account's programs call the API.",
  }),
  resource({ name: "portal-link", summary: "print a link that signs a client in to the portal" }),
  resource({
    name: "portal-links",
    summary: "list and revoke links to the portal",
    about: "Links to the portal that are handed out. boathook portal-link prints a new one.",
  }),
  resource({
    name: "endpoints",
    summary: "list endpoints and their health, and enable them",
    about: "Endpoints are the URLs that deliveries go to.",
    byHand: async () => [(await import("./lost-endpoints.ts")).lost],
  }),
  resource(
    {
      name: "deliveries",
      summary: "list and show deliveries, and why they failed",
      about: "Deliveries: what was sent, what waits, and why it failed.",
    },
    async () => (await import("./client-deliveries.ts")).asClient,
  ),
  resource({
    name: "events",
    summary: "list and show what was raised",
    about: "Events: what was raised, and what became of it.",
  }),
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
  {
    name: "slim",
    summary: "delete what this installation does not need to run",
    load: () => import("./slim.ts"),
  },
  { name: "version", summary: "print the version", load: () => import("./version.ts") },
];
