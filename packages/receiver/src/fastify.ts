import type { AdapterContext } from "./adapter.ts";
import type { Answer } from "./answer.ts";
import type { HeaderRecord } from "./headers.ts";

/**
 * The adapter for Fastify: `app.register(receiver.fastify, { prefix: "/webhooks" })`. The plugin has
 * a scope of its own: bodies stay raw inside it, and the application's parsers work outside it.
 */
export type FastifyPlugin = (scope: FastifyScope, options: object) => Promise<void>;

/** The part of `FastifyInstance` used here, so these types do not need Fastify's. */
export type FastifyScope = {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    type: string,
    options: { parseAs: "buffer"; bodyLimit: number },
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- Fastify's overloads differ by version
    parser: (request: any, body: any, done: (error: Error | null, body?: unknown) => void) => void,
  ): unknown;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the same
  all(path: string, handler: (request: any, reply: any) => Promise<unknown>): unknown;
};

type FastifyRequest = { readonly method: string; readonly headers: HeaderRecord; readonly body: unknown };
type FastifyReply = {
  code(status: number): FastifyReply;
  headers(headers: Answer["headers"]): FastifyReply;
  send(text: string): FastifyReply;
};

export function fastifyPlugin(context: AdapterContext): FastifyPlugin {
  return async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      "*",
      { parseAs: "buffer", bodyLimit: context.bodyBytesMax },
      (_request, body, done) => done(null, body),
    );
    scope.all("/", async (request: FastifyRequest, reply: FastifyReply) => {
      const body = ArrayBuffer.isView(request.body) ? (request.body as Uint8Array) : new Uint8Array();
      const answer = await context.receive(request.method, request.headers, body);
      return reply.code(answer.status).headers(answer.headers).send(answer.text);
    });
  };
}
