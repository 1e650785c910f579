/** Demurrage tariffs, in the fields of a file: what is listed can be loaded. */
import Type from "typebox";

import { listed, problemsText, TABLE_FILES, TABLE_FORMATS } from "../../../freight/tables/table-bodies.ts";
import { CURSOR_ERROR, pageFields, pageOf, readPage } from "../../../http/key-page.ts";
import type { Listener } from "../../../http/listener.ts";
import { NextCursor } from "../../../http/page.ts";
import { resource, type Fields } from "../../../http/resource.ts";
import type { CommandView } from "../../../model/command-view.ts";
import { nullable } from "../../../model/data-types.ts";
import { readUuid } from "../../../model/uuid.ts";
import { refuse, refuseLoad } from "../../../operator/errors.ts";
import type { OperatorRoute } from "../../../operator/ports.ts";
import { acceptRawBodies } from "../../../operator/raw-body.ts";
import { runInSlices } from "../../../runtime/time-slices.ts";
import { equipmentText, readTariffs } from "../demurrage/read-tariffs.ts";
import { storedTariff, tariffOf } from "../demurrage/tariff-cache.ts";
import type { Tariff } from "../demurrage/tariff.ts";
import { carrierNamed, type Carrier } from "../sources/carriers.ts";
import { deleteTariff, storeTariffs, TARIFFS_MAX } from "../store/tariffs.ts";
import { tariffList } from "../store/tariffs.sql.ts";

/** The largest request, in bytes. */
const TARIFFS_BODY_BYTES_MAX = 8 * 1024 * 1024;

const Loaded = Type.Object({
  loaded: Type.Integer(),
  unknown_carriers: Type.Optional(
    Type.Array(
      Type.Object({
        scac: Type.String(),
        known_as: nullable(Type.String(), {
          description: "the SCAC that the carriers file has this line by",
        }),
      }),
      { description: "carriers that the carriers file does not have: their tariffs match no box yet" },
    ),
  ),
});

const LOAD: CommandView = {
  command: "tariffs load",
  about: "All of a .json or .csv file, or none (docs/demurrage.md).",
  example: "tariffs-2026.csv",
  file: TABLE_FILES,
  text: "Loaded {loaded} tariff{loaded=1?|s}.",
  note:
    "{unknown_carriers?Their tariffs match no box yet, for no carrier in BOATHOOK_CARRIERS_FILE has this SCAC: " +
    "{unknown_carriers[{scac}{known_as? (the file has this line as {known_as})}]}.}",
  problems: { of: "problems", line: "{line?line {line}: }{message}" },
};

/**
 * `POST /v1/tariffs` (docs/demurrage.md): as CSV or JSON, all or none. 200 once they are durable, 400 with the lines
 * that are wrong.
 */
export function loadTariffsRoute(carriers: () => Promise<readonly Carrier[] | null>): OperatorRoute {
  return (app, ports) => {
    const { database, cells, clock, random } = ports;
    void app.register(async (scope: Listener) => {
      const bodyOf = acceptRawBodies(scope, "tariffs", TABLE_FORMATS);
      const schema = { summary: "Load demurrage tariffs", response: { 200: Loaded }, "x-cli": LOAD };
      const options = { bodyLimit: TARIFFS_BODY_BYTES_MAX, schema };
      scope.post("/v1/tariffs", options, async (request, reply) => {
        const { bytes, format } = bodyOf(request);
        const read = await runInSlices(readTariffs(bytes, format), clock);
        if (read.kind === "invalid") {
          return refuseLoad(reply, problemsText(read.problems), { problems: listed(read.problems, ports) });
        }
        const nowMs = clock.nowMs();
        const stored = read.tariffs.map((tariff) => storedTariff(tariff, random.uuid(nowMs)));
        if (!(await storeTariffs(database, cells, stored, nowMs)))
          return refuseLoad(reply, `there would be more than ${TARIFFS_MAX} tariffs`);
        ports.wakeForwarder?.();
        const unknown = unknownCarriers(read.tariffs, await carriers());
        return { loaded: stored.length, ...(unknown.length > 0 && { unknown_carriers: [...unknown] }) };
      });
    });
  };
}

