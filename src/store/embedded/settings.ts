/**
 * The settings of the embedded PostgreSQL: durable, on a Unix socket in its own folder, and sized for a
 * machine of two cores that has other things to do.
 */
const SETTINGS = {
  listen_addresses: "",
  // Relative to the folder of the database: nothing outside it, and no path too long for a socket.
  unix_socket_directories: ".",
  unix_socket_permissions: "0700",
  port: "5432",
  max_connections: "100",

  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  max_wal_size: "2GB",
  min_wal_size: "256MB",
  wal_buffers: "16MB",
  checkpoint_timeout: "15min",
  checkpoint_completion_target: "0.9",

  shared_buffers: "128MB",
  dynamic_shared_memory_type: "posix",
  // Reads are few and mostly cached: three workers would be three processes that idle.
  io_method: "sync",
  random_page_cost: "1.1",
  jit: "off",
  max_parallel_workers_per_gather: "0",
  autovacuum_naptime: "15s",
  autovacuum_max_workers: "2",

  timezone: "UTC",
  log_timezone: "UTC",
  lc_messages: "C",
  datestyle: "iso, mdy",

  // A statement that fails is reported to the client, which logs it; its text may hold a client's data.
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_checkpoints: "off",
} as const satisfies Record<string, string>;

/** What the cluster's `postgresql.conf` says; written once, and the operator's from then on. */
export const POSTGRESQL_CONF = `# Boathook writes boathook.conf at every start.
# What stands below the next line wins over it.
include 'boathook.conf'
`;

/** The text of `boathook.conf`. */
export function boathookConf(changed: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ ...SETTINGS, ...changed }).map(
    ([name, value]) => `${name} = '${value.replaceAll("'", "''")}'`,
  );
  return `# Written by Boathook at every start: change postgresql.conf instead.\n${lines.join("\n")}\n`;
}

/**
 * Who is admitted: over the socket only, and only processes of these users of the system, as any role. With initdb's
 * own files, everybody on this machine is admitted over TCP, should it ever be opened.
 */
export function admissionFiles(systemUsers: readonly string[]): Readonly<Record<string, string>> {
  const lines = systemUsers.map((name) => `boathook "${name.replaceAll('"', '""')}" all`);
  return {
    "pg_hba.conf": `# Written by Boathook at every start: set hba_file in postgresql.conf instead.
local all all peer map=boathook
local replication all peer map=boathook
`,
    "pg_ident.conf": `${lines.join("\n")}\n`,
  };
}

export const PORT = Number(SETTINGS.port);
