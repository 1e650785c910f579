import pg from "pg";

import { connectionConfig, type DatabaseAddress } from "../database.ts";

export type SocketAddress = Extract<DatabaseAddress, { socketFolder: string }>;

/** Our share in the running server, and the wire on which we hear that it is gone. */
export type ServerLock = {
  /** Gives the share back; `last` when nobody else has one, and from then on nobody gets one. */
  release(): Promise<"last" | "others">;
  close(): Promise<void>;
};

/**
 * `not_running`: nobody listens. `transitioning`: the server says that it is starting, recovering or ending, which
 * takes as long as it takes. `unresponsive`: somebody listens and does not let us in.
 */
export type ServerLockAttempt =
  | { readonly kind: "acquired"; readonly hold: ServerLock }
  | { readonly kind: "not_running" | "transitioning" | "unresponsive"; readonly cause: Error };

/** Any number; the lock is on the embedded database alone, which has no other lock of one key. */
const LOCK_KEY = "7044023157";

const CONNECT_WAIT_MS_MAX = 5_000;
const LOCK_WAIT_MS_MAX = 5_000;

/** Connects and takes a share. `onLost` is called once when the connection ends before `letGo`. */
export async function acquireServerLock(
  address: SocketAddress,
  onLost: (cause: Error) => void,
): Promise<ServerLockAttempt> {
  const client = new pg.Client({
    ...connectionConfig(address),
    application_name: "boathook hold",
    connectionTimeoutMillis: CONNECT_WAIT_MS_MAX,
  }) as pg.Client & { ref(): void; unref(): void };
  let state: "connecting" | "acquired" | "over" = "connecting";
  const lost = (cause: Error) => {
    const wasHeld = state === "acquired";
    state = "over";
    if (wasHeld) onLost(cause);
  };
  client.on("error", lost);
  client.on("end", () => lost(new Error("PostgreSQL closed the connection")));
  try {
    await client.connect();
    // An exclusive holder is stopping the server: this ends with the connection.
    await client.query(`set lock_timeout = ${LOCK_WAIT_MS_MAX}; select pg_advisory_lock_shared(${LOCK_KEY})`);
  } catch (error) {
    state = "over";
    void client.end().catch(() => undefined);
    return { kind: kindOf(error), cause: error as Error };
  }
  state = "acquired";
  // A process that has nothing else to do may end; its share ends with it.
  client.unref();
  const close = async () => {
    state = "over";
    await client.end().catch(() => undefined);
  };
  return {
    kind: "acquired",
    hold: {
      close,
      async release() {
        state = "over";
        client.ref();
        const answer = await client
          .query<{ last: boolean }>(
            `select pg_advisory_unlock_shared(${LOCK_KEY}), pg_try_advisory_lock(${LOCK_KEY}) as last`,
          )
          .catch(() => null);
        return answer?.rows[0]?.last === true ? "last" : "others";
      },
    },
  };
}

function kindOf(error: unknown): "not_running" | "transitioning" | "unresponsive" {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ECONNREFUSED" || code === "ENOENT") return "not_running";
  // cannot_connect_now
  return code === "57P03" ? "transitioning" : "unresponsive";
}
