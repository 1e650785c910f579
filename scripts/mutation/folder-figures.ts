/** A reporter for Stryker: the figures of each folder, as the table in docs/testing.md has them. */
import { dirname } from "node:path";

import type { MutantStatus } from "@stryker-mutator/api/core";
import { declareFactoryPlugin, PluginKind } from "@stryker-mutator/api/plugin";
import type { Reporter } from "@stryker-mutator/api/report";

type Figures = { mutants: number; killed: number; survived: number };

/** A mutant that makes the tests run without end is found out too. Stryker counts so. */
const KILLED: readonly MutantStatus[] = ["Killed", "Timeout"];
const SURVIVED: readonly MutantStatus[] = ["Survived", "NoCoverage"];

function row(folder: string, { mutants, killed, survived }: Figures): string {
  const score = mutants === 0 ? "" : ((100 * killed) / mutants).toFixed(1);
  return `| ${folder} | ${mutants} | ${killed} | ${survived} | ${score} |`;
}

const createReporter = (): Reporter => ({
  onMutationTestReportReady({ files }) {
    const byFolder = new Map<string, Figures>();
    const all: Figures = { mutants: 0, killed: 0, survived: 0 };
    for (const [path, { mutants }] of Object.entries(files)) {
      const figures = byFolder.get(dirname(path)) ?? { mutants: 0, killed: 0, survived: 0 };
      byFolder.set(dirname(path), figures);
      for (const { status } of mutants) {
        const [killed, survived] = [KILLED.includes(status), SURVIVED.includes(status)].map(Number);
        for (const one of [figures, all]) {
          one.mutants += killed! + survived!;
          one.killed += killed!;
          one.survived += survived!;
        }
      }
    }
    console.log("| Folder | Mutants | Killed | Survived | % killed |\n| --- | ---: | ---: | ---: | ---: |");
    for (const [folder, figures] of [...byFolder].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      console.log(row(`\`${folder}/\``, figures));
    }
    console.log(row("all", all));
  },
});

export const strykerPlugins = [declareFactoryPlugin(PluginKind.Reporter, "folder-figures", createReporter)];
