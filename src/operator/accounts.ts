import Type from "typebox";

import type { Listener } from "../http/listener.ts";
import { NextCursor, pageOf, PageQuery } from "../http/page.ts";
import type { Refusal } from "../http/refusal.ts";
import { resource, type Fields } from "../http/resource.ts";
import { boundedText } from "../http/validation.ts";
import type { Account } from "../model/account.ts";
import type { CommandView } from "../model/command-view.ts";
import { nullable, UtcDateTime } from "../model/data-types.ts";
import type { Product } from "../model/product.ts";
import { readUuid } from "../model/uuid.ts";
import { chooseCell, insertAccount, listAccounts, updateAccount } from "../store/accounts/accounts.ts";
import { accountRead } from "../store/accounts/accounts.sql.ts";
import { cellNumbered } from "../store/cell.ts";
import { refuse } from "./errors.ts";
import type { OperatorPorts } from "./ports.ts";

const NAME_LENGTH_MAX = 200;

const Name = boundedText(NAME_LENGTH_MAX, { minLength: 1, description: "what you call the account" });
const Email = Type.String({
  format: "email",
  maxLength: 254,
  description: "where the service writes when failures have switched off an endpoint",
});
const Entitlements = Type.Array(Type.String(), { description: "what the account may write to" });

export const AccountPath = Type.Object({ id: Type.String() });

/** Of a query. */
export const OfAccount = Type.String({ description: "whose: the id of an account" });

/** Of the query of a list over all accounts. */
export const ofAnAccount = Type.Optional(
  Type.String({ format: "uuid", description: "whose; without it, of all accounts" }),
);

export const NO_ACCOUNT: Refusal = { code: "NOT_FOUND", message: "there is no account of that id" };

type AccountPorts = Pick<OperatorPorts, "database" | "cells">;

/** Null: there is no such account. */
export async function readAccount({ database, cells }: AccountPorts, typed: string) {
  const id = readUuid(typed);
  return id === null ? null : await accountRead(database, cells[0], id);
}

/** Null: there is no such account. */
export async function homeOf(ports: AccountPorts, typed: string) {
  const account = await readAccount(ports, typed);
  return account === null ? null : { accountId: account.id, cell: cellNumbered(ports.cells, account.cell) };
}

/** An account as the operator sees it. */
const operatorAccount = resource("Account", {
  id: [Type.String({ format: "uuid" }), ({ id }) => id],
  name: [Type.String(), ({ name }) => name],
  email: [nullable(Email), ({ email = null }) => email],
  entitlements: [Entitlements, ({ entitlements }) => entitlements],
  demurrage_alerting: [Type.Boolean(), ({ demurrageAlerting }) => demurrageAlerting],
  created_at: [UtcDateTime, ({ createdAt }) => createdAt.toISOString()],
} satisfies Fields<Account>);

const accountAnswer = operatorAccount.view;

const columns = {
  ID: "id",
  NAME: "name",
  "EMAIL?": "email",
  ENTITLEMENTS: "entitlements",
  DEMURRAGE: "{demurrage_alerting?on|off}",
  CREATED: "created_at",
};

const CREATE: CommandView = {
  command: "accounts create",
  arguments: ["name"],
  example: "'Acme Forwarding' --entitlements aircargo,loading",
  columns,
  mayCreate: true,
};

