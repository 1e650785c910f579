import Type from "typebox";

import type { Listener } from "../http/listener.ts";
import { NextCursor, pageOf, PageQuery } from "../http/page.ts";
import { resource, type Fields } from "../http/resource.ts";
import type { Endpoint } from "../model/endpoint.ts";
import { readUuid } from "../model/uuid.ts";
import { ENDPOINT_STATES, pageEndpoints } from "../store/endpoints/endpoints.ts";
import { endpointFind, endpointListFailing } from "../store/endpoints/endpoints.sql.ts";
import { AccountName, withAccountNames, type Named } from "./account-names.ts";
import { ofAnAccount } from "./accounts.ts";
import { ENDPOINT_COLUMNS, IdPath, NO_ENDPOINT, OPERATOR_ENDPOINT } from "./endpoints.ts";
import { refuse } from "./errors.ts";
import { askCells, findInCells, UnavailableCells } from "./find-in-cells.ts";
import { newestFirst } from "./page-of-cells.ts";
import type { OperatorPorts } from "./ports.ts";

const FAILING_DEFAULT = 50;
const FAILING_MAX = 1_000;

const namedEndpoint = resource("NamedEndpoint", {
  ...OPERATOR_ENDPOINT,
  account_name: [AccountName, ({ accountName }) => accountName],
} satisfies Fields<Endpoint & Named>);

const LIST = { endpoints: Type.Array(namedEndpoint.schema), unavailable_cells: UnavailableCells };

async function viewed(ports: OperatorPorts, endpoints: readonly Endpoint[]) {
  return (await withAccountNames(ports, endpoints)).map(namedEndpoint.view);
}

/** `GET /v1/endpoints`: of all accounts, newest first */
export function listEndpointsRoute(app: Listener, ports: OperatorPorts): void {
  const querystring = Type.Object({
    ...PageQuery.properties,
    account_id: ofAnAccount,
    product: Type.Optional(Type.Enum(ports.products.map(({ tag }) => tag))),
    state: Type.Optional(
      Type.Enum([...ENDPOINT_STATES], { description: "active (and well), failing (and active), or off" }),
    ),
  });
  const view = {
    ...{ command: "endpoints list", arguments: ["account_id"], rows: "endpoints", limit: 1_000 },
    about: "Of an account or all, on all products, newest first, with their health.",
    example: "01a1fc98-3684-702d-8add-9c7eb13bfa2f --product air",
    columns: ENDPOINT_COLUMNS,
  };
  const response = { 200: Type.Object({ ...LIST, next_cursor: NextCursor }) };
  const schema = { summary: "Search endpoints", querystring, response, "x-cli": view };
  app.get("/v1/endpoints", { schema }, async ({ query }) => {
    const { account_id: accountId = null, product = null, state = null } = query;
    let unavailable: readonly string[] = [];
    const { items, ...next } = await pageOf(query, async (page) => {
      const asked = await askCells(ports, (cell) =>
        pageEndpoints(ports.database, cell, { accountId, product, state }, page),
      );
      ({ unavailable } = asked);
      return asked.answers.flat().toSorted(newestFirst).slice(0, page.limit);
    });
    return {
      endpoints: await viewed(ports, items),
      ...next,
      unavailable_cells: [...unavailable],
    };
  });
}

/** `GET /v1/endpoints/failing`: of all accounts, disabled ones first */
export function listFailingRoute(app: Listener, ports: OperatorPorts): void {
  const querystring = Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: FAILING_MAX })),
  });
  const view = {
    ...{ command: "endpoints list", rows: "endpoints", limit: FAILING_DEFAULT, columns: ENDPOINT_COLUMNS },
    flag: { name: "failing", about: "those of all accounts that fail, or that failures have disabled" },
  };
  const schema = {
    summary: "List endpoints that fail or are off",
    querystring,
    response: { 200: Type.Object(LIST) },
    "x-cli": view,
  };
  app.get("/v1/endpoints/failing", { schema }, async (request, _reply) => {
    const { limit = FAILING_DEFAULT } = request.query;
    const { answers, unavailable } = await askCells(ports, (cell) =>
      endpointListFailing(ports.database, cell, limit),
    );
    const worst = answers
      .flat()
      .toSorted((a, b) => Number(a.active) - Number(b.active) || b.failureCount - a.failureCount);
    return { endpoints: await viewed(ports, worst.slice(0, limit)), unavailable_cells: [...unavailable] };
  });
}

/** `GET /v1/endpoints/{id}` */
export function readEndpointRoute(app: Listener, ports: OperatorPorts): void {
  const view = { command: "endpoints show", columns: ENDPOINT_COLUMNS };
  const schema = {
    summary: "Read an endpoint",
    params: IdPath,
    response: { 200: namedEndpoint.schema },
    "x-cli": view,
  };
  app.get("/v1/endpoints/:id", { schema }, async (request, reply) => {
    const id = readUuid(request.params.id);
    const read =
      id === null ? null : await findInCells(ports, (cell) => endpointFind(ports.database, cell, id));
    return read === null ? refuse(reply, NO_ENDPOINT) : (await viewed(ports, [read.found]))[0];
  });
}
