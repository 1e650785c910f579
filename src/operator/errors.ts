import type { FastifyReply } from "fastify";

import type { Refusal } from "../http/refusal.ts";
import { ERRORS } from "../model/errors.ts";

/** Errors of the operator's API: `{error: {code, message}}`. */
export function refuse(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { code, message, headers = {} } = refusal;
  return reply.code(ERRORS[code]).headers(headers).send({ error: { code, message } });
}
