/** Splits TypeScript into code, comments and strings, well enough to look for words in the one or the other. */

export type SourceText = {
  /** The source with comments and the insides of strings blanked out; every character keeps its place. */
  readonly code: string;
  /** The comments alone, at their places. */
  readonly comments: string;
  /** The insides of strings and templates alone, at their places. */
  readonly strings: string;
};

type Part = "code" | "comments" | "strings";

/** One stretch of source that belongs to one part: from `start` to just before `end`. */
type Stretch = { readonly part: Part; readonly start: number; readonly end: number };

/** After one of these a slash divides; after anything else it opens a regular expression. */
const ENDS_A_VALUE = /(?:[\w$)\]}"'`]|\+\+|--)$/;

/** Words after which a value begins all the same. */
const KEYWORD_BEFORE_A_VALUE = /\b(?:return|typeof|case|in|of|do|else|void|delete|await|yield|throw)$/;

export function sourceText(source: string): SourceText {
  const stretches = stretchesOf(source);
  const only = (part: Part) =>
    stretches
      .map(({ part: own, start, end }) =>
        own === part ? source.slice(start, end) : source.slice(start, end).replaceAll(/[^\n]/g, " "),
      )
      .join("");
  return { code: only("code"), comments: only("comments"), strings: only("strings") };
}

function stretchesOf(source: string): readonly Stretch[] {
  const stretches: Stretch[] = [];
  /** Brace depths at which a template's `${` goes back to the template. */
  const templates: number[] = [];
  let depth = 0;
  let at = 0;
  let codeStart = 0;

  /** Ends the code before `start` and lets `part` reach to `end`. */
  const put = (part: Part, start: number, end: number) => {
    stretches.push({ part: "code", start: codeStart, end: start }, { part, start, end });
    codeStart = end;
    at = end;
  };

  const putTemplate = (start: number) => {
    const end = endOfTemplate(source, start);
    put("strings", start, end);
    if (source.startsWith("${", end)) {
      templates.push(depth);
      depth += 1;
      at = end + 2;
    } else {
      at = end + 1;
    }
  };

  while (at < source.length) {
    const two = source.slice(at, at + 2);
    const one = source.charAt(at);
    if (two === "//") put("comments", at, indexOrEnd(source, "\n", at));
    else if (two === "/*") put("comments", at, indexOrEnd(source, "*/", at + 2) + 2);
    else if (one === '"' || one === "'") {
      put("strings", at + 1, endOfQuoted(source, at + 1, one));
      at += 1;
    } else if (one === "`") putTemplate(at + 1);
    else if (one === "/" && opensExpression(source, at))
      put("strings", at + 1, endOfExpression(source, at + 1));
    else if (one === "}" && templates.at(-1) === depth - 1) {
      depth = templates.pop() ?? 0;
      putTemplate(at + 1);
    } else {
      if (one === "{") depth += 1;
      if (one === "}") depth -= 1;
      at += 1;
    }
  }
  return [...stretches, { part: "code", start: codeStart, end: source.length }];
}

function indexOrEnd(source: string, text: string, from: number): number {
  const index = source.indexOf(text, from);
  return index === -1 ? source.length : index;
}

function endOfQuoted(source: string, start: number, quote: string): number {
  let at = start;
  while (at < source.length && source[at] !== quote && source[at] !== "\n") at += source[at] === "\\" ? 2 : 1;
  return Math.min(at, source.length);
}

function endOfTemplate(source: string, start: number): number {
  let at = start;
  while (at < source.length && source[at] !== "`" && !source.startsWith("${", at))
    at += source[at] === "\\" ? 2 : 1;
  return Math.min(at, source.length);
}

function opensExpression(source: string, at: number): boolean {
  const before = source.slice(Math.max(0, at - 40), at).trimEnd();
  return !ENDS_A_VALUE.test(before) || KEYWORD_BEFORE_A_VALUE.test(before);
}

/** Just behind the closing slash; a slash in a class, `[/]`, does not close. */
function endOfExpression(source: string, start: number): number {
  let inClass = false;
  for (let at = start; at < source.length; at += 1) {
    const one = source[at];
    if (one === "\\") at += 1;
    else if (one === "[") inClass = true;
    else if (one === "]") inClass = false;
    else if (one === "\n" || (one === "/" && !inClass)) return at + 1;
  }
  return source.length;
}
