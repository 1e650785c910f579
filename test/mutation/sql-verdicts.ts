/** The outcomes of mutants, and how they are reported. */
import type { Mutant } from "./sql-operators.ts";

export type Verdict =
  | { readonly kind: "killed"; readonly by: string }
  /** PostgreSQL does not take the statement. */
  | { readonly kind: "refused" }
  | { readonly kind: "survived" }
  | { readonly kind: "explained"; readonly reason: string }
  /** No test file that may be run uses the statement. */
  | { readonly kind: "untested" };

/** A survivor that is to be: of sql-survivors.json. */
export type Explained = {
  readonly statement: string;
  /** The line of the statement that the mutant begins in, with its indentation. */
  readonly line: string;
  readonly before: string;
  readonly after: string;
  readonly reason: string;
};

/** The same for as long as the line is the same, wherever it stands. */
export function keyOf({ statement, line, before, after }: Omit<Explained, "reason">): string {
  return JSON.stringify([statement, line, before, after]);
}

/** The line of the statement that the mutant begins in. */
export function lineOf(text: string, { line }: Pick<Mutant, "line">): string {
  return text.split("\n")[line - 1]!.trimEnd();
}

/** `31 mutants: 28 killed (4 refused), 1 survived, 2 explained; 96.6 % killed` */
export function figuresOf(verdicts: readonly Verdict[]): string {
  const count = (kind: Verdict["kind"]) => verdicts.filter((verdict) => verdict.kind === kind).length;
  const killed = count("killed") + count("refused");
  const survived = count("survived") + count("untested");
  const share =
    killed + survived === 0 ? "" : `; ${((100 * killed) / (killed + survived)).toFixed(1)} % killed`;
  const untested = count("untested") === 0 ? "" : ` (${count("untested")} untested)`;
  return (
    `${verdicts.length} mutants: ${killed} killed (${count("refused")} refused), ` +
    `${survived} survived${untested}, ${count("explained")} explained${share}`
  );
}
