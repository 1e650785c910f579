import { randomBytes } from "node:crypto";

import { mintSecret, sealSecret } from "../../src/engine/secret.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { accountRead } from "../../src/store/accounts/accounts.sql.ts";
import type { Cell } from "../../src/store/cell.ts";
import { insertEndpoint } from "../../src/store/endpoints/endpoints.ts";
import type { Shell } from "./shell.ts";

const random = systemRandom();

/** An endpoint of an account, with its secret sealed under `masterKey`. */
export async function addEndpoint(
  { test: { database, cells } }: Shell,
  accountId: string,
  masterKey: Buffer = randomBytes(32),
  product = "air",
): Promise<{ readonly id: string; readonly cell: Cell; readonly secret: string }> {
  const account = await accountRead(database, cells[0]!, accountId);
  const cell = cells[account!.cell]!;
  const nowMs = Date.now();
  const id = random.uuid(nowMs);
  const secret = mintSecret(random);
  await insertEndpoint(
    database,
    cell,
    {
      id,
      accountId,
      product,
      url: `https://receiver.test/${product}`,
      eventTypes: [],
      description: "",
      createdAt: new Date(nowMs),
      sealedSecretHash: sealSecret(secret, { accountId, endpointId: id }, [masterKey], random),
    },
    100,
  );
  return { id, cell, secret };
}
