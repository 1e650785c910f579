import Type from "typebox";

import type { Listener } from "../../../http/listener.ts";
import { refuse } from "../../../operator/errors.ts";
import type { OperatorPorts } from "../../../operator/ports.ts";
import { acceptRawBodies } from "../../../operator/raw-body.ts";
import { SECOND_MS } from "../../../runtime/durations.ts";
import { runInSlicesWithin } from "../../../runtime/time-slices.ts";
import type { Cell } from "../../../store/cell.ts";
import { makeImportedDue, storeImport, type ImportPorts } from "../sources/imported/import-milestones.ts";
import { readImport, REQUEST_BOUNDS, type ImportFormat } from "../sources/imported/read-import.ts";
import { SOURCE_FORM, SOURCE_PATTERN } from "../sources/imported/source-name.ts";

/** The name of what is pushed. */
export const MILESTONES_IMPORTED = "imported milestones";

const ImportQuery = Type.Object({ source: Type.String({ pattern: SOURCE_PATTERN, form: SOURCE_FORM }) });

const FORMATS: Readonly<Record<string, ImportFormat>> = {
  "text/csv": "csv",
  "application/json": "json",
  "application/edifact": "edi",
};

const CONTENT_TYPES = Object.keys(FORMATS);

const CONTENT_TYPE_HINT = `send milestones with content-type: ${CONTENT_TYPES.join(", ")}`;

/** Of the processor. What may be sent takes a second or two; a text that is made to take long stops no node. */
const READ_MS_MAX = 10 * SECOND_MS;

const TOO_LONG = `it takes more than ${READ_MS_MAX / SECOND_MS} seconds to read; send it in several requests`;

/** Problems that the message of a refusal repeats. */
const PROBLEMS_IN_MESSAGE_MAX = 10;

/** `wake`: a cell has shipments that are due. */
export type MilestonePorts = Pick<ImportPorts, "index"> & { readonly wake: (cell: Cell) => void };

/**
 * `POST /v1/tracking/milestones` (docs/importing-milestones.md): statements of a source without an API, as CSV, JSON or
 * EDIFACT. 202 once what can be read is durable; 400 where nothing can.
 */
export function milestonesRoute(
  app: Listener,
  { database, clock, log, onPushed }: OperatorPorts,
  { index, wake }: MilestonePorts,
): void {
  const ports = { database, clock, index };
  void app.register(async (scope: Listener) => {
    acceptRawBodies(scope, CONTENT_TYPES);
    scope.setErrorHandler<Error & { readonly code?: string }>((error, _request, reply) => {
      if (error.code !== "FST_ERR_CTP_INVALID_MEDIA_TYPE") throw error;
      return refuse(reply, { code: "UNSUPPORTED_MEDIA_TYPE", message: CONTENT_TYPE_HINT });
    });
    const options = {
      bodyLimit: REQUEST_BOUNDS.bytesMax,
      schema: { summary: "Import milestones of containers", querystring: ImportQuery },
    };
    scope.post("/v1/tracking/milestones", options, async (request, reply) => {
      const { source } = request.query;
      const [type = ""] = (request.headers["content-type"] ?? "").split(";", 1);
      const format = FORMATS[type.trim().toLowerCase()];
      if (format === undefined || !Buffer.isBuffer(request.body))
        return refuse(reply, { code: "UNSUPPORTED_MEDIA_TYPE", message: CONTENT_TYPE_HINT });
      const read = await runInSlicesWithin(READ_MS_MAX, readImport(request.body, format, source), clock);
      if (read === "stopped") {
        onPushed?.(MILESTONES_IMPORTED, { subject: source, isRead: false, problems: [TOO_LONG] });
        return refuse(reply, { code: "INVALID_REQUEST", message: `nothing was imported: ${TOO_LONG}` });
      }
      if (read.kind === "unreadable") {
        onPushed?.(MILESTONES_IMPORTED, { subject: source, isRead: false, problems: read.problems });
        const problems = read.problems.slice(0, PROBLEMS_IN_MESSAGE_MAX).join("; ");
        return refuse(reply, { code: "INVALID_REQUEST", message: `nothing was imported: ${problems}` });
      }
      const { duplicates, references } = await storeImport(ports, read.statements);
      onPushed?.(MILESTONES_IMPORTED, {
        subject: source,
        isRead: read.statements.length > 0,
        problems: read.problems.map(({ message }) => message),
      });
      makeImportedDue(ports, references).then(
        (cells) => cells.forEach(wake),
        (error: unknown) => {
          // They are stored, and the next poll of each shipment reads them.
          log.warn({ error, source }, "shipments with imported milestones wait for their next poll");
        },
      );
      const { statements, refused, problems } = read;
      return reply.code(202).send({ accepted: statements.length, refused, duplicates, problems });
    });
  });
}
