import { action, CommandError, type CommandFactory } from "../../../cli/command.ts";
import { problemLines, readNamedFile } from "../../../cli/files.ts";
import { JSON_OPTION } from "../../../cli/options.ts";
import { printAnswer } from "../../../cli/print.ts";
import { createReferenceIndex } from "../../../freight/reference-index/reference-index.ts";
import { runInSlices } from "../../../runtime/time-slices.ts";
import { notifyWork } from "../../../store/endpoints/invalidations.ts";
import { makeImportedDue, storeImport, type ImportPorts } from "../sources/imported/import-milestones.ts";
import type { ImportedStatement } from "../sources/imported/milestone.ts";
import {
  FILE_BOUNDS,
  readImport,
  type ImportFormat,
  type ImportProblem,
} from "../sources/imported/read-import.ts";
import { isSourceName, SOURCE_FORM } from "../sources/imported/source-name.ts";

/** Problems of one file that are shown in one go. */
const PROBLEMS_SHOWN_MAX = 20;

export const importCommand: CommandFactory = (at) =>
  action(
    "import",
    "Import milestones of a source without an API: .csv, .json, or IFTSTA, CODECO and COARRI in .edi " +
      "(docs/importing-milestones.md).",
    "boathook containers import milestones.csv --source forwarder-sheet",
  )
    .argument("<file>")
    .requiredOption("--source <name>", "whose statements they are, such as edi-provider")
    .option(...JSON_OPTION)
    .action(async (file, { source, json }) => {
      if (!isSourceName(source)) throw new CommandError(`--source must be ${SOURCE_FORM}.`);
      const format = formatOf(file);
      const bytes = await readNamedFile(file, { bytesMax: FILE_BOUNDS.bytesMax });
      const { database, cells, clock } = await at.open();
      const read = await runInSlices(readImport(bytes, format, source, FILE_BOUNDS), clock);
      if (read.kind === "unreadable") {
        const problems = problemLines(read.problems, PROBLEMS_SHOWN_MAX);
        throw new CommandError(`Nothing was imported from ${file}:\n${problems}`, 1);
      }
      const index = createReferenceIndex({ database, cells, clock });
      await index.refresh();
      const duplicates = await storeInParts({ database, clock, index }, read.statements, file);
      const { statements, refused, problems } = read;
      const accepted = statements.length;
      const summary = `Imported ${accepted} milestones; ${duplicates} were known, ${refused} refused.`;
      printAnswer(at, { accepted, refused, duplicates, problems }, summary, json);
      if (problems.length > 0) at.err(`${problemLines(problems.map(lineOf), PROBLEMS_SHOWN_MAX)}\n`);
      if (refused > 0) at.exitStatus = 1;
    });

/** Statements that are stored before the next ones. */
const PART_MAX = 2_000;

/** The number of known ones. What is stored before a failure stays, and the same file may come again. */
async function storeInParts(
  ports: ImportPorts,
  statements: readonly ImportedStatement[],
  file: string,
): Promise<number> {
  let known = 0;
  for (let from = 0; from < statements.length; from += PART_MAX) {
    try {
      const { duplicates, references } = await storeImport(ports, statements.slice(from, from + PART_MAX));
      known += duplicates;
      for (const cell of await makeImportedDue(ports, references)) await notifyWork(ports.database, cell);
    } catch (cause) {
      if (from === 0) throw cause;
      const stored = `${from} of its ${statements.length} milestones are stored`;
      throw new CommandError(`${file} was not imported whole: ${stored}. Import it again.`, 1);
    }
  }
  return known;
}

function formatOf(file: string): ImportFormat {
  const ending = /\.(csv|json|edi|edifact|iftsta)$/i.exec(file)?.[1]?.toLowerCase();
  if (ending === undefined) throw new CommandError(`${file} must be a file named .csv, .json or .edi`);
  return ending === "csv" || ending === "json" ? ending : "edi";
}

function lineOf({ line, column, message }: ImportProblem): string {
  return `line ${line}${column === null ? "" : `, column ${column}`}: ${message}`;
}
