import Type from "typebox";

import type { Listener } from "../../../http/listener.ts";
import { isObject, readJsonSteps } from "../../../model/json.ts";
import { runInSlices } from "../../../runtime/time-slices.ts";
import { validationMessage, validatorOf } from "../../../model/validation-error.ts";
import { readInstant } from "../../../model/instant.ts";
import { storeMessages, type PushedMessages, type PushedMessagesPorts } from "../sources/pushed-messages.ts";
import { refuse } from "../../../operator/errors.ts";
import type { OperatorPorts, OperatorRoutes } from "../../../operator/ports.ts";

/** The name of what is pushed. */
export const MESSAGES_PUSHED = "air messages";

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

/** Receives the waybills, eleven digits each, with pushed messages. Must not throw. */
export type OnMessages = (awbs: readonly string[]) => void;

/**
 * `POST /v1/air/messages` (docs/airlines.md): Cargo-IMP and Cargo-XML as airlines push them, also in a provider's JSON
 * or XML, or an e-mail. 202 once it is durable, whether it can be read or not.
 */
export function airMessagesRoute(
  app: Listener,
  { database, clock, random, log, onPushed }: OperatorPorts,
  index: PushedMessagesPorts["index"],
  onMessages: OnMessages,
): void {
  const take = async ({ texts, receivedMs, areMails }: MessagesRequest): Promise<object> => {
    const pushed = await storeMessages({ database, clock, index, random }, texts, receivedMs, areMails);
    const problems = pushed.problems.map(({ part, message }) =>
      part === null ? message : `${part}: ${message}`,
    );
    const isRead = pushed.accepted > 0 || pushed.refused === 0;
    onPushed?.(MESSAGES_PUSHED, { subject: `${texts.length} texts`, isRead, problems });
    if (pushed.refused > 0) log.warn({ refused: pushed.refused }, "messages of an airline could not be read");
    if (pushed.awbs.length > 0) onMessages(pushed.awbs);
    const [failure] = pushed.failures;
    if (failure !== undefined) throw failure;
    return answerOf(pushed);
  };

  void app.register(async (scope: Listener) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser<Buffer>("*", { parseAs: "buffer" }, (request, body, done) =>
      done(
        null,
        body.length === 0 || isText(mediaTypeOf(request.headers["content-type"])) ? body : UNSUPPORTED_TYPE,
      ),
    );
    const options = {
      schema: { summary: "Push messages of air waybills" },
      bodyLimit: MESSAGES_BODY_BYTES_MAX,
    };
    scope.post("/v1/air/messages", options, async (request, reply) => {
      if (request.body === UNSUPPORTED_TYPE) {
        return refuse(reply, { code: "UNSUPPORTED_MEDIA_TYPE", message: HOW_TO_SEND });
      }
      const sent = await readRequest(request.body, mediaTypeOf(request.headers["content-type"]), clock);
      if (typeof sent === "string") return refuse(reply, { code: "INVALID_REQUEST", message: sent });
      return reply.code(202).send(await take(sent));
    });
  });
}

/** In lower case, without parameters. */
function mediaTypeOf(contentType: string | undefined): string {
  return (contentType ?? "").split(";", 1)[0]!.trim().toLowerCase();
}

/** What holds messages is known by its content; the type tells that there is a text at all. */
function isText(mediaType: string): boolean {
  return /^(?:text\/(?:plain|xml|html)|message\/rfc822|application\/(?:edifact|(?:[\w.-]{1,60}\+)?(?:json|xml)))$/.test(
    mediaType,
  );
}

const UNSUPPORTED_TYPE = Symbol("no text");

type MessagesRequest = {
  readonly texts: readonly Buffer[];
  /** Milliseconds since the epoch; null: they have only just come. */
  readonly receivedMs: number | null;
  readonly areMails: boolean;
};

/** What was sent, or what is wrong with the body. */
async function readRequest(
  body: unknown,
  mediaType: string,
  clock: OperatorPorts["clock"],
): Promise<MessagesRequest | string> {
  if (!Buffer.isBuffer(body) || body.length === 0) return HOW_TO_SEND;
  if (mediaType === "application/json") {
    const json = await runInSlices(readJsonSteps(body), clock);
    if (!json.ok) return json.message;
    if (isOwn(json.value)) return readList(json.value);
  }
  return { texts: [body], receivedMs: null, areMails: mediaType === "message/rfc822" };
}

/** Any other JSON is a provider's. */
function isOwn(body: unknown): boolean {
  if (!isObject(body)) return !Array.isArray(body);
  const { messages } = body;
  const isOwnList = !Array.isArray(messages) || !messages.some((one) => isObject(one));
  return isOwnList && Object.keys(body).every((name) => Object.hasOwn(MessagesBody.properties, name));
}

function readList(body: unknown): MessagesRequest | string {
  // Before each is checked.
  const sent = isObject(body) && Array.isArray(body["messages"]) ? body["messages"].length : 0;
  if (sent > MESSAGES_MAX) return `body.messages must have at most ${MESSAGES_MAX} items`;
  const validator = validatorOf(MessagesBody);
  if (!validator.Check(body)) return validationMessage(MessagesBody, validator.Errors(body), "body");
  const { messages, received_at } = body;
  const receivedMs = received_at === undefined ? null : readInstant(received_at);
  const isTime = receivedMs !== null && receivedMs >= 0 && receivedMs < RECEIVED_MS_END;
  if (received_at !== undefined && !isTime) return INVALID_RECEIVED_AT;
  return { texts: messages.map((message) => Buffer.from(message)), receivedMs, areMails: false };
}

/** A later time is a mistake. */
const RECEIVED_MS_END = Date.UTC(2100, 0);
const INVALID_RECEIVED_AT =
  "body.received_at must be an RFC 3339 date-time from 1970 to 2099, such as 2026-01-31T08:00:00Z";
const HOW_TO_SEND =
  "send a message with content-type: text/plain, or several with content-type: application/json, " +
  'as in {"messages": ["FSU/14…"]}; XML and a provider\'s JSON with their own types, an e-mail as message/rfc822';

function answerOf({ accepted, refused, duplicates, problems }: PushedMessages): object {
  return {
    accepted,
    refused,
    duplicates,
    problems: problems.map(({ textIndex, part, line, column, message, isRefused }) => ({
      index: textIndex,
      ...(part === null ? {} : { part }),
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
