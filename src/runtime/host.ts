import { tmpdir } from "node:os";

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
};

export function thisHost(): Host {
  return {
    platform: process.platform,
    arch: process.arch,
    libc: process.platform === "linux" ? linuxLibc() : null,
    uid: process.geteuid?.() ?? null,
    pid: process.pid,
    temporaryFolder: tmpdir(),
  };
}

function linuxLibc(): "glibc" | "musl" {
  const report = process.report as NodeJS.ProcessReport & { excludeNetwork: boolean };
  const { excludeNetwork } = report;
  // Otherwise the report resolves the peer of every open socket.
  report.excludeNetwork = true;
  const { header } = report.getReport() as { header?: { glibcVersionRuntime?: string } };
  report.excludeNetwork = excludeNetwork;
  return header?.glibcVersionRuntime === undefined ? "musl" : "glibc";
}
