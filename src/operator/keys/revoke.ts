import Type from "typebox";

import type { Listener } from "../../http/listener.ts";
import { readUuid } from "../../model/uuid.ts";
import { revokeKey } from "../../store/accounts/keys.ts";
import { refuse } from "../errors.ts";
import type { OperatorPorts } from "../ports.ts";
import { keyAnswer } from "./shape.ts";

const params = Type.Object({ id: Type.String() });

/** `DELETE /v1/keys/{id}`. No request with the key is answered from here on. */
export function revokeKeyRoute(app: Listener, { database, cells, clock }: OperatorPorts): void {
  app.delete("/v1/keys/:id", { schema: { params } }, async (request, reply) => {
    const id = readUuid(request.params.id);
    const key = id === null ? null : await revokeKey(database, cells[0], id, new Date(clock.nowMs()));
    if (key === null) return refuse(reply, { code: "NOT_FOUND", message: "there is no key of that id" });
    return keyAnswer(key);
  });
}
