import type { Listener } from "../http/listener.ts";
import { refuse } from "./errors.ts";

export type RawBody<Format> = { readonly format: Format; readonly bytes: Buffer };

/**
 * Has the routes of a scope take bodies of these media types as they came, to be read line by line or digit by digit,
 * and nothing else. Returns what reads one of a request. `what` is sent.
 */
export function acceptRawBodies<const Format extends string>(
  scope: Listener,
  what: string,
  formats: Readonly<Record<string, Format>>,
): (request: { readonly body: unknown }) => RawBody<Format> {
  for (const [type, format] of Object.entries(formats)) {
    if (scope.hasContentTypeParser(type)) scope.removeContentTypeParser(type);
    scope.addContentTypeParser<Buffer>(type, { parseAs: "buffer" }, (_request, bytes, done) =>
      done(null, { format, bytes }),
    );
  }
  const types = Object.keys(formats)
    .join(", ")
    .replace(/, ([^,]*)$/, " or $1");
  const refusal = {
    code: "UNSUPPORTED_MEDIA_TYPE",
    message: `send ${what} with content-type: ${types}`,
  } as const;
  scope.setErrorHandler<Error & { readonly code?: string }>((error, _request, reply) => {
    if (error.code !== "FST_ERR_CTP_INVALID_MEDIA_TYPE") throw error;
    return refuse(reply, refusal);
  });
  scope.addHook("preHandler", async ({ body }, reply) =>
    body === undefined || body === null ? refuse(reply, refusal) : undefined,
  );
  return ({ body }) => body as RawBody<Format>;
}
