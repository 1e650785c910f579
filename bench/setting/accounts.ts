/** Accounts for the load, each with one endpoint of the ocean product and one key. */
import { mintKey, hashKey } from "../../src/model/api-key.ts";
import { mintSecret, sealSecret } from "../../src/engine/secret.ts";
import { systemRandom } from "../../src/runtime/system-random.ts";
import { SCHEMA_PREFIX } from "../../src/store/cell.ts";
import type { Postgres } from "./postgres.ts";

export const MASTER_KEY = Buffer.alloc(32, 5);

export type Account = { readonly id: string; readonly endpointId: string; readonly key: string };

/** One account a port, in the order of the ports. */
export async function createAccounts({ client }: Postgres, ports: readonly number[]): Promise<Account[]> {
  const random = systemRandom();
  const accounts = ports.map(() => ({
    id: random.uuid(Date.now()),
    endpointId: random.uuid(Date.now()),
    key: mintKey("tracking", random),
  }));
  const ids = accounts.map(({ id }) => id);
  await client.query(
    `insert into ${SCHEMA_PREFIX}.accounts (id, name, cell, created_at)
     select id, 'Bench', 0, now() from unnest($1::uuid[]) as a (id)`,
    [ids],
  );
  await client.query("insert into accounts (id) select * from unnest($1::uuid[])", [ids]);
  await client.query(
    `insert into ${SCHEMA_PREFIX}.api_keys (id, account_id, prefix, hash, created_at)
     select id, account_id, 'tracking', hash, now()
     from unnest($1::uuid[], $2::uuid[], $3::bytea[]) as k (id, account_id, hash)`,
    [accounts.map(() => random.uuid(Date.now())), ids, accounts.map(({ key }) => hashKey(key))],
  );
  await client.query(
    `insert into endpoints (id, account_id, product, url, event_types, description, sealed_secret_hash, active,
       failure_count, created_at)
     select id, account_id, 'tracking', url, '{}', '', sealed, true, 0, now()
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bytea[]) as e (id, account_id, url, sealed)`,
    [
      accounts.map(({ endpointId }) => endpointId),
      ids,
      ports.map((port, endpoint) => `https://127.0.0.1:${port}/${endpoint}`),
      accounts.map(({ id, endpointId }) =>
        sealSecret(mintSecret(random), { accountId: id, endpointId }, [MASTER_KEY], random),
      ),
    ],
  );
  return accounts;
}
