/**
 * How long functions are, in formatted code: a body ends at the first line that closes at the indentation
 * of the line that opened it. Lines of functions within a function count for those alone, so that a factory
 * of closures is judged by what it does itself.
 */

/** `line` is that on which the body opens, from 1; `ownLines` are those between its braces. */
export type FunctionSize = { readonly line: number; readonly ownLines: number };

const OPENS_BODY = /(?:=>|\)|\)\s*:\s[^;]+) \{$/;

/** Blocks are no functions, and a suite of tests is a folder of them more than one. */
const NO_FUNCTION = /^(?:(?:\} )?(?:else )?(?:if|for|while|switch|catch|with)\b|(?:describe|suite)\()/;

/** @param code the source without comments and strings (`source-text.ts`), each line at its place */
export function functionSizes(code: string): readonly FunctionSize[] {
  const lines = code.split("\n").map((line) => line.trimEnd());
  const bodies = lines.flatMap((line, start) => {
    if (!OPENS_BODY.test(line) || NO_FUNCTION.test(statementStart(lines, start))) return [];
    const end = closingLine(lines, start);
    return end === null ? [] : [{ start, end }];
  });
  return bodies.map(({ start, end }) => {
    const nested = bodies.filter((other) => other.start > start && other.end < end);
    const isNested = (line: number) => nested.some((other) => line > other.start && line < other.end);
    let ownLines = 0;
    for (let line = start + 1; line < end; line += 1) if (!isNested(line)) ownLines += 1;
    return { line: start + 1, ownLines };
  });
}

function indentation(line: string): number {
  return line.length - line.trimStart().length;
}

/** The line on which a statement that goes over several begins: `) {` belongs to the `if (` above it. */
function statementStart(lines: readonly string[], at: number): string {
  const line = lines[at]?.trimStart() ?? "";
  if (!line.startsWith(")")) return line;
  const depth = indentation(lines[at] ?? "");
  const start = lines.slice(0, at).findLast((other) => other !== "" && indentation(other) === depth);
  return start?.trimStart() ?? line;
}

function closingLine(lines: readonly string[], start: number): number | null {
  const depth = indentation(lines[start] ?? "");
  const closes = (line: string) => indentation(line) === depth && line.trimStart().startsWith("}");
  const after = lines.findIndex((line, index) => index > start && closes(line));
  return after === -1 ? null : after;
}
