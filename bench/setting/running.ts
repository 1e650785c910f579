/** A database, accounts, and a service on them. */
import { createAccounts, type Account } from "./accounts.ts";
import type { Bench } from "./bench.ts";
import { startPostgres, type Postgres } from "./postgres.ts";
import { OPERATOR_TOKEN, startService, type Service, type Settings } from "./service.ts";

export type RunningService = {
  readonly postgres: Postgres;
  readonly accounts: readonly Account[];
  readonly service: Service;
  stop(): Promise<void>;
};

/** On a database of its own, with an account for each of the first `endpoints` ports. */
export async function startWithEndpoints(
  bench: Bench,
  endpoints: number,
  settings: Settings = {},
): Promise<RunningService> {
  const postgres = await startPostgres(bench);
  const accounts = await createAccounts(postgres, bench.ports.slice(0, endpoints));
  return startOn(bench, postgres, accounts, settings);
}

/** On a database that is there already. */
export async function startOn(
  bench: Bench,
  postgres: Postgres,
  accounts: readonly Account[],
  settings: Settings = {},
): Promise<RunningService> {
  const service = await startService(bench, postgres.dataFolder, settings);
  const running = runningOn(postgres, accounts, service);
  await aim(bench, running);
  return running;
}

export function runningOn(
  postgres: Postgres,
  accounts: readonly Account[],
  service: Service,
): RunningService {
  return {
    postgres,
    accounts,
    service,
    async stop() {
      await service.stop();
      await postgres.stop();
    },
  };
}

/** What is raised from now on goes to this service. */
export async function aim(bench: Bench, { service, accounts }: RunningService): Promise<void> {
  const accountIds = accounts.map(({ id }) => id);
  await bench.raising.call("aim", { ops: service.ops, token: OPERATOR_TOKEN, accountIds });
}
