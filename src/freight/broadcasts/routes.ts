/** Broadcasts on the operator's listener. */
import Type from "typebox";

import type { Listener } from "../../http/listener.ts";
import { UtcDateTime } from "../../model/data-types.ts";
import { timeOfUuid } from "../../model/uuid.ts";
import { askCells, UnavailableCells } from "../../operator/find-in-cells.ts";
import type { OperatorContext, OperatorRoutes } from "../../operator/ports.ts";
import { nameOfCell } from "../../store/cell.ts";
import { broadcastListStatus } from "./store/broadcasts.sql.ts";

/** Of one cell. */
const READ_MAX = 10_000;

const Broadcast = Type.Object(
  {
    cell: Type.String(),
    product: Type.String(),
    type: Type.String(),
    broadcasts: Type.Integer({
      description: `the oldest ${READ_MAX.toLocaleString("en")} of a cell are counted`,
    }),
    oldest_at: { ...UtcDateTime, description: "since when the oldest waits" },
    has_begun: Type.Boolean({ description: "some accounts have one of them" }),
  },
  { title: "Broadcast" },
);

/** `GET /v1/broadcasts`: events for every subscribed account that have not reached all */
export const broadcastRoutes: OperatorRoutes = {
  guarded: [
    (app: Listener, ports: OperatorContext): void => {
      const schema = {
        summary: "List broadcasts that go on or have ended",
        response: {
          200: Type.Object({
            broadcasts: Type.Array(Broadcast),
            unavailable_cells: UnavailableCells,
          }),
        },
      };
      app.get("/v1/broadcasts", { schema }, async () => readBroadcasts(ports));
    },
  ],
};

async function readBroadcasts(ports: OperatorContext) {
  const { answers, unavailable } = await askCells(ports, async (cell) =>
    (await broadcastListStatus(ports.database, cell, READ_MAX)).map(({ oldest, hasBegun, ...counted }) => ({
      cell: nameOfCell(cell),
      ...counted,
      oldest_at: new Date(timeOfUuid(oldest)).toISOString(),
      has_begun: hasBegun,
    })),
  );
  // Of one moment: by type.
  const order = ({ oldest_at: at, type }: (typeof answers)[number][number]): string => `${at} ${type}`;
  const broadcasts = answers.flat().toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
  return { broadcasts, unavailable_cells: [...unavailable] };
}
