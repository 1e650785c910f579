import Type from "typebox";

import type { Listener } from "../../../http/listener.ts";
import type { CommandView } from "../../../model/command-view.ts";
import { readUuid } from "../../../model/uuid.ts";
import {
  loadFile,
  NOTHING_LOADED,
  removeLaneRate,
  type FileLoadResult,
  type RatePorts,
} from "../lanes/load.ts";
import { FILE_BOUNDS, readRates, REQUEST_BOUNDS } from "../lanes/read-rates.ts";
import { listed, problemsText, TABLE_FILES, TABLE_FORMATS } from "../../../freight/tables/table-bodies.ts";
import { runInSlices } from "../../../runtime/time-slices.ts";
import { refuse, refuseLoad } from "../../../operator/errors.ts";
import type { OperatorPorts } from "../../../operator/ports.ts";
import { acceptRawBodies } from "../../../operator/raw-body.ts";

/** `wakeForwarder`: broadcasts have been written, and the transaction has ended. */
export type RateLoadPorts = RatePorts &
  Pick<OperatorPorts, "onPushed" | "takesFiles"> & { readonly wakeForwarder: () => void };

/** The name of what is loaded. */
export const RATES_LOADED = "rates";

const LoadQuery = Type.Object({
  strict: Type.Optional(
    Type.Enum(["true", "false"], { description: "true: one line that is wrong, and nothing is loaded" }),
  ),
});

const LOAD: CommandView = {
  command: "rates load",
  about: "Line by line: a wrong line is reported, and the others are loaded.",
  example: "rates-2026-12.csv --strict",
  file: TABLE_FILES,
  // Who loads for the first time reads why no event was raised.
  text:
    "Loaded {loaded} of {lines} rates; {replaced} of them replace others. {unchanged} were there already. Prices that " +
    "changed today: {changes}{changes?| (a first rate of a lane, or one of other days, changes none)}.",
  fails: "{refused?{refused}}",
  problems: { title: "Not loaded, {refused}", of: "problems", line: "line {line}: {message}" },
};

/**
 * `POST /v1/rates` (docs/rates.md): rates as CSV or JSON, line by line. 200 once they are durable, 400 where nothing
 * was loaded; both with the lines that are wrong.
 */
export function loadRatesRoute(app: Listener, ports: RateLoadPorts): void {
  void app.register(async (scope: Listener) => {
    const bodyOf = acceptRawBodies(scope, "rates", TABLE_FORMATS);
    const bounds = ports.takesFiles === true ? FILE_BOUNDS : REQUEST_BOUNDS;
    const schema = { summary: "Load rates", querystring: LoadQuery, "x-cli": LOAD };
    const options = { bodyLimit: bounds.bytesMax, schema };
    scope.post("/v1/rates", options, async (request, reply) => {
      const { bytes, format } = bodyOf(request);
      const read = await runInSlices(readRates(bytes, format, bounds), ports.clock);
      if (read.kind === "unreadable") {
        ports.onPushed?.(RATES_LOADED, { subject: null, isRead: false, problems: [read.message] });
        return refuseLoad(reply, read.message, NOTHING_READ);
      }
      const { hasLoaded, ...told } = await loadFile(ports, read, request.query.strict === "true");
      const answer = { ...told, problems: listed(told.problems, ports) };
      ports.onPushed?.(RATES_LOADED, {
        subject: `${told.lines} lines`,
        isRead: hasLoaded,
        problems: told.problems.map(({ message }) => message),
      });
      if (told.changes > 0) ports.wakeForwarder();
      if (hasLoaded) return reply.code(200).send(answer);
      return refuseLoad(reply, problemsText(read.problems), answer);
    });
  });
}

/** What a load answers of a body that is refused as a whole. */
const NOTHING_READ: LoadAnswer = { lines: 0, ...NOTHING_LOADED, refused: 0, problems: [] };

type LoadAnswer = Omit<FileLoadResult, "hasLoaded">;

/** `DELETE /v1/rates/{id}`: takes a rate out of force; history keeps it. */
export function removeRateRoute(app: Listener, ports: RateLoadPorts): void {
  const schema = {
    summary: "Withdraw a rate",
    "x-cli": { command: "rates remove", about: "Its history stays.", text: "Removed." },
  };
  app.delete<{ Params: { id: string } }>("/v1/rates/:id", { schema }, async (request, reply) => {
    const id = readUuid(request.params.id);
    const changes = id === null ? null : await removeLaneRate(ports, id);
    if (id === null || changes === null) {
      return refuse(reply, { code: "NOT_FOUND", message: "there is no rate of that id in force" });
    }
    if (changes > 0) ports.wakeForwarder();
    return { id, deleted: true, changes };
  });
}
