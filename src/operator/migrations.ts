/** The shape of the database: which migrations ran where, and what a cell lacks. */
import Type from "typebox";

import type { Listener } from "../http/listener.ts";
import { UtcDateTime } from "../model/data-types.ts";
import { directoryOf, nameOfCell, type Cell } from "../store/cell.ts";
import { cellMigrations, directoryMigrations, type MigrationHistory } from "../store/migration-history.ts";
import { askCells } from "./find-in-cells.ts";
import type { OperatorPorts } from "./ports.ts";

const Schema = Type.Object(
  {
    name: Type.String({ description: "directory, or the cell" }),
    ran: Type.Array(Type.Object({ name: Type.String(), at: UtcDateTime }), { description: "oldest first" }),
    lacks: Type.Array(Type.String(), {
      description: "what this build has and it does not: it cannot be served",
    }),
  },
  { title: "MigratedSchema" },
);

/** `GET /v1/migrations`: of the directory and all cells that answer */
export function migrationsRoute(app: Listener, ports: OperatorPorts): void {
  const schema = {
    summary: "List the migrations of the database",
    response: {
      200: Type.Object({
        schemas: Type.Array(Schema),
        unavailable_cells: Type.Array(Type.String(), { description: "they do not answer" }),
      }),
    },
  };
  app.get("/v1/migrations", { schema }, async () => readMigrations(ports));
}

async function readMigrations(ports: OperatorPorts) {
  const { database, cells, productCells, products } = ports;
  const directory = directoryOf(cells[0]);
  const all: readonly [Cell, ...Cell[]] = [...cells, ...productCells.all];
  const [own, { answers }] = await Promise.all([
    directoryMigrations(database, directory, products),
    askCells({ clock: ports.clock, cells: all }, async (cell) => ({
      name: nameOfCell(cell),
      history: await cellMigrations(database, cell, products),
    })),
  ]);
  const answered = new Set(answers.map(({ name }) => name));
  return {
    schemas: [
      schemaAnswer("directory", own),
      ...answers.map(({ name, history }) => schemaAnswer(name, history)),
    ],
    unavailable_cells: all.map(nameOfCell).filter((name) => !answered.has(name)),
  };
}

function schemaAnswer(name: string, { ran, lacks }: MigrationHistory) {
  return {
    name,
    ran: ran.map((one) => ({ name: one.name, at: one.ranAt.toISOString() })),
    lacks: [...lacks],
  };
}