/** Carriers that no box has; none without a carriers file. */
function unknownCarriers(tariffs: readonly Tariff[], carriers: readonly Carrier[] | null) {
  const named = carriers === null ? [] : [...new Set(tariffs.map(({ carrier }) => carrier))];
  return named
    .filter((scac) => carriers?.every((carrier) => carrier.scac !== scac))
    .map((scac) => ({ scac, known_as: carrierNamed(carriers!, scac)?.scac ?? null }));
}

type Listed = Tariff & { readonly id: string };

const listedTariff = resource("Tariff", {
  id: [Type.String({ format: "uuid" }), ({ id }) => id],
  carrier: [Type.String({ description: "SCAC" }), ({ carrier }) => carrier],
  port: [nullable(Type.String({ description: "UN/LOCODE; null: all" })), ({ port }) => port],
  equipment: [
    nullable(Type.String({ description: "how the ISO 6346 code begins, or 20ft, 40ft, 45ft; null: all" })),
    ({ equipment }) => (equipment === null ? null : equipmentText(equipment)),
  ],
  free_days: [Type.Integer(), ({ freeDays }) => freeDays],
  discharge_day_counts: [Type.Boolean(), ({ dischargeDayCounts }) => dischargeDayCounts],
  days: [Type.Enum(["calendar", "working"]), ({ days }) => days],
  holidays: [Type.Array(Type.String()), ({ holidays }) => holidays],
  rates: [
    Type.Array(Type.Object({ from_day: Type.Integer(), usd: Type.Number({ description: "a day" }) })),
    ({ rates }) => rates.map(({ fromDay, centsUsd }) => ({ from_day: fromDay, usd: centsUsd / 100 })),
  ],
  valid_from: [Type.String({ format: "date" }), ({ validFrom }) => validFrom],
  valid_to: [nullable(Type.String({ format: "date" })), ({ validTo }): string | null => validTo],
} satisfies Fields<Listed>);

const LIST: CommandView = {
  ...{ command: "tariffs list", rows: "tariffs" },
  about: "By carrier, port, equipment and first day of validity.",
  example: "--carrier MAEU",
  columns: {
    ID: "id",
    CARRIER: "carrier",
    PORT: "port|'any'",
    EQUIPMENT: "equipment|'any'",
    FREE: "{free_days} {days}",
    FROM: "{discharge_day_counts?day of discharge|day after}",
    "USD A DAY": "{rates[{from_day}={usd:2}];}",
    "VALID FROM": "valid_from",
    TO: "valid_to",
  },
};

/** `GET /v1/tariffs` */
export const listTariffsRoute: OperatorRoute = (app: Listener, { database, cells }) => {
  const schema = {
    summary: "List demurrage tariffs",
    querystring: Type.Object({
      carrier: Type.Optional(Type.String({ description: "only tariffs of the carrier of this SCAC" })),
      ...pageFields,
    }),
    response: { 200: Type.Object({ tariffs: Type.Array(listedTariff.schema), next_cursor: NextCursor }) },
    "x-cli": LIST,
  };
  app.get("/v1/tariffs", { schema }, async (request, reply) => {
    const page = readPage(request.query, ["text"]);
    if (page === null) return refuse(reply, { code: "INVALID_REQUEST", message: CURSOR_ERROR });
    const carrier = request.query.carrier?.toUpperCase() ?? null;
    const [behind = null] = (page.after ?? []) as readonly string[];
    const found = await tariffList(database, cells[0], { carrier, behind, limit: page.limit + 1 });
    const { items, ...next } = pageOf(page, found, ({ key }) => [key]);
    return { tariffs: items.map((one) => listedTariff.view({ id: one.id, ...tariffOf(one) })), ...next };
  });
};

/** `DELETE /v1/tariffs/{id}` */
export const removeTariffRoute: OperatorRoute = (app: Listener, ports) => {
  const schema = {
    summary: "Remove a demurrage tariff",
    params: Type.Object({ id: Type.String() }),
    response: { 200: Type.Object({ id: Type.String(), deleted: Type.Boolean() }) },
    "x-cli": { command: "tariffs remove", text: "Removed." },
  };
  app.delete("/v1/tariffs/:id", { schema }, async (request, reply) => {
    const id = readUuid(request.params.id);
    const isDeleted =
      id !== null && (await deleteTariff(ports.database, ports.cells, id, ports.clock.nowMs()));
    if (!isDeleted) return refuse(reply, { code: "NOT_FOUND", message: "there is no tariff of that id" });
    ports.wakeForwarder?.();
    return { id, deleted: true };
  });
};
