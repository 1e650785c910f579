import Type from "typebox";

import {
  createFinder,
  cutFindings,
  explain,
  FINDING,
  FindQuery,
  foundFields,
  inWords,
  readWanted,
  type Finding,
} from "../http/find.ts";
import type { Listener } from "../http/listener.ts";
import { resource, type Fields } from "../http/resource.ts";
import type { CommandView } from "../model/command-view.ts";
import { nullable } from "../model/data-types.ts";
import { accountRead } from "../store/accounts/accounts.sql.ts";
import { FOUND_MAX, findInCell, type Wanted } from "../store/search/find.ts";
import { findAccounts, findKey } from "../store/search/find.sql.ts";
import { AccountName, withAccountNames, type Named } from "./account-names.ts";
import { askCells, UnavailableCells } from "./find-in-cells.ts";
import { newestFirst } from "./page-of-cells.ts";
import type { OperatorPorts } from "./ports.ts";

type Placed = Finding & Named & { readonly accountId: string | null };

const finding = resource("OperatorFinding", {
  ...FINDING,
  account_id: [
    nullable(Type.String(), { description: "whose it is; null: nobody's" }),
    ({ accountId }) => accountId,
  ],
  account_name: [AccountName, ({ accountName }) => accountName],
} satisfies Fields<Placed>);

const VIEW: CommandView = {
  command: "find",
  arguments: ["q"],
  names: { q: "text" },
  about:
    "An id, a reference of the trade, a part of an account's name or of an endpoint's URL, an event type.",
  example: "MSCU1234566",
  rows: "findings",
  columns: { KIND: "kind", ID: "id", "ACCOUNT?": "account_name", WHAT: "title", "HOW?": "about" },
  note: "Looked for {understood}.",
};

/** `GET /v1/find`: of all accounts, in all cells */
export function findRoute(app: Listener, ports: OperatorPorts): void {
  const { database } = ports;
  const finder = createFinder(ports.products);
  const schema = {
    summary: "Find anything",
    querystring: FindQuery,
    response: {
      200: Type.Object({
        ...foundFields,
        findings: Type.Array(finding.schema),
        unavailable_cells: UnavailableCells,
      }),
    },
    "x-cli": VIEW,
  };
  app.get("/v1/find", { schema }, async ({ query }) => {
    const wanted = readWanted(query.q);
    const { answers, unavailable } = await askCells(ports, (cell) =>
      findInCell(database, cell, wanted, { accountId: null, product: null }, ports.products),
    );
    const types = finder.types(wanted).map((one) => ({ ...one, accountId: null, accountName: null }));
    const ofCells = [finder.shipments, finder.endpoints, finder.events, finder.deliveries].map((kind) =>
      answers
        .flatMap<Finding & { readonly accountId: string }>(kind)
        .toSorted(newestFirst)
        .slice(0, FOUND_MAX + 1),
    );
    const named = await Promise.all(ofCells.map((group) => withAccountNames(ports, group)));
    const { findings, hasMore } = cutFindings<Placed>([await readOwners(ports, wanted), types, ...named]);
    const hasTooMany = answers.some((one) => one.hasTooMany);
    return {
      ...explain(
        wanted,
        "an account's name or e-mail address, or of an endpoint's URL or description",
        hasTooMany,
      ),
      has_more: hasMore,
      findings: findings.map(finding.view),
      unavailable_cells: [...unavailable],
    };
  });
}

/** Accounts and keys, which the directory has. */
async function readOwners({ database, cells }: OperatorPorts, wanted: Wanted): Promise<readonly Placed[]> {
  const ofAccount = ({ id, name, email = null, createdAt: at }: Account): Placed => ({
    ...{ kind: "account", id, title: name, about: email, product: null, endpointId: null, at },
    ...{ accountId: id, accountName: name },
  });
  if (wanted.id === null) {
    const accounts = await findAccounts(database, cells[0], { text: wanted.text, limit: FOUND_MAX + 1 });
    return accounts.map(ofAccount);
  }
  const account = await accountRead(database, cells[0], wanted.id);
  if (account !== null) return [ofAccount(account)];
  const key = await findKey(database, cells[0], wanted.id);
  if (key === null) return [];
  const { id, accountId, prefix, label, createdAt: at, revokedAt } = key;
  const owner = await accountRead(database, cells[0], accountId);
  const about = revokedAt === null ? "works" : `revoked ${inWords(revokedAt)}`;
  const title = label === "" ? prefix : `${prefix} (${label})`;
  return [
    {
      ...{ kind: "key", id, title, about, product: null, endpointId: null, at },
      ...{ accountId, accountName: owner?.name ?? null },
    },
  ];
}

type Account = {
  readonly id: string;
  readonly name: string;
  readonly email?: string | null;
  readonly createdAt: Date;
};
