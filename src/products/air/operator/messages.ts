import Type from "typebox";
import { Compile } from "typebox/compile";

import type { Listener } from "../../../http/listener.ts";
import { validationMessage } from "../../../model/validation-error.ts";
import { readInstant } from "../../../model/instant.ts";
import { storeMessages, type PushedMessages, type PushedMessagesPorts } from "../sources/pushed-messages.ts";
import { refuse } from "../../../operator/errors.ts";
import type { OperatorPorts, OperatorRoutes } from "../../../operator/ports.ts";

/** The largest request, in bytes. */
const MESSAGES_BODY_BYTES_MAX = 4 * 1024 * 1024;
const MESSAGES_MAX = 1_000;

const MessagesBody = Type.Object(
  {
    messages: Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: MESSAGES_MAX }),
    received_at: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);

const MESSAGES = Compile(MessagesBody);

/** Receives the waybills, eleven digits each, with pushed messages. Must not throw. */
export type OnMessages = (awbs: readonly string[]) => void;

/**
 * `POST /v1/air/messages` (docs/airlines.md): Cargo-IMP as airlines push it, as text or as JSON. 202 once
 * it is durable, whether it can be read or not.
 */
export function airMessagesRoute(
  app: Listener,
  { database, clock, random, log }: OperatorPorts,
  index: PushedMessagesPorts["index"],
  onMessages: OnMessages,
): void {
  const take = async ({ texts, receivedMs }: MessagesRequest): Promise<object> => {
    const pushed = await storeMessages({ database, clock, index, random }, texts, receivedMs);
    if (pushed.refused > 0) log.warn({ refused: pushed.refused }, "messages of an airline could not be read");
    if (pushed.awbs.length > 0) onMessages(pushed.awbs);
    const [failure] = pushed.failures;
    if (failure !== undefined) throw failure;
    return answerOf(pushed);
  };

  void app.register(async (scope: Listener) => {
    scope.removeContentTypeParser("*");
    scope.addContentTypeParser<Buffer>("text/plain", { parseAs: "buffer" }, (_request, body, done) =>
      done(null, body),
    );
    scope.addContentTypeParser<Buffer>("*", { parseAs: "buffer" }, (_request, body, done) =>
      done(null, body.length === 0 ? undefined : UNSUPPORTED_TYPE),
    );
    const options = { bodyLimit: MESSAGES_BODY_BYTES_MAX };
    scope.post("/v1/air/messages", options, async (request, reply) => {
      if (request.body === UNSUPPORTED_TYPE) {
        return refuse(reply, { code: "UNSUPPORTED_MEDIA_TYPE", message: HOW_TO_SEND });
      }
      const sent = readRequest(request.body);
      if (typeof sent === "string") return refuse(reply, { code: "INVALID_REQUEST", message: sent });
      return reply.code(202).send(await take(sent));
    });
  });
}

const UNSUPPORTED_TYPE = Symbol("neither text/plain nor JSON");

type MessagesRequest = {
  readonly texts: readonly Buffer[];
  /** Milliseconds since the epoch; null: they have only just come. */
  readonly receivedMs: number | null;
};

/** What was sent, or what is wrong with the body. */
function readRequest(body: unknown): MessagesRequest | string {
  if (Buffer.isBuffer(body)) return body.length === 0 ? HOW_TO_SEND : { texts: [body], receivedMs: null };
  if (body === undefined) return HOW_TO_SEND;
  if (!MESSAGES.Check(body)) return validationMessage(MessagesBody, MESSAGES.Errors(body), "body");
  const { messages, received_at } = body;
  const receivedMs = received_at === undefined ? null : readInstant(received_at);
  const isTime = receivedMs !== null && receivedMs >= 0 && receivedMs < RECEIVED_MS_END;
  if (received_at !== undefined && !isTime) return INVALID_RECEIVED_AT;
  return { texts: messages.map((message) => Buffer.from(message)), receivedMs };
}

/** A later time is a mistake. */
const RECEIVED_MS_END = Date.UTC(2100, 0);
const INVALID_RECEIVED_AT =
  "body.received_at must be an RFC 3339 date-time from 1970 to 2099, such as 2026-01-31T08:00:00Z";
const HOW_TO_SEND =
  "send a message with content-type: text/plain, or several with content-type: application/json, " +
  'as in {"messages": ["FSU/14…"]}';

function answerOf({ accepted, refused, duplicates, problems }: PushedMessages): object {
  return {
    accepted,
    refused,
    duplicates,
    problems: problems.map(({ textIndex, line, column, message, isRefused }) => ({
      index: textIndex,
      line,
      column,
      refused: isRefused,
      message,
    })),
  };
}

export function airOperatorRoutes(
  index: PushedMessagesPorts["index"],
  onMessages: OnMessages,
): OperatorRoutes {
  return { guarded: [(app, ports) => airMessagesRoute(app, ports, index, onMessages)] };
}
