/** Runs a command line in this process, with the test's own process context. */
import { runCommandLine } from "../../src/service/commands/command-line.ts";
import type { ProcessContext } from "../../src/runtime/process-context.ts";
import type { TestDatabase } from "../support/database.ts";

export type Ran = { readonly status: number; readonly out: string; readonly err: string };

export type RunOptions = {
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** What Ctrl-C is to the command: it ends when this resolves. */
  readonly interrupted?: Promise<void>;
  /** Receives every text as it is written. */
  readonly onOut?: (text: string) => void;
  readonly onErr?: (text: string) => void;
};

export async function run(words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  let out = "";
  let err = "";
  const at: ProcessContext = {
    environment: options.environment ?? {},
    out(text) {
      out += text;
      options.onOut?.(text);
    },
    err(text) {
      err += text;
      options.onErr?.(text);
    },
    terminal: null,
    readLine: async () => (options.input ?? "").split("\n")[0]!,
    readInput: async () => Buffer.from(options.input ?? ""),
    program: [process.execPath],
    async untilSignal() {
      await (options.interrupted ?? new Promise<void>(() => {}));
      return "SIGTERM";
    },
    onCrash: () => {},
    exitNow: () => {},
  };
  const status = await runCommandLine(words, at);
  return { status, out, err };
}

/** The settings that point a command at a test's database. */
export function settingsFor({
  address,
  cells,
}: Pick<TestDatabase, "address" | "cells">): Record<string, string> {
  return {
    BOATHOOK_DATABASE_URL: urlOf(address),
    BOATHOOK_CELLS: String(cells.length),
    // Dropping the database ends connections that are closing anyway.
    BOATHOOK_LOG_LEVEL: "error",
  };
}

function urlOf(address: TestDatabase["address"]): string {
  if ("url" in address) return address.url;
  const { socketFolder, port, user, database } = address;
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(socketFolder)}`;
}
