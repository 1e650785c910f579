import Type, { type Static } from "typebox";

import { isAmong } from "../engine/secret.ts";
import type { Listener } from "../http/listener.ts";
import type { CommandView } from "../model/command-view.ts";
import { nullable, UtcDateTime } from "../model/data-types.ts";
import { wordsOf } from "../model/source-words.ts";
import { thisBuild } from "../runtime/build.ts";
import { DAY_MS } from "../runtime/durations.ts";
import { nameOfCell } from "../store/cell.ts";
import { cellListed } from "../store/homes/cells.ts";
import { cellList } from "../store/homes/cells.sql.ts";
import { readCellStatus } from "../store/status/status.ts";
import { upstreamListDown, upstreamListPaused } from "../store/status/status.sql.ts";
import { askCells } from "./find-in-cells.ts";
import type { OperatorPorts } from "./ports.ts";

const Reasons = Type.Record(Type.String(), Type.String());

const Node = Type.Object(
  {
    process: Type.String({ description: "the name of its sessions" }),
    address: Type.String({ description: "empty: the database's own machine" }),
    host: Type.String(),
    build: Type.String(),
    roles: Type.String({ description: "between commas" }),
    started_at: UtcDateTime,
    cells: Type.Integer(),
    unopened_endpoints: Type.Integer({ description: "endpoints that it can sign nothing for" }),
  },
  { title: "Node" },
);

const Cell = Type.Object(
  {
    name: Type.String(),
    server: Type.String({ description: "empty: that of the directory" }),
    accounts: Type.Integer(),
    open: Type.Boolean({ description: "takes new accounts" }),
    trouble: nullable(Type.String()),
  },
  { title: "Cell" },
);

const Backlog = Type.Object(
  {
    product: Type.String(),
    due: Type.Integer(),
    waiting: Type.Integer(),
    claimed: Type.Integer(),
    parked: Type.Integer(),
  },
  { title: "Backlog" },
);

const Status = Type.Object(
  {
    version: Type.String(),
    commit: nullable(Type.String(), { description: "null: not known" }),
    products: Type.Array(Type.String()),
    checks: { ...Reasons, description: "what is wrong with the node that answers, by the name of the check" },
    nodes: Type.Array(Node),
    cells: Type.Array(Cell),
    backlog: Type.Array(Backlog),
    endpoints: Type.Object({ failing: Type.Integer(), disabled: Type.Integer(), paused: Type.Integer() }),
    failing: Type.Array(
      Type.Object({ reason: Type.String(), deliveries: Type.Integer(), endpoints: Type.Integer() }),
    ),
    upstreams: Type.Object({
      failing: Type.Array(
        Type.Object({
          source: Type.String(),
          reason: Type.String(),
          text: Type.String({ description: "the reason in words" }),
          polls: Type.Integer(),
        }),
      ),
      down: Type.Array(
        Type.Object({
          source: Type.String(),
          since: { ...UtcDateTime, description: "it has done nothing but fail since" },
          reason: Type.String(),
          text: Type.String({ description: "the reason in words" }),
        }),
      ),
      paused: Type.Array(Type.Object({ source: Type.String(), until: UtcDateTime })),
    }),
  },
  { title: "Status" },
);

type StatusAnswer = Static<typeof Status>;

const VIEW: CommandView = {
  command: "status",
  about:
    "Its nodes and cells, and outside APIs in trouble. The status of the command is 1 when no node runs, a cell does " +
    "not answer, or a node lacks a master key.",
  fails: "{nodes?|none}{nodes.unopened_endpoints?keys}{cells.trouble?cells}",
  sections: [
    {
      facts: {
        version: "{version}{commit? ({commit})}",
        "nodes?": "{nodes?|none: no service runs}",
        "endpoints failing": "endpoints.failing",
        "endpoints disabled": "endpoints.disabled",
        "endpoints paused": "endpoints.paused",
      },
    },
    {
      of: "nodes",
      columns: {
        NODE: "process",
        "ADDRESS?": "address",
        "HOST?": "host",
        "BUILD?": "build",
        "ROLES?": "roles",
        CELLS: "cells",
        "LACKS KEY OF?": "{unopened_endpoints?{unopened_endpoints}}",
      },
    },
    {
      of: "cells",
      columns: { CELL: "name", "SERVER?": "server", ACCOUNTS: "accounts", "TROUBLE?": "trouble" },
    },
    {
      of: "backlog",
      columns: { BACKLOG: "product", DUE: "due", WAITING: "waiting", CLAIMED: "claimed", PARKED: "parked" },
    },
    {
      of: "failing",
      columns: { "FAILING WITH": "reason", DELIVERIES: "deliveries", ENDPOINTS: "endpoints" },
    },
    { of: "upstreams.failing", columns: { UPSTREAM: "source", POLLS: "polls", "FAILS BECAUSE": "text" } },
    { of: "upstreams.down", columns: { UPSTREAM: "source", "DOWN SINCE": "since", BECAUSE: "text" } },
    { of: "upstreams.paused", columns: { UPSTREAM: "source", "PAUSED UNTIL": "until" } },
  ],
};