/** `POST /v1/accounts` */
export function createAccountRoute(app: Listener, ports: OperatorPorts): void {
  const { database, cells, products, clock, random } = ports;
  const body = Type.Object({
    name: Name,
    email: Type.Optional(Email),
    entitlements: Type.Optional(Entitlements),
  });

  app.post(
    "/v1/accounts",
    {
      schema: {
        summary: "Make an account",
        body,
        response: { 201: operatorAccount.schema },
        "x-cli": CREATE,
      },
    },
    async (request, reply) => {
      const { name, email = null, entitlements = [] } = request.body;
      const problem = entitlementsProblem(products, entitlements);
      if (problem !== null) return refuse(reply, { code: "INVALID_REQUEST", message: problem });
      const nowMs = clock.nowMs();
      const id = random.uuid(nowMs);
      const cell = await chooseCell(database, cells);
      const account = {
        id,
        name,
        email,
        entitlements: [...new Set(entitlements)],
        demurrageAlerting: false,
        cell: cell.number,
        createdAt: new Date(nowMs),
      };
      await insertAccount(database, cell, account);
      return reply.code(201).send(accountAnswer(account));
    },
  );
}

/** `GET /v1/accounts`, newest first */
export function listAccountsRoute(app: Listener, { database, cells }: OperatorPorts): void {
  const schema = {
    summary: "List accounts",
    querystring: PageQuery,
    response: {
      200: Type.Object({ accounts: Type.Array(operatorAccount.schema), next_cursor: NextCursor }),
    },
    "x-cli": { command: "accounts list", rows: "accounts", columns },
  };
  app.get("/v1/accounts", { schema }, async ({ query }) => {
    const { items, ...next } = await pageOf(query, (page) => listAccounts(database, cells[0], page));
    return { accounts: items.map(accountAnswer), ...next };
  });
}

/** `GET /v1/accounts/{id}` */
export function readAccountRoute(app: Listener, ports: OperatorPorts): void {
  const view = { command: "accounts show", columns };
  const schema = {
    summary: "Read an account",
    params: AccountPath,
    response: { 200: operatorAccount.schema },
    "x-cli": view,
  };
  app.get("/v1/accounts/:id", { schema }, async (request, reply) => {
    const account = await readAccount(ports, request.params.id);
    return account === null ? refuse(reply, NO_ACCOUNT) : accountAnswer(account);
  });
}

const UPDATE: CommandView = {
  command: "accounts update",
  about: "Only what you give changes.",
  example: "01a1fc98-3684-702d-8add-9c7eb13bfa2f --entitlements aircargo",
  columns,
};

/** `PATCH /v1/accounts/{id}` */
export function changeAccountRoute(app: Listener, ports: OperatorPorts): void {
  const { database, cells, products, clock, wakeForwarder, catchUp } = ports;
  const body = Type.Object({
    name: Type.Optional(Name),
    email: Type.Optional(nullable(Email, { description: "null: none from now on" })),
    entitlements: Type.Optional(Entitlements),
    demurrage_alerting: Type.Optional(
      Type.Boolean({ description: "whether demurrage events are raised for it" }),
    ),
  });

  const schema = {
    summary: "Change an account",
    params: AccountPath,
    body,
    response: { 200: operatorAccount.schema },
    "x-cli": UPDATE,
  };
  app.patch("/v1/accounts/:id", { schema }, async (request, reply) => {
    const { name, email, entitlements, demurrage_alerting: demurrageAlerting } = request.body;
    const problem = entitlementsProblem(products, entitlements ?? []);
    if (problem !== null) return refuse(reply, { code: "INVALID_REQUEST", message: problem });
    const id = readUuid(request.params.id);
    const change = {
      name,
      email,
      entitlements: entitlements && [...new Set(entitlements)],
      demurrageAlerting,
    };
    const account = id === null ? null : await updateAccount(database, cells, id, change, clock.nowMs());
    if (account === null) return refuse(reply, NO_ACCOUNT);
    wakeForwarder?.();
    await catchUp?.();
    return accountAnswer(account);
  });
}

function entitlementsProblem(products: readonly Product[], names: readonly string[]): string | null {
  const known = products.flatMap(({ entitlement, furtherEntitlements = [] }) => [
    ...(entitlement === null ? [] : [entitlement]),
    ...furtherEntitlements,
  ]);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return null;
  return `there is no entitlement ${unknown.join(", ")}; there are ${known.join(", ")}`;
}
