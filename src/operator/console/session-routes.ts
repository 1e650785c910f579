import Type, { type Static } from "typebox";

import type { Listener } from "../../http/listener.ts";
import { boundedText } from "../../http/validation.ts";
import { SECOND_MS } from "../../runtime/durations.ts";
import { bearerOf, refuseCounted } from "../operator.ts";
import type { OperatorContext } from "../ports.ts";
import { isSame } from "../token.ts";
import { SESSION_MS_MAX } from "./session.ts";

const TOKEN_LENGTH_MAX = 4_096;

const Opened = Type.Object({
  token: Type.String({ description: "send it as Authorization: Bearer <token>" }),
  expires_in_seconds: Type.Integer(),
});

/** `POST /v1/session`: signs a browser in with the operator's token, which it need not keep. */
export function signInRoute(app: Listener, context: OperatorContext): void {
  const { operatorToken, sessions, failures, tokenWarnings } = context;
  const body = Type.Object({ token: boundedText(TOKEN_LENGTH_MAX, { description: "the operator's token" }) });
  const schema = { summary: "Sign the console in", body, security: [], response: { 200: Opened } };

  app.post("/v1/session", { schema }, async (request, reply) => {
    if (isSame(request.body.token.trim(), operatorToken)) {
      const expiresInSeconds = SESSION_MS_MAX / SECOND_MS;
      return { token: sessions.open(), expires_in_seconds: expiresInSeconds } satisfies Static<typeof Opened>;
    }
    tokenWarnings.wrong(request.ip);
    const message = "that is not the operator's token";
    await refuseCounted(failures, request, reply, { code: "UNAUTHORIZED", message });
    return reply;
  });
}

/** `DELETE /v1/session`: signs out the session whose token the request carries. */
export function signOutRoute(app: Listener, { sessions }: OperatorContext): void {
  const schema = { summary: "Sign the console out", response: { 204: Type.Null({ description: "Done" }) } };
  app.delete("/v1/session", { schema }, async (request, reply) => {
    await sessions.end(bearerOf(request) ?? "");
    return reply.code(204).send(null);
  });
}
