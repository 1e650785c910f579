import { createHash, timingSafeEqual } from "node:crypto";

import type { FastifyReply, FastifyRequest } from "fastify";

import { refuse } from "./answers.ts";

/**
 * A hook that lets nobody pass but who carries the operator's token, or the secret that a request may be made with
 * besides, if there is one.
 */
export function operatorOnly(
  operatorToken: string,
  secretFor: (request: FastifyRequest) => string | undefined = () => undefined,
) {
  const expected = digest(operatorToken);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
    // Digests have one length, so that comparing tells nothing of the token's.
    if (token !== undefined && timingSafeEqual(digest(token), expected)) return;
    const secret = secretFor(request);
    if (token !== undefined && secret !== undefined && timingSafeEqual(digest(token), digest(secret))) return;
    await refuse(reply, {
      code: "UNAUTHORIZED",
      message: "send the operator's token as Authorization: Bearer <token>",
      headers: { "www-authenticate": "Bearer" },
    });
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
