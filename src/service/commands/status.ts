import type { Operator } from "@boathook/client";

import { action, type CommandFactory } from "../../cli/command.ts";
import { JSON_OPTION } from "../../cli/options.ts";
import { facts, jsonText, table } from "../../cli/print.ts";
import { nameOfBuild } from "../../runtime/build.ts";

export const command: CommandFactory = (at) =>
  action(
    "status",
    "Show how the service is: its nodes and cells, what waits, what fails and why, and outside APIs in trouble. The " +
      "status is 1 when no node runs, a cell does not answer, or a node lacks a master key.",
    "boathook status",
    "boathook status --json",
  )
    .option(...JSON_OPTION)
    .action(async ({ json }) => {
      const { ask } = await at.open();
      const status = await ask("GET /v1/status");
      at.out(json === true ? jsonText(status) : statusText(status));
      const hasKeys = status.nodes.every((node) => node.unopened_endpoints === 0);
      const isWell =
        status.nodes.length > 0 && hasKeys && status.cells.every(({ trouble }) => trouble === null);
      if (!isWell) at.exitStatus = 1;
    });

function statusText({
  version,
  commit,
  nodes,
  cells,
  backlog,
  endpoints,
  failing,
  upstreams,
}: Operator["schemas"]["Status"]): string {
  const parts = [
    facts([
      ["version", nameOfBuild({ version, commit })],
      ["nodes", nodes.length === 0 ? "none: no service runs" : nodes.length],
      ["endpoints failing", endpoints.failing],
      ["endpoints disabled", endpoints.disabled],
      ["endpoints paused", endpoints.paused],
    ]),
    section(nodes, [
      ["NODE", ({ process }) => process],
      ["ADDRESS", ({ address }) => address, "unless empty"],
      ["HOST", ({ host }) => host, "unless empty"],
      ["BUILD", ({ build }) => build, "unless empty"],
      ["ROLES", ({ roles }) => roles, "unless empty"],
      ["CELLS", (node) => node.cells],
      ["LACKS KEY OF", (node) => node.unopened_endpoints || null, "unless empty"],
    ]),
    section(cells, [
      ["CELL", ({ name }) => name],
      ["SERVER", ({ server }) => server, "unless empty"],
      ["ACCOUNTS", ({ accounts }) => accounts],
      ["TROUBLE", ({ trouble }) => trouble, "unless empty"],
    ]),
    section(backlog, [
      ["BACKLOG", ({ product }) => product],
      ["DUE", ({ due }) => due],
      ["WAITING", ({ waiting }) => waiting],
      ["CLAIMED", ({ claimed }) => claimed],
      ["PARKED", ({ parked }) => parked],
    ]),
    section(failing, [
      ["FAILING WITH", ({ reason }) => reason],
      ["DELIVERIES", ({ deliveries }) => deliveries],
      ["ENDPOINTS", (one) => one.endpoints],
    ]),
    section(upstreams.failing, [
      ["UPSTREAM", ({ source }) => source],
      ["FAILS WITH", ({ reason }) => reason],
      ["POLLS", ({ polls }) => polls],
    ]),
    section(upstreams.paused, [
      ["UPSTREAM", ({ source }) => source],
      ["PAUSED UNTIL", ({ until }) => until],
    ]),
  ];
  return parts.filter((part) => part !== "").join("\n");
}

/** Left out when it has nothing. */
function section<Row>(rows: readonly Row[], columns: Parameters<typeof table<Row>>[1]): string {
  return rows.length === 0 ? "" : table(rows, columns);
}
