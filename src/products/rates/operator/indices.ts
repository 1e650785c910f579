import Type from "typebox";

import type { Listener } from "../../../http/listener.ts";
import { computeIndex } from "../indices/compute.ts";
import { defineIndex, deleteIndex } from "../indices/define.ts";
import { INDEX_ID, readIndexDefinition } from "../indices/definition.ts";
import { basketView, indexView, listIndicesWithLatest } from "../indices/view.ts";
import { isDay } from "../../../freight/tables/field.ts";
import type { CommandView } from "../../../model/command-view.ts";
import { refuse } from "../../../operator/errors.ts";
import type { OperatorRoute } from "../../../operator/ports.ts";
import { IndexSchema, IndexValueSchema } from "../rate-schema.ts";
import type { RatePorts } from "../lanes/load.ts";
import type { RateLoadPorts } from "./load.ts";
import { acceptRawBodies } from "../../../operator/raw-body.ts";

/** The largest definition, in bytes: some hundred lanes. */
const INDEX_BODY_BYTES_MAX = 256 * 1024;

const ADD: CommandView = {
  command: "rates index add",
  about: "Of a file (docs/rates.md). Its lanes must have rates on the base date.",
  example: "asia-europe.json",
  file: { json: "application/json" },
  text: "Defined {id}, computed {next_at?first at {next_at}|on demand}.",
};

/** `POST /v1/rates/indices`: defines an index. */
export function defineIndexRoute(app: Listener, ports: RatePorts): void {
  void app.register(async (scope: Listener) => {
    const bodyOf = acceptRawBodies(scope, "an index", { "application/json": "json" });
    const options = {
      bodyLimit: INDEX_BODY_BYTES_MAX,
      schema: { summary: "Make or change an index", "x-cli": ADD },
    };
    scope.post("/v1/rates/indices", options, async (request, reply) => {
      const read = readIndexDefinition(bodyOf(request).bytes);
      if (read.kind === "invalid") return refuse(reply, { code: "INVALID_REQUEST", message: read.message });
      const defined = await defineIndex(ports, read.index);
      if (defined.kind === "refused") {
        return refuse(reply, { code: "INVALID_REQUEST", message: defined.message });
      }
      return reply.code(201).send({ ...indexView(defined.index), lanes: basketView(defined.index) });
    });
  });
}

const ComputeBody = Type.Object({
  on: Type.Optional(Type.String({ description: "a date such as 2026-01-31" })),
});

const COMPUTE: CommandView = {
  command: "rates index compute",
  about: "For today, or for another day after its last value.",
  names: { id: "index-id" },
  example: "asia-europe-40hc",
  text:
    "{id} on {dated}: {value}{previous?, {previous.change_percent} % since {previous.dated}}" +
    "{http_status=200?, computed before}.{exchange_rates? Converted by {exchange_rates.source}, {exchange_rates.date}.}" +
    "{currencies_missing? Left out, without an exchange rate: {currencies_missing}.}",
};

const LIST: CommandView = {
  ...{ command: "rates index list", rows: "indices" },
  columns: {
    ID: "id",
    CURRENCY: "currency",
    DAY: "day",
    DATED: "latest.dated",
    VALUE: "latest.value",
    "CHANGE %": "latest.previous.change_percent",
    "4 WEEKS %": "latest.four_weeks_before.change_percent",
    NEXT: "next_at",
    "CONVERTED BY?": "exchange_source",
  },
};

/** `GET /v1/rates/indices`: with their latest values */
export const listIndicesRoute: OperatorRoute = (app: Listener, { database, productCells }) => {
  const response = { 200: Type.Object({ indices: Type.Array(IndexSchema) }) };
  app.get(
    "/v1/rates/indices",
    { schema: { summary: "List the indices with their latest values", response, "x-cli": LIST } },
    async () => {
      return { indices: [...(await listIndicesWithLatest(database, productCells.of("rates")))] };
    },
  );
};

const NO_INDEX = { code: "NOT_FOUND", message: "there is no index of that id" } as const;

/** `POST /v1/rates/indices/{id}/values`: computes the value of a date, today's without one; 200 where it is there. */
export function computeIndexRoute(app: Listener, ports: RateLoadPorts): void {
  const response = { 200: IndexValueSchema, 201: IndexValueSchema };
  const schema = {
    summary: "Load values of an index",
    body: Type.Union([ComputeBody, Type.Null()]),
    response,
    "x-cli": COMPUTE,
  };
  app.post<{ Params: { id: string }; Body: { on?: string } | null }>(
    "/v1/rates/indices/:id/values",
    { schema },
    async (request, reply) => {
      const { id } = request.params;
      const on = request.body?.on ?? null;
      if (on !== null && !isDay(on)) {
        return refuse(reply, {
          code: "INVALID_REQUEST",
          message: "body.on must be a date such as 2026-01-31",
        });
      }
      const computed = INDEX_ID.test(id) ? await computeIndex(ports, id, on) : { kind: "missing" as const };
      switch (computed.kind) {
        case "missing":
          return refuse(reply, NO_INDEX);
        case "refused":
          return refuse(reply, { code: "INVALID_REQUEST", message: computed.message });
        case "exists":
          return computed.value;
        case "computed":
          ports.wakeForwarder();
          return reply.code(201).send(computed.value);
      }
    },
  );
}

/** `DELETE /v1/rates/indices/{id}`: with its values. */
export function removeIndexRoute(app: Listener, ports: RatePorts): void {
  const schema = {
    summary: "Remove an index",
    "x-cli": {
      command: "rates index remove",
      names: { id: "index-id" },
      text: "Removed.",
      example: "asia-europe-40hc",
    },
  };
  app.delete<{ Params: { id: string } }>("/v1/rates/indices/:id", { schema }, async (request, reply) => {
    const { id } = request.params;
    const isRemoved = INDEX_ID.test(id) && (await deleteIndex(ports, id));
    return isRemoved ? { id, deleted: true } : refuse(reply, NO_INDEX);
  });
}
