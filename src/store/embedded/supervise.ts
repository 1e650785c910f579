import { startEmbedded, type EmbeddedOptions, type EmbeddedPostgres } from "./embedded.ts";

/** How long after a failed start of the embedded PostgreSQL the next is tried. */
const RESTART_EVERY_MS = 5_000;

/** The embedded PostgreSQL, started again whenever it is lost, until it is stopped. */
export async function superviseEmbedded({
  dataFolder,
  clock,
  log,
}: Pick<EmbeddedOptions, "dataFolder" | "clock" | "log">): Promise<EmbeddedPostgres> {
  let stopped = false;
  const restart = () => {
    if (stopped) return;
    postgres.ensureRunning().catch((cause: unknown) => {
      log.error({ cause }, "the embedded PostgreSQL cannot be started again; the next try follows");
      clock.after(RESTART_EVERY_MS, restart);
    });
  };
  const postgres = await startEmbedded({ dataFolder, clock, log, onLost: restart });
  return {
    ...postgres,
    stop() {
      stopped = true;
      return postgres.stop();
    },
  };
}
