import { hostname, release, tmpdir } from "node:os";

/** What the embedded PostgreSQL depends on. */
export type Host = {
  /** `linux`, `darwin`, `win32` … as Node names them. */
  readonly platform: string;
  /** `x64`, `arm64` … as Node names them. */
  readonly arch: string;
  /** Null: not Linux. */
  readonly libc: "glibc" | "musl" | null;
  /** The effective user; null: there are no such users. */
  readonly uid: number | null;
  readonly pid: number;
  /** An absolute path. */
  readonly temporaryFolder: string;
  /** A sync of a whole file system reports what could not be written, as Linux does from 5.8. */
  readonly hasReliableSync: boolean;
};

export function thisHost(): Host {
  return {
    platform: process.platform,
    arch: process.arch,
    libc: process.platform === "linux" ? linuxLibc() : null,
    uid: process.geteuid?.() ?? null,
    pid: process.pid,
    temporaryFolder: tmpdir(),
    hasReliableSync: process.platform === "linux" && isReliableSync(release()),
  };
}

/** `kernel`: as `uname -r` has it, `6.12.43-amd64`. */
export function isReliableSync(kernel: string): boolean {
  const [major = 0, minor = 0] = kernel.split(".").map(Number);
  return major > 5 || (major === 5 && minor >= 8);
}

/** As other machines know this one. */
export function hostName(): string {
  return hostname();
}

function linuxLibc(): "glibc" | "musl" {
  const { header } = readReport() as { header?: { glibcVersionRuntime?: string } };
  return header?.glibcVersionRuntime === undefined ? "musl" : "glibc";
}

/** How many files and sockets this process may have open (`ulimit -n`), as far as it has memory for them. */
export function openFilesMax(): number {
  const { userLimits } = readReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isInteger(soft) ? Math.min(soft, OPEN_FILES_MAX) : OPEN_FILES_UNLIMITED;
}

/** Containers often allow a million: connections of half of that take more memory than a worker has. */
const OPEN_FILES_MAX = 65_536;

/** Where there is no limit, or none that Node knows. */
const OPEN_FILES_UNLIMITED = 20_000;

let read: object | null = null;

/** Made once, in 10 ms: what is asked of it does not change. */
function readReport(): object {
  return (read ??= makeReport());
}

function makeReport(): object {
  const report = process.report as NodeJS.ProcessReport & { excludeNetwork: boolean };
  const { excludeNetwork } = report;
  // Otherwise the report resolves the peer of every open socket.
  report.excludeNetwork = true;
  const made = report.getReport();
  report.excludeNetwork = excludeNetwork;
  return made;
}
