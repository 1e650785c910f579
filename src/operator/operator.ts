import { createHash, timingSafeEqual } from "node:crypto";

import type { FastifyReply, FastifyRequest } from "fastify";

import { refuse } from "./errors.ts";

/** What a request may carry instead of the operator's token. */
type Secret = {
  /** For the refusal: "the feed's secret". */
  readonly name: string;
  readonly of: (request: FastifyRequest) => string | undefined;
};

/** A hook that requires the operator's token, or the secret where there is one. */
export function operatorOnly(operatorToken: string, secret?: Secret) {
  const expected = digest(operatorToken);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
    // Digests have one length, so that the comparison does not reveal the token's.
    if (token !== undefined && timingSafeEqual(digest(token), expected)) return;
    const other = secret?.of(request);
    if (token !== undefined && other !== undefined && timingSafeEqual(digest(token), digest(other))) return;
    const orSecret = secret === undefined ? "" : ` or ${secret.name}`;
    await refuse(reply, {
      code: "UNAUTHORIZED",
      message: `send the operator's token${orSecret} as Authorization: Bearer <token>`,
      headers: { "www-authenticate": "Bearer" },
    });
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
