import { test } from "node:test";

import { check, untilAllEnded } from "./books.ts";
import { atEnd } from "./endings.ts";
import { startLoad } from "./load.ts";
import { freeze, killLeftDatabase, startDatabase } from "./postgres.ts";
import { folderFor, openScene } from "./scene.ts";
import { newClient, QUICK_ENVIRONMENT, register, startServe } from "./service.ts";
import { until } from "./until.ts";

test("SIGTERM ends within its deadline though the database is frozen, and nothing is lost", async (t) => {
  const scene = await openScene(t);
  const dataFolder = folderFor(t);
  killLeftDatabase(t, dataFolder);
  const { postgres, databaseUrl } = await startDatabase(dataFolder);
  const environment = {
    ...QUICK_ENVIRONMENT,
    BOATHOOK_DATA_DIR: dataFolder,
    BOATHOOK_DATABASE_URL: databaseUrl,
    BOATHOOK_DRAIN_TIMEOUT: "1s",
  };
  const first = await startServe(t, scene, environment);
  const client = await newClient(first);
  await register(scene, first, client, () => 200);
  const load = startLoad(t, scene, () => first);
  await until(() => scene.accepted.size > 50, "a load");

  const wake = freeze(postgres.pid()!);
  atEnd(t, wake);
  // The database does not answer before it has ended.
  await first.stop();
  wake();
  await load.stop();

  const next = await startServe(t, scene, environment);
  await untilAllEnded(postgres.address);
  await check(scene, postgres.address, 1);
  await next.stop();
  await postgres.stop();
});
