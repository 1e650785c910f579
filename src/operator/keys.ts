import Type from "typebox";

import type { Listener } from "../http/listener.ts";
import { NextCursor, pageOf, PageQuery } from "../http/page.ts";
import { resource, type Fields } from "../http/resource.ts";
import { boundedText } from "../http/validation.ts";
import type { ApiKey } from "../model/account.ts";
import { hashKey, mintKey } from "../model/api-key.ts";
import { nullable, UtcDateTime } from "../model/data-types.ts";
import { readUuid } from "../model/uuid.ts";
import { insertKey, revokeKey } from "../store/accounts/keys.ts";
import { keyList } from "../store/accounts/keys.sql.ts";
import { AccountPath, NO_ACCOUNT, readAccount } from "./accounts.ts";
import { refuse } from "./errors.ts";
import type { OperatorPorts } from "./ports.ts";

const LABEL_LENGTH_MAX = 200;

const Id = Type.String({ format: "uuid" });

const KEY = {
  id: [Id, ({ id }) => id],
  account_id: [Id, ({ accountId }) => accountId],
  prefix: [Type.String(), ({ prefix }) => prefix],
  label: [Type.String({ description: "empty without one" }), ({ label }) => label],
  created_at: [UtcDateTime, ({ createdAt }) => createdAt.toISOString()],
  revoked_at: [nullable(UtcDateTime), ({ revokedAt }): string | null => revokedAt?.toISOString() ?? null],
} satisfies Fields<ApiKey>;

/** A key as the operator sees it. Only the answer that creates it holds the key itself. */
const keptKey = resource("Key", KEY);

const createdKey = resource("CreatedKey", {
  ...KEY,
  key: [Type.String({ description: "appears here and never again" }), ({ key }) => key],
} satisfies Fields<ApiKey & { readonly key: string }>);

const keyAnswer = keptKey.view;

const columns = {
  ID: "id",
  PREFIX: "{prefix}_",
  LABEL: "label",
  CREATED: "created_at",
  REVOKED: "revoked_at",
};

/** `POST /v1/accounts/{id}/keys` (spec 5: rotation) */
export function createKeyRoute(
  app: Listener,
  { database, cells, products, clock, random }: OperatorPorts,
): void {
  const prefixes = [...new Set(products.flatMap((product) => product.keyPrefixes))];
  const body = Type.Object({
    prefix: Type.Enum(prefixes),
    label: Type.Optional(boundedText(LABEL_LENGTH_MAX, { description: "what you call the key" })),
  });

  const view = {
    command: "keys create",
    about: "Boathook does not keep the key and shows it only once.",
    example: "01a1fc98-3684-702d-8add-9c7eb13bfa2f --prefix tracking --label production",
    text: "{key}",
    note: "Key {id}: keep it, it is not shown again.",
  };
  const schema = {
    summary: "Mint an API key",
    params: AccountPath,
    body,
    response: { 201: createdKey.schema },
    "x-cli": view,
  };
  app.post("/v1/accounts/:id/keys", { schema }, async (request, reply) => {
    const accountId = readUuid(request.params.id);
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
    return reply.code(201).send(createdKey.view({ ...kept, key }));
  });
}

/** `GET /v1/accounts/{id}/keys`, newest first */
export function listKeysRoute(app: Listener, { database, cells }: OperatorPorts): void {
  const schema = {
    summary: "List an account's keys",
    params: AccountPath,
    querystring: PageQuery,
    response: {
      200: Type.Object(
        { keys: Type.Array(keptKey.schema), next_cursor: NextCursor },
        { description: "newest first" },
      ),
    },
    "x-cli": {
      command: "keys list",
      about: "Newest first, with the revoked ones. The keys themselves are not shown.",
      rows: "keys",
      limit: 1000,
      columns,
    },
  };
  app.get("/v1/accounts/:id/keys", { schema }, async (request, reply) => {
    const account = await readAccount({ database, cells }, request.params.id);
    if (account === null) return refuse(reply, NO_ACCOUNT);
    const { items, ...next } = await pageOf(request.query, (page) =>
      keyList(database, cells[0], { accountId: account.id, ...page }),
    );
    return { keys: items.map(keyAnswer), ...next };
  });
}

/**
 * `DELETE /v1/keys/{id}` (spec 5: rotation). From now on this node refuses every request with the key, and each other
 * node within a second.
 */
export function revokeKeyRoute(app: Listener, { database, cells, clock, catchUp }: OperatorPorts): void {
  const view = {
    command: "keys revoke",
    about: "From now on Boathook refuses every request with it.",
    columns,
  };
  const params = Type.Object({ id: Type.String() });
  const schema = { summary: "Revoke a key", params, response: { 200: keptKey.schema }, "x-cli": view };

  app.delete("/v1/keys/:id", { schema }, async (request, reply) => {
    const id = readUuid(request.params.id);
    const key = id === null ? null : await revokeKey(database, cells[0], id, new Date(clock.nowMs()));
    if (key === null) return refuse(reply, { code: "NOT_FOUND", message: "there is no key of that id" });
    await catchUp?.();
    return keyAnswer(key);
  });
}
