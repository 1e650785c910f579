/** Tells a person, or a log, how a run of tests goes: each file as it ends, what fails at once and again at the end. */
import { relative } from "node:path";

import type { Listener } from "./processes.ts";
import type { Ended } from "./reporter.ts";

type Out = Pick<NodeJS.WriteStream, "isTTY" | "columns"> & { write(text: string): unknown };

type Failure = { readonly file: string; readonly test: Ended };

export type Report = Listener & {
  /** Files that failed. */
  failed(): readonly string[];
  /** No test had the name that was asked for. */
  isEmpty(): boolean;
  /** Seconds of each file that has run. */
  lengths(): ReadonlyMap<string, number>;
  /** Prints what failed, and the sums. */
  end(): void;
};

/** `out` is a terminal, where one line moves, or a log, which has a line for each file. */
export function createReport(files: readonly string[], out: Out): Report {
  const startedMs = performance.now();
  const sums = { passed: 0, failed: 0, skipped: 0 };
  const ofFile = new Map<string, typeof sums>();
  const lengths = new Map<string, number>();
  const failures: Failure[] = [];

  const seconds = () => (performance.now() - startedMs) / 1_000;
  const moving = () =>
    `${lengths.size} of ${files.length} files in ${seconds().toFixed(0)} s, ${inWords(sums)}`;
  const move = () => void (out.isTTY && out.write(`\r\x1b[K${moving().slice(0, out.columns - 1)}`));
  const print = (text: string) => {
    out.write(`${out.isTTY ? "\r\x1b[K" : ""}${text}\n`);
    move();
  };
  const timer = setInterval(move, 1_000).unref();

  return {
    ended(file, test) {
      const own = ofFile.get(file) ?? { passed: 0, failed: 0, skipped: 0 };
      ofFile.set(file, own);
      for (const each of [sums, own]) each[test.is] += 1;
      if (test.is === "skipped") print(`skipped: ${file}: ${namesIn(test)} (${test.why})`);
      if (test.is !== "failed") return;
      failures.push({ file, test });
      print(told({ file, test }));
    },
    fileEnded(file, length) {
      lengths.set(file, length);
      const own = ofFile.get(file);
      const left = files.length - lengths.size;
      if (own === undefined || out.isTTY) return;
      const result = inWords(own).replaceAll(/, 0 \w+/g, "");
      print(`${length.toFixed(1).padStart(6)} s  ${file}: ${result} (${left} left)`);
    },
    said: (text) => print(text.trimEnd()),
    failed: () => [...new Set(failures.map(({ file }) => file))],
    isEmpty: () => ofFile.size === 0,
    lengths: () => lengths,
    end() {
      clearInterval(timer);
      if (out.isTTY) out.write("\r\x1b[K");
      if (failures.length > 0) out.write(`\nFailed:\n\n${failures.map(told).join("\n")}\n`);
      out.write(
        `${lengths.size} ${lengths.size === 1 ? "file" : "files"} in ${seconds().toFixed(0)} s\n${inWords(sums)}\n`,
      );
    },
  };
}

type Sums = Readonly<Record<Ended["is"], number>>;

function inWords({ passed, failed, skipped }: Sums): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/** With the command that repeats it alone. */
function told({ file, test }: Failure): string {
  const { path, why, place } = test;
  // A test's own tests have no name for Node before it runs.
  const { name } = path.find(({ type }) => type === "test") ?? path.at(-1) ?? {};
  const lines = [
    `✖ ${namesIn(test) || file}`,
    `  ${place === undefined ? file : relative(".", place)}`,
    `  npm test -- ${file}${name === undefined ? "" : ` -t ${quoted(name)}`}`,
    indented(why ?? ""),
  ];
  return `${lines.join("\n")}\n`;
}

function namesIn({ path }: Ended): string {
  return path.map(({ name }) => name).join(" › ");
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, "    ");
}

/** As one word of a shell. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