/** `GET /v1/status`: the same on every node, but for `checks`, which are of the one that answers. */
export function statusRoute(app: Listener, ports: OperatorPorts): void {
  app.get(
    "/v1/status",
    {
      schema: {
        summary: "How the service is, with what waits and fails",
        response: { 200: Status },
        "x-cli": VIEW,
      },
    },
    async () => readStatus(ports),
  );
}

/** A source that has not failed for so long is asked no more. */
const DOWN_MS_MAX = DAY_MS;

export async function readStatus(ports: OperatorPorts): Promise<StatusAnswer> {
  const { database, cells, clock, notReady, illCells, degraded = () => ({}) } = ports;
  const nowMs = clock.nowMs();
  const [listed, down, paused, { checks }, ill, { answers }] = await Promise.all([
    cellList(database, cells[0]),
    upstreamListDown(database, cells[0], nowMs - DOWN_MS_MAX),
    upstreamListPaused(database, cells[0], nowMs),
    notReady(),
    illCells(),
    askCells(ports, (cell) => readCellStatus(database, cell, nowMs)),
  ]);
  const answered = new Set(answers.map(({ cell }) => cell.number));
  return {
    ...thisBuild(),
    products: ports.products.map(({ tag }) => tag),
    checks: { ...checks, ...degraded() },
    nodes: nodesOf(answers),
    cells: listed.map((one) => {
      const cell = cellListed(cells[0], one);
      const name = nameOfCell(cell);
      const isSilent = cells[one.number] !== undefined && !answered.has(one.number);
      const trouble = ill.get(name) ?? (isSilent ? "it does not answer" : null);
      return { name, server: database.homeName(cell), accounts: one.accounts, open: one.open, trouble };
    }),
    backlog: summed(
      answers.flatMap(({ queue }) => queue.map(({ oldestDue: _, ...counts }) => counts)),
      ["product"],
    ),
    endpoints: summed(
      answers.map(({ endpoints }) => endpoints),
      [],
    )[0]!,
    failing: summed(
      answers.flatMap(({ failures }) => failures),
      ["reason"],
    ).toSorted((a, b) => b.deliveries - a.deliveries),
    upstreams: {
      failing: summed(
        answers.flatMap(({ polls }) => polls),
        ["source", "reason"],
      ).map((one) => ({ ...one, text: wordsOf(one.reason) })),
      down: down.map(({ source, reason, downSince }) => ({
        source,
        since: downSince.toISOString(),
        reason,
        text: wordsOf(reason),
      })),
      paused: paused.map(({ source, pausedUntilMs }) => ({
        source,
        until: new Date(pausedUntilMs).toISOString(),
      })),
    },
  };
}

type CellStatus = Awaited<ReturnType<typeof readCellStatus>>;

/** With the endpoints of the cell that the node can sign nothing for. */
function runningNodes({ nodes, seals }: CellStatus) {
  return nodes.flatMap(({ process, masterKeys, ...node }) => {
    if (process === null) return [];
    const lacking = seals.filter(({ fingerprint }) => !isAmong(fingerprint, masterKeys));
    return { ...node, process, unopened: lacking.reduce((sum, { count }) => sum + count, 0) };
  });
}

type RunningNode = ReturnType<typeof runningNodes>[number];

/** Processes by the name of their sessions: each is a node of every cell that it uses. */
function nodesOf(answers: readonly CellStatus[]) {
  const byProcess = Map.groupBy(answers.flatMap(runningNodes), ({ process }) => process);
  return [...byProcess].map(([process, nodes]) => {
    const [{ address, host, build, roles, startedAt }] = nodes as [RunningNode, ...RunningNode[]];
    return {
      process,
      address,
      host,
      build,
      roles,
      started_at: startedAt.toISOString(),
      cells: nodes.length,
      unopened_endpoints: nodes.reduce((sum, node) => sum + node.unopened, 0),
    };
  });
}

/** One row for each of the same names, with their numbers added up. */
function summed<Row extends object>(rows: readonly Row[], names: readonly (keyof Row)[]): Row[] {
  const groups = Map.groupBy(rows, (row) => JSON.stringify(names.map((name) => row[name])));
  return [...groups.values()].map((same) =>
    same.reduce((sum, row) => {
      const added = Object.entries(row).map(([name, value]) =>
        typeof value === "number" ? [name, (sum[name as keyof Row] as number) + value] : [name, value],
      );
      return Object.fromEntries(added) as Row;
    }),
  );
}
