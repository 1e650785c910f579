import Type from "typebox";

import { readDay } from "../../../freight/tables/field.ts";
import { fieldsReader } from "../../../freight/tables/rows.ts";
import { listed, problemsText, TABLE_FILES, TABLE_FORMATS } from "../../../freight/tables/table-bodies.ts";
import type { Listener } from "../../../http/listener.ts";
import { DATE } from "../../../http/stated-rules.ts";
import type { CommandView } from "../../../model/command-view.ts";
import { utcDay } from "../../../model/instant.ts";
import { refuse, refuseLoad } from "../../../operator/errors.ts";
import { acceptRawBodies } from "../../../operator/raw-body.ts";
import { runInSlices } from "../../../runtime/time-slices.ts";
import { readSource } from "../currencies/exchange-fields.ts";
import { deleteExchangeRates, loadExchangeRates, NOTHING_READ } from "../currencies/load-exchange-rates.ts";
import { EXCHANGE_BOUNDS, readExchangeRates } from "../currencies/read-exchange-rates.ts";
import { viewExchangeRates } from "../currencies/view.ts";
import { readCurrency } from "../lanes/rate-fields.ts";
import type { RatePorts } from "../lanes/load.ts";
import type { RateLoadPorts } from "./load.ts";

/** The name of what is loaded. */
export const EXCHANGE_RATES_LOADED = "exchange rates";

const Source = Type.String({ description: "whose rates they are, a name or a URL, such as ECB" });

const LoadQuery = Type.Object({
  source: Type.Optional(Source),
  base: Type.Optional(Type.String({ description: "the currency whose unit the rates price, such as EUR" })),
  strict: Type.Optional(
    Type.Enum(["true", "false"], { description: "true: one line that is wrong, and nothing is loaded" }),
  ),
});

const LOAD: CommandView = {
  command: "rates currencies load",
  about:
    "Of a file: date,base,currency,rate,source, or the European Central Bank's reference rates as it publishes them in CSV.",
  example: "eurofxref-hist.csv --source ECB",
  file: TABLE_FILES,
  text:
    "Loaded {loaded} exchange rates; {replaced} of them replace others. {unchanged} were there already." +
    "{left_out? Left out, as withdrawn: {left_out}.}",
  fails: "{refused?{refused}}",
  problems: { title: "Not loaded, {refused} lines", of: "problems", line: "line {line}: {message}" },
};

/**
 * `POST /v1/rates/currencies` (docs/rates.md): exchange rates as CSV or JSON, line by line. 200 once they are durable,
 * 400 where nothing was loaded; both with the lines that are wrong.
 */
export function loadCurrenciesRoute(app: Listener, ports: RateLoadPorts): void {
  void app.register(async (scope: Listener) => {
    const bodyOf = acceptRawBodies(scope, EXCHANGE_RATES_LOADED, TABLE_FORMATS);
    const schema = { summary: "Load exchange rates", querystring: LoadQuery, "x-cli": LOAD };
    const options = { bodyLimit: EXCHANGE_BOUNDS.bytesMax, schema };
    scope.post("/v1/rates/currencies", options, async (request, reply) => {
      const { strict, ...stated } = request.query;
      const defaults = readQuery(stated);
      if (typeof defaults === "string") return refuse(reply, { code: "INVALID_REQUEST", message: defaults });
      const { bytes, format } = bodyOf(request);
      const today = utcDay(ports.clock.nowMs());
      const read = await runInSlices(readExchangeRates(bytes, format, { ...defaults, today }), ports.clock);
      if (read.kind === "unreadable") {
        ports.onPushed?.(EXCHANGE_RATES_LOADED, { subject: null, isRead: false, problems: [read.message] });
        return refuseLoad(reply, read.message, NOTHING_READ);
      }
      const result = await loadExchangeRates(ports, read, strict === "true");
      const { problems } = result.answer;
      ports.onPushed?.(EXCHANGE_RATES_LOADED, {
        subject: `${result.answer.lines} lines`,
        isRead: result.kind === "loaded",
        problems: result.kind === "refused" ? [result.message] : problems.map(({ message }) => message),
      });
      const answer = { ...result.answer, problems: listed(problems, ports) };
      if (result.kind === "loaded") return reply.code(200).send(answer);
      const why = result.kind === "refused" ? result.message : problemsText(problems);
      return refuseLoad(reply, why, answer);
    });
  });
}

type Stated = { readonly source?: string; readonly base?: string; readonly on?: string };

/** What a query says; or what is wrong with it. */
function readQuery({ source, base, on }: Stated) {
  const problems: string[] = [];
  const read = fieldsReader({ source, base, on }, problems);
  const stated = {
    source: source === undefined ? null : read("source", readSource),
    base: base === undefined ? null : read("base", readCurrency),
    on: on === undefined ? null : read("on", readDay),
  };
  return problems.length === 0 ? stated : `query.${problems.join("; query.")}`;
}

const ListQuery = Type.Object({
  source: Type.Optional(Source),
  on: Type.Optional(
    Type.String({ description: "the rates that convert on this date; without it, today's", stated: DATE }),
  ),
});

const LIST: CommandView = {
  command: "rates currencies list",
  about: "Their sources, and the rates that convert today, or on another day.",
  example: "--on 2026-11-20",
  sections: [
    {
      of: "sources",
      columns: {
        SOURCE: "source",
        BASE: "base",
        FROM: "first",
        TO: "last",
        CURRENCIES: "currencies",
        "LOADED AT": "loaded_at",
      },
    },
    {
      of: "rates",
      columns: { SOURCE: "source", DATE: "date", BASE: "base", CURRENCY: "currency", RATE: "rate" },
    },
  ],
};

/** `GET /v1/rates/currencies`: the sources, and the rates that convert on a day. */
export function listCurrenciesRoute(app: Listener, { database, productCells, clock }: RatePorts): void {
  const cell = productCells.of("rates");
  app.get(
    "/v1/rates/currencies",
    { schema: { summary: "List exchange rates", querystring: ListQuery, "x-cli": LIST } },
    async (request, reply) => {
      const wanted = readQuery(request.query);
      if (typeof wanted === "string") return refuse(reply, { code: "INVALID_REQUEST", message: wanted });
      const { source, on } = wanted;
      return viewExchangeRates(database, cell, { source, day: on ?? utcDay(clock.nowMs()) });
    },
  );
}

const RemoveQuery = Type.Object({
  source: Source,
  on: Type.Optional(
    Type.String({ description: "only the rates of this date; without it, all", stated: DATE }),
  ),
});

/** `DELETE /v1/rates/currencies`: a source's rates of a day, or all of them. Values of indices stay. */
export function removeCurrenciesRoute(app: Listener, ports: RatePorts): void {
  const view = {
    command: "rates currencies remove",
    about: "Values of indices that were computed with them stay.",
    arguments: ["source"],
    example: "ECB --on 2026-11-20",
    text: "Removed {removed} exchange rates.",
  };
  app.delete(
    "/v1/rates/currencies",
    { schema: { summary: "Remove exchange rates of a source", querystring: RemoveQuery, "x-cli": view } },
    async (request, reply) => {
      const wanted = readQuery(request.query);
      if (typeof wanted === "string") return refuse(reply, { code: "INVALID_REQUEST", message: wanted });
      const { on } = wanted;
      // The schema asks for one.
      const source = wanted.source!;
      const removed = await deleteExchangeRates(ports, source, on);
      if (removed > 0) return { source, removed };
      const message = "there are no exchange rates of that source and date";
      return refuse(reply, { code: "NOT_FOUND", message });
    },
  );
}
