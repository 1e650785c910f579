/** Cells: where each lives, and whether new accounts come to it. */
import Type, { type Static } from "typebox";

import type { Listener } from "../http/listener.ts";
import type { CommandView } from "../model/command-view.ts";
import { nullable } from "../model/data-types.ts";
import { cellNumbered, nameOfCell, OF_ACCOUNTS } from "../store/cell.ts";
import { cellListed, openCell } from "../store/homes/cells.ts";
import { cellList } from "../store/homes/cells.sql.ts";
import { readMovingSchemas, readPlacements } from "../store/homes/citus.ts";
import type { NodeContext } from "../store/node-context.ts";
import { openOnceUsed } from "./cell-use.ts";
import { refuse } from "./errors.ts";
import type { OperatorPorts } from "./ports.ts";

/** The directory's own server. */
const DIRECTORY_SERVER = "directory";

const CellView = Type.Object(
  {
    number: Type.Integer(),
    name: Type.String({ description: "the number, of a cell of accounts; schedules_0, of a product" }),
    product: nullable(Type.String(), { description: "whose record it holds; null: accounts" }),
    server: Type.String({ description: `host:port of a node of Citus, or ${DIRECTORY_SERVER}` }),
    open: Type.Boolean({ description: "takes new accounts" }),
    accounts: Type.Integer(),
    move: nullable(Type.String(), { description: "where Citus is moving it; null: nowhere" }),
  },
  { title: "PlacedCell" },
);

/** A cell as people see it. */
export type ShownCell = Static<typeof CellView>;

const response = { 200: Type.Object({ cells: Type.Array(CellView) }) };

export const CELL_COLUMNS = {
  CELL: "name",
  SERVER: "server",
  "NEW ACCOUNTS": "{product?|{open?open|closed}}",
  ACCOUNTS: "{product?|{accounts}}",
  "MOVE?": "move",
};

const view = { rows: "cells", columns: CELL_COLUMNS };

/** `GET /v1/cells` */
export function listCellsRoute(app: Listener, ports: OperatorPorts): void {
  const schema = {
    summary: "List all cells, where each lives and what lives in it",
    response,
    "x-cli": { ...view, command: "cells list" } satisfies CommandView,
  };
  app.get("/v1/cells", { schema }, async () => ({ cells: await showCells(ports) }));
}

export async function showCells({
  database,
  cells,
}: Pick<NodeContext, "database" | "cells">): Promise<ShownCell[]> {
  const placements = new Map((await readPlacements(database)).map((one) => [one.schema, one]));
  const moving = new Map((await readMovingSchemas(database)).map((one) => [one.schema, one.server]));
  return (await cellList(database, cells[0])).map((listed) => {
    const { kind, number, open, accounts } = listed;
    const cell = cellListed(cells[0], listed);
    const placement = placements.get(cell.schema);
    const server = placement === undefined ? DIRECTORY_SERVER : `${placement.host}:${placement.port}`;
    const to = moving.get(cell.schema);
    return {
      ...{ number, name: nameOfCell(cell), product: kind === OF_ACCOUNTS ? null : kind },
      ...{ server, open, accounts, move: to === undefined ? null : `to ${to}` },
    };
  });
}

const OPEN: CommandView = {
  ...{ ...view, command: "cells open", example: "1" },
  about: "Once every running node uses it: waits some seconds for it, and names the processes that do not.",
};

const CLOSE: CommandView = { ...view, command: "cells close", example: "1" };

/** `POST /v1/cells/{number}/open` and `POST /v1/cells/{number}/close` */
export function openCellRoutes(app: Listener, ports: OperatorPorts): void {
  const params = Type.Object({ number: Type.String({ description: "of a cell of accounts" }) });
  const { database, cells } = ports;
  for (const [state, summary, command] of [
    ["open", "Let new accounts come to a cell", OPEN],
    ["close", "Let no more new accounts come to a cell", CLOSE],
  ] as const) {
    const schema = { summary, params, response, "x-cli": command };
    app.post(`/v1/cells/:number/${state}`, { schema }, async (request, reply) => {
      const named = request.params.number;
      const found = (await showCells(ports)).find(({ name, product }) => name === named && product === null);
      if (found === undefined)
        return refuse(reply, { code: "NOT_FOUND", message: `there is no cell ${named} of accounts` });
      const { number } = found;
      const problem = state === "open" ? await openOnceUsed(ports, cellNumbered(cells, number)) : null;
      if (problem !== null) return refuse(reply, { code: "UNAVAILABLE", message: problem });
      if (state === "close") await openCell(database, cells[0], number, false);
      return { cells: await showCells(ports) };
    });
  }
}
