import Type from "typebox";

import { createReferenceIndex } from "../../../freight/reference-index/reference-index.ts";
import type { Listener } from "../../../http/listener.ts";
import type { CommandView } from "../../../model/command-view.ts";
import { refuse } from "../../../operator/errors.ts";
import type { OperatorRoute } from "../../../operator/ports.ts";
import { acceptRawBodies } from "../../../operator/raw-body.ts";
import { SECOND_MS } from "../../../runtime/durations.ts";
import { runInSlicesWithin } from "../../../runtime/time-slices.ts";
import { notifyWork } from "../../../store/endpoints/invalidations.ts";
import { makeImportedDue, storeImport } from "../sources/imported/import-milestones.ts";
import {
  FILE_BOUNDS,
  readImport,
  REQUEST_BOUNDS,
  type ImportFormat,
} from "../sources/imported/read-import.ts";
import { SOURCE_FORM, SOURCE_PATTERN } from "../sources/imported/source-name.ts";

/** The name of what is pushed. */
export const MILESTONES_IMPORTED = "imported milestones";

const ImportQuery = Type.Object({
  source: Type.String({
    ...{ pattern: SOURCE_PATTERN, form: SOURCE_FORM },
    description: "whose statements they are",
  }),
});

const FORMATS: Readonly<Record<string, ImportFormat>> = {
  "text/csv": "csv",
  "application/json": "json",
  "application/edifact": "edi",
};

const VIEW: CommandView = {
  command: "containers import",
  about:
    "Of a source without an API: .csv, .json, or IFTSTA, CODECO and COARRI in .edi (docs/importing-milestones.md).",
  example: "milestones.csv --source forwarder-sheet",
  file: {
    ...{ csv: "text/csv", json: "application/json" },
    ...{ edi: "application/edifact", edifact: "application/edifact", iftsta: "application/edifact" },
  },
  text: "Imported {accepted} milestones; {duplicates} were known, {refused} refused.",
  fails: "{refused?{refused}}",
  problems: {
    ...{ title: "Problems", of: "problems" },
    line: "line {line}{column?, column {column}}: {message}",
  },
};

/** Of the processor. What may be sent takes a second or two; a text that is made to take long stops no node. */
const READ_MS_MAX = 10 * SECOND_MS;

const TOO_LONG = `it takes more than ${READ_MS_MAX / SECOND_MS} seconds to read; send it in several requests`;

/** Problems that the message of a refusal repeats. */
const PROBLEMS_IN_MESSAGE_MAX = 10;

/**
 * `POST /v1/tracking/milestones` (docs/importing-milestones.md): statements of a source without an API, as CSV, JSON or
 * EDIFACT. 202 once what can be read is durable; 400 where nothing can.
 */
export const milestonesRoute: OperatorRoute = (app, context) => {
  const { database, clock, log, onPushed, takesFiles = false } = context;
  const ports = { database, clock, index: createReferenceIndex(context) };
  const [bounds, readMsMax] = takesFiles
    ? [FILE_BOUNDS, Number.POSITIVE_INFINITY]
    : [REQUEST_BOUNDS, READ_MS_MAX];
  const makeDue = async (source: string, references: readonly string[]): Promise<void> => {
    try {
      for (const cell of await makeImportedDue(ports, references)) await notifyWork(database, cell);
    } catch (error) {
      // They are stored, and the next poll of each shipment reads them.
      log.warn({ error, source }, "shipments with imported milestones wait for their next poll");
    }
  };
  void app.register(async (scope: Listener) => {
    const bodyOf = acceptRawBodies(scope, "milestones", FORMATS);
    const schema = { summary: "Import milestones of containers", querystring: ImportQuery, "x-cli": VIEW };
    const options = { bodyLimit: bounds.bytesMax, schema };
    scope.post("/v1/tracking/milestones", options, async (request, reply) => {
      const { source } = request.query;
      const { bytes, format } = bodyOf(request);
      const read = await runInSlicesWithin(readMsMax, readImport(bytes, format, source, bounds), clock);
      if (read === "stopped") {
        onPushed?.(MILESTONES_IMPORTED, { subject: source, isRead: false, problems: [TOO_LONG] });
        return refuse(reply, { code: "INVALID_REQUEST", message: `nothing was imported: ${TOO_LONG}` });
      }
      if (read.kind === "unreadable") {
        onPushed?.(MILESTONES_IMPORTED, { subject: source, isRead: false, problems: read.problems });
        const problems = read.problems.slice(0, PROBLEMS_IN_MESSAGE_MAX).join("; ");
        return refuse(reply, { code: "INVALID_REQUEST", message: `nothing was imported: ${problems}` });
      }
      await ports.index.refresh();
      const { duplicates, references } = await storeImport(ports, read.statements);
      onPushed?.(MILESTONES_IMPORTED, {
        subject: source,
        isRead: read.statements.length > 0,
        problems: read.problems.map(({ message }) => message),
      });
      const due = makeDue(source, references);
      // A command ends with its answer.
      if (takesFiles) await due;
      const { statements, refused, problems } = read;
      return reply.code(202).send({ accepted: statements.length, refused, duplicates, problems });
    });
  });
};
