import type { FastifyReply, FastifyRequest } from "fastify";

import type { Limiter } from "../http/limiter.ts";
import { networkOf } from "../http/network.ts";
import { tooMany } from "../http/rate-limit.ts";
import type { Refusal } from "../http/refusal.ts";
import { refuse } from "./errors.ts";
import type { OperatorContext } from "./ports.ts";
import { isSame } from "./token.ts";

/** What a request may carry instead of the operator's token. */
type Secret = {
  /** For the refusal: "the feed's secret". */
  readonly name: string;
  readonly of: (request: FastifyRequest) => string | undefined;
};

/** A hook that requires the operator's token, a session of the console, or the secret where there is one. */
export function operatorOnly(context: OperatorContext, secret?: Secret) {
  const { operatorToken, sessions } = context;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const token = bearerOf(request);
    if (token !== undefined && isSame(token, operatorToken)) return;
    const session = token === undefined ? null : await sessions.stateOf(token);
    if (session === "open") return;
    const other = secret?.of(request);
    if (token !== undefined && other !== undefined && isSame(token, other)) return;
    const orSecret = secret === undefined ? "" : ` or ${secret.name}`;
    if (token !== undefined && session === null) context.tokenWarnings.wrong(request.ip);
    const missing = `send the operator's token${orSecret} as Authorization: Bearer <token>`;
    const wrong = `what you sent is not the operator's token${orSecret}`;
    const over = "the session is over; sign in again";
    await refuseCounted(context.failures, request, reply, {
      code: "UNAUTHORIZED",
      message: token === undefined ? missing : session === "over" ? over : wrong,
      headers: { "www-authenticate": "Bearer" },
    });
  };
}

export function bearerOf({ headers }: FastifyRequest): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
}

/** Refuses, and beyond the limit of the address's refusals with 429: the right token still passes. */
export async function refuseCounted(
  failures: Limiter,
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal,
): Promise<void> {
  const state = failures.take(networkOf(request.ip));
  await refuse(reply, state.allowed ? refusal : tooMany(failures, state, "refused requests of this address"));
}
