import Type from "typebox";

import type { Listener } from "../../http/listener.ts";
import { boundedText } from "../../http/validation.ts";
import { refuseCounted } from "../operator.ts";
import type { OperatorContext } from "../ports.ts";
import { isSame } from "../token.ts";
import { isOwnPage } from "./session.ts";

const TOKEN_LENGTH_MAX = 4_096;

/** `POST /v1/session`: signs a browser in with the operator's token, which it need not keep. */
export function signInRoute(app: Listener, context: OperatorContext): void {
  const { operatorToken, sessions, failures, tokenWarnings } = context;
  const body = Type.Object({ token: boundedText(TOKEN_LENGTH_MAX, { description: "the operator's token" }) });

  app.post("/v1/session", { schema: { body, security: [] } }, async (request, reply) => {
    const isWrong = !isSame(request.body.token.trim(), operatorToken);
    if (isWrong) tokenWarnings.wrong(request.ip);
    if (!isWrong && isOwnPage(request))
      return reply.code(204).header("set-cookie", sessions.open(request)).send();
    await refuseCounted(failures, request, reply, {
      code: "UNAUTHORIZED",
      message: isWrong ? "that is not the operator's token" : "sign in on the console's own page",
    });
    return reply;
  });
}

/** `DELETE /v1/session`: signs the browser out. */
export function signOutRoute(app: Listener, { sessions }: OperatorContext): void {
  app.delete("/v1/session", async (request, reply) =>
    reply.code(204).header("set-cookie", sessions.end(request)).send(),
  );
}
