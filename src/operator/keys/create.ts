import Type from "typebox";

import type { Listener } from "../../http/listener.ts";
import { boundedText } from "../../http/validation.ts";
import { hashKey, mintKey } from "../../model/api-key.ts";
import { insertKey } from "../../store/accounts/keys.ts";
import { accountIdIn, AccountPath, NO_ACCOUNT } from "../accounts/shape.ts";
import { refuse } from "../errors.ts";
import type { OperatorPorts } from "../ports.ts";
import { keyAnswer } from "./shape.ts";

const LABEL_LENGTH_MAX = 200;

/** `POST /v1/accounts/{id}/keys`. The answer is the only place where the key ever appears. */
export function createKeyRoute(
  app: Listener,
  { database, cells, products, clock, random }: OperatorPorts,
): void {
  const prefixes = [...new Set(products.flatMap((product) => product.keyPrefixes))];
  const body = Type.Object({
    prefix: Type.Enum(prefixes),
    label: Type.Optional(boundedText(LABEL_LENGTH_MAX, { description: "what you call the key" })),
  });

  app.post("/v1/accounts/:id/keys", { schema: { params: AccountPath, body } }, async (request, reply) => {
    const accountId = accountIdIn(request.params);
    if (accountId === null) return refuse(reply, NO_ACCOUNT);
    const { prefix, label = "" } = request.body;
    const nowMs = clock.nowMs();
    const key = mintKey(prefix, random);
    const kept = await insertKey(database, cells[0], {
      id: random.uuid(nowMs),
      accountId,
      prefix,
      label,
      hash: hashKey(key),
      createdAt: new Date(nowMs),
    });
    if (kept === null) return refuse(reply, NO_ACCOUNT);
    return reply.code(201).send({ ...keyAnswer(kept), key });
  });
}
