import type { FastifyReply } from "fastify";

import type { Refusal } from "../http/refusal.ts";
import { ERRORS } from "../model/errors.ts";

/** Errors of the operator's API: `{error: {code, message}}`, and what else is known. */
export function refuse(reply: FastifyReply, refusal: Refusal, more: object = {}): FastifyReply {
  const { code, message, headers = {} } = refusal;
  return reply
    .code(ERRORS[code])
    .headers(headers)
    .send({ error: { code, message }, ...more });
}

/** Of a table that is wrong, or cannot be read. */
export function refuseLoad(reply: FastifyReply, why: string, more: object = {}): FastifyReply {
  return refuse(reply, { code: "INVALID_REQUEST", message: `nothing was loaded: ${why}` }, more);
}
