/** Which test files run which statements, and how long each file takes: found by running each once, and kept. */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { runTestFile } from "./run-test-file.ts";

export type TestFile = {
  readonly path: string;
  readonly changedMs: number;
  readonly tookMs: number;
  /** A file that fails on the statements as they are says nothing about mutants. */
  readonly isPassing: boolean;
  readonly statements: readonly string[];
};

/**
 * They start servers or services of their own, which a run that ends at the first failure would leave behind, or
 * run no statement.
 */
const LEFT_OUT =
  /^test\/(?:bin|cli|docs|faults|receiver|runtime|scripts|send|service|soak|support|upstream)\/|embedded/;

export const RECORD_TIMEOUT_MS_MAX = 120_000;

/** Runs the files of the glob that are new or have changed since they were run. */
export async function recordUses(glob: string, log: (line: string) => void): Promise<readonly TestFile[]> {
  const folder = join(tmpdir(), `boathook-mutation-${process.getuid?.() ?? 0}`);
  mkdirSync(folder, { recursive: true });
  const store = join(folder, "uses.json");
  const known = new Map(
    existsSync(store)
      ? (JSON.parse(readFileSync(store, "utf8")) as TestFile[]).map((file) => [file.path, file] as const)
      : [],
  );
  const paths = globSync(glob)
    .filter((path) => !LEFT_OUT.test(path))
    .toSorted();
  for (const path of paths) {
    const changedMs = statSync(path).mtimeMs;
    if (known.get(path)?.changedMs === changedMs) continue;
    const file = await recordFile(path, changedMs, join(folder, `statements-${process.pid}`));
    log(`${path}: ${file.statements.length} statements, ${file.tookMs} ms${file.isPassing ? "" : ", FAILS"}`);
    // One that failed may have failed by chance: it is run again the next time.
    known.set(path, file.isPassing ? file : { ...file, changedMs: 0 });
    writeFileSync(store, JSON.stringify([...known.values()], null, 1));
  }
  return paths.flatMap((path) => known.get(path) ?? []).filter(({ isPassing }) => isPassing);
}

async function recordFile(path: string, changedMs: number, record: string): Promise<TestFile> {
  writeFileSync(record, "");
  const ended = await runTestFile(path, {
    hook: "record-hook.ts",
    environment: { BOATHOOK_MUTATION_RECORD: record },
    timeoutMs: RECORD_TIMEOUT_MS_MAX,
  });
  const lines = readFileSync(record, "utf8").split("\n");
  rmSync(record);
  return {
    path,
    changedMs,
    tookMs: ended.kind === "passed" ? ended.tookMs : 0,
    isPassing: ended.kind === "passed",
    statements: [...new Set(lines)].filter((name) => name !== "").toSorted(),
  };
}
