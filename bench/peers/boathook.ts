/** Boathook with its defaults: one process and the PostgreSQL that it embeds. */
import { createAccounts } from "../setting/accounts.ts";
import { EVENT_TYPE } from "../setting/events.ts";
import { startPostgres } from "../setting/postgres.ts";
import { OPERATOR_TOKEN, startService } from "../setting/service.ts";
import type { Peer } from "./peer.ts";

export const boathook: Peer = {
  name: "Boathook",
  async start(bench) {
    const postgres = await startPostgres(bench);
    const accounts = await createAccounts(postgres, bench.ports);
    const service = await startService(bench, postgres.dataFolder, {});
    return {
      target: {
        origin: service.ops,
        path: "/v1/events",
        token: OPERATOR_TOKEN,
        frames: accounts.map(({ id }) => ({
          before: `{"events":[{"product":"tracking","account_id":"${id}","type":"${EVENT_TYPE}","data":`,
          after: "}]}",
        })),
      },
      processes: { service: service.pid, PostgreSQL: postgres.pid() },
      async recorded() {
        const { rows } = await postgres.client.query<{ count: string }>(
          "select count(*) from deliveries where status = 'delivered'",
        );
        return Number(rows[0]!.count);
      },
      async stop() {
        await service.kill();
        await postgres.stop();
      },
    };
  },
};
