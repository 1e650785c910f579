/** Whether a delivery's signature verifies. The secret stays here: an answer has what a receiver gets, and no more. */
import { timingSafeEqual } from "node:crypto";

import Type from "typebox";

import { signatureOf, signingKey } from "../engine/secret.ts";
import type { Listener } from "../http/listener.ts";
import { resource, type Fields } from "../http/resource.ts";
import { nullable } from "../model/data-types.ts";
import { buildDeliveryBody } from "../model/delivery-body.ts";
import { readUuid } from "../model/uuid.ts";
import { deliveryFind } from "../store/deliveries/deliveries.sql.ts";
import { readSigning } from "../store/search/deliveries.ts";
import { IdPath } from "./endpoints.ts";
import { refuse } from "./errors.ts";
import { findInCells } from "./find-in-cells.ts";
import type { OperatorPorts } from "./ports.ts";
import { goneOrNever } from "./pruned.ts";

const SIGNATURE_LENGTH_MAX = 200;

type Checked = {
  readonly header: string;
  readonly bytes: number;
  readonly signature: string | null;
  readonly problem: string | null;
  readonly received: string | null;
};

const checked = resource("SignatureCheck", {
  header: [Type.String({ description: "that carries it" }), ({ header }) => header],
  algorithm: [Type.String(), () => "HMAC-SHA256 in hexadecimal, behind sha256="],
  signed: [Type.String(), () => "the body, byte for byte"],
  signed_bytes: [Type.Integer(), ({ bytes }) => bytes],
  signature: [
    nullable(Type.String(), { description: "that every attempt carries; null: see problem" }),
    ({ signature }) => signature,
  ],
  problem: [
    nullable(Type.String(), { description: "why the service cannot sign it" }),
    ({ problem }) => problem,
  ],
  received_verifies: [
    nullable(Type.Boolean(), { description: "of the signature in the query; null without one" }),
    ({ received, signature }) =>
      received === null ? null : signature !== null && isSame(received, signature),
  ],
} satisfies Fields<Checked>);

/** `GET /v1/deliveries/{id}/signature` (spec 5.1: header, signed_material) */
export function signatureRoute(app: Listener, ports: OperatorPorts): void {
  const { database, products } = ports;
  const schema = {
    summary: "Check a signature that a receiver got",
    params: IdPath,
    querystring: Type.Object({
      signature: Type.Optional(
        Type.String({ maxLength: SIGNATURE_LENGTH_MAX, description: "that a receiver got, to be checked" }),
      ),
    }),
    response: { 200: checked.schema },
  };
  app.get("/v1/deliveries/:id/signature", { schema }, async (request, reply) => {
    const id = readUuid(request.params.id);
    const read =
      id === null
        ? null
        : await findInCells(ports, async (cell) => {
            const found = await deliveryFind(database, cell, id);
            return found === null
              ? null
              : { product: found.product, signing: await readSigning(database, cell, id) };
          });
    if (id === null || read === null) return refuse(reply, goneOrNever("delivery", id, ports));
    const { product, signing } = read.found;
    const tag = products.find((one) => one.tag === product)?.headerTag ?? product;
    const { signature: received = null } = request.query;
    const header = `X-${tag}-Signature`;
    if (signing === null) {
      const problem = "its endpoint has been removed, and its secret with it";
      return checked.view({ header, bytes: 0, signature: null, problem, received });
    }
    const { type, occurredAt, data } = signing;
    const body = Buffer.from(buildDeliveryBody(id, type, occurredAt.getTime(), data));
    return checked.view({ header, bytes: body.length, received, ...signed(ports, signing, body) });
  });
}

/** The key is opened again, as a node does that loads the endpoint. */
function signed(
  { masterKeys }: OperatorPorts,
  { accountId, endpointId, sealedSecretHash }: NonNullable<Awaited<ReturnType<typeof readSigning>>>,
  body: Buffer,
): Pick<Checked, "signature" | "problem"> {
  if (masterKeys === undefined) return { signature: null, problem: "a command has no master key" };
  try {
    const key = signingKey(sealedSecretHash, { accountId, endpointId }, masterKeys);
    return { signature: signatureOf(body, key), problem: null };
  } catch (cause) {
    return { signature: null, problem: cause instanceof Error ? cause.message : String(cause) };
  }
}

/** As receivers compare, blanks around it aside. */
function isSame(received: string, signature: string): boolean {
  const [one, other] = [Buffer.from(received.trim()), Buffer.from(signature)];
  return one.length === other.length && timingSafeEqual(one, other);
}
