import type { Listener } from "../http/listener.ts";
import { compileAllButBody } from "../http/validation.ts";
import { parseLosslessSteps } from "../model/json.ts";
import { createOperatorDataCheck } from "../model/event-check.ts";
import { createReferenceReader } from "../model/references.ts";
import { runInSlices } from "../runtime/time-slices.ts";
import { refuse } from "./errors.ts";
import type { OperatorPorts } from "./ports.ts";
import { RAISED_EVENTS, readEvents } from "./read-events.ts";

/** The largest request, in bytes: a thousand events of 16 KiB, or fewer that are larger. */
const EVENTS_BODY_BYTES_MAX = 16 * 1024 * 1024;

/** `POST /v1/events`: 202 once all of the events are durable, or none of them is. */
export function raiseRoute(app: Listener, { engine, products, clock }: OperatorPorts): void {
  const reading = {
    checkData: createOperatorDataCheck(products),
    referencesOf: createReferenceReader(products),
  };

  app.post(
    "/v1/events",
    {
      bodyLimit: EVENTS_BODY_BYTES_MAX,
      schema: { summary: "Raise events", body: RAISED_EVENTS },
      validatorCompiler: compileAllButBody,
    },
    async (request, reply) => {
      const { body, roundedFrom } = request;
      const written = roundedFrom === null ? body : await runInSlices(parseLosslessSteps(roundedFrom), clock);
      const events = await runInSlices(readEvents(body, written, clock.nowMs(), reading), clock);
      if (typeof events === "string") return refuse(reply, { code: "INVALID_REQUEST", message: events });
      const raised = await engine.raise(events);
      if (raised.kind === "unknown_account") {
        return refuse(reply, { code: "INVALID_REQUEST", message: `there is no account ${raised.accountId}` });
      }
      const { accepted, duplicates, deliveries } = raised;
      return reply.code(202).send({ accepted, duplicates, deliveries });
    },
  );
}
