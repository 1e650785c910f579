/** The rules of the house that neither the compiler nor the linter knows (docs/decisions, CONTRIBUTING.md). */
import { posix } from "node:path";

import { functionSizes } from "./function-sizes.ts";
import { type SourceText, sourceText } from "./source-text.ts";

export type Finding = { readonly path: string; readonly line: number; readonly message: string };

/** A file of the project: its path from the root with forward slashes, and its text. */
export type ProjectFile = { readonly path: string; readonly text: string };

export const FILE_LINES_MAX = 300;

/** Those of functions within a function not counted. */
export const FUNCTION_LINES_MAX = 70;

const BELOW_FRAMES = ["runtime", "model", "store", "engine"];
const BELOW_PRODUCTS = [...BELOW_FRAMES, "http", "operator", "cli", "freight"];
const BELOW_SERVICE = [...BELOW_PRODUCTS, "products"];
const PACKAGES = ["receiver", "simulator"];

/** Which folders a folder may import besides itself: the one direction of the layers. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  runtime: ["model"],
  model: ["runtime"],
  store: ["runtime", "model"],
  engine: ["runtime", "model", "store"],
  http: BELOW_FRAMES,
  operator: [...BELOW_FRAMES, "http", "products"],
  cli: BELOW_FRAMES,
  freight: [...BELOW_FRAMES, "http", "operator", "cli", "products", "service"],
  products: [...BELOW_PRODUCTS, "service"],
  service: [...BELOW_SERVICE, ...PACKAGES],
  main: ["runtime", "service"],
  receiver: [],
  simulator: [...BELOW_SERVICE, "service", "receiver"],
  bench: [...BELOW_SERVICE, "service", ...PACKAGES],
  scripts: [...BELOW_SERVICE, "service"],
  test: [...BELOW_SERVICE, "service", ...PACKAGES, "bench", "scripts"],
};

type Ban = {
  readonly pattern: RegExp;
  /** Which part of the source is searched. */
  readonly part: keyof SourceText;
  /** Which files the ban holds for. */
  readonly holds: (path: string) => boolean;
  readonly instead: string;
};

const inService = (path: string) =>
  /^(?:src|packages\/simulator)\//.test(path) && !path.startsWith("src/runtime/");
const inTests = (path: string) => path.startsWith("test/");
const everywhere = () => true;

const BANS: readonly Ban[] = [
  {
    pattern: /\bDate\.now\b|\bnew Date\(\)/,
    part: "code",
    holds: inService,
    instead: "take a Clock as an argument and ask nowMs()",
  },
  {
    pattern: /\bperformance\.now\b|\bprocess\.hrtime\b/,
    part: "code",
    holds: inService,
    instead: "take a Clock as an argument and ask monotonicMs()",
  },
  {
    pattern: /(?<![.\w])set(?:Timeout|Interval)\(/,
    part: "code",
    holds: inService,
    instead: "take a Clock as an argument and call after()",
  },
  {
    pattern: /\bMath\.random\b/,
    part: "code",
    holds: inService,
    instead: "take a Random as an argument and ask fraction()",
  },
  {
    pattern: /\brandomUUID(?:v7)?\b|\brandom(?:Bytes|FillSync|Int)\b/,
    part: "code",
    holds: inService,
    instead: "take a Random as an argument and ask uuid() or bytes()",
  },
  {
    pattern: /\bprocess\.env\b/,
    part: "code",
    holds: inService,
    instead: "add a setting to src/runtime/settings.ts, or take Surroundings as an argument",
  },
  {
    pattern: /\bconsole\./,
    part: "code",
    holds: (path) => /^(?:src|packages\/simulator)\//.test(path) && !/\/(?:cli|commands|demo)\//.test(path),
    instead: "take a Log as an argument",
  },
  {
    pattern:
      /^\s*(?:select\b[^\n]*\bfrom\b|insert\s+into\b|update\s+\S+\s+set\b|delete\s+from\b|with\s+\S+\s+as\s*\()/im,
    part: "strings",
    // The table of migrations is read before there is a schema to name in a statement.
    holds: (path) => path.startsWith("src/") && path !== "src/store/migrate.ts",
    instead:
      "write the statement to a file of its own in the store/ folder of what it is about and call it with statement()",
  },
  {
    pattern: /\b(?:TODO|FIXME|XXX)\b/,
    part: "comments",
    holds: everywhere,
    instead: "finish it, or say in the documents what is missing and why",
  },
  {
    pattern: /\.skip\(\s*(?:\)|["'`]\s*["'`]\s*,)|\bskip:\s*true\b/,
    part: "code",
    holds: inTests,
    instead: 'give the reason as text: skip: condition ? "why" : false',
  },
  {
    pattern: /\.only\(|\bonly:\s*true\b/,
    part: "code",
    holds: inTests,
    instead: "run one test with --test-name-pattern",
  },
  {
    pattern: /\b(?:class|function|const|let|type|interface)\s+\w*(?:Manager|Helper|Utils?)\b/,
    part: "code",
    holds: everywhere,
    instead: "name what it does in the words of the field",
  },
  {
    pattern: /^export \* from/m,
    part: "code",
    holds: (path) => path !== "packages/receiver/src/index.ts",
    instead: "import from the file that has it",
  },
];

const BANNED_FILE_NAME = /(?:^|[/-])(?:utils?|helpers?|managers?|common|misc)(?=[./-])/;

/** What is wrong with one file; empty when it follows the rules. */
export function findingsIn({ path, text }: ProjectFile): readonly Finding[] {
  const source = sourceText(text);
  return [
    ...sizeOf(path, text),
    ...functionsOf(path, source),
    ...nameOf(path),
    ...importsOf(path, text, source),
    ...bansIn(path, source),
  ];
}

function sizeOf(path: string, text: string): readonly Finding[] {
  const lines = text.trimEnd().split("\n").length;
  if (lines <= FILE_LINES_MAX) return [];
  const message = `${lines} lines, more than ${FILE_LINES_MAX}: give one of its reasons to change a file of its own`;
  return [{ path, line: FILE_LINES_MAX + 1, message }];
}

function functionsOf(path: string, { code }: SourceText): readonly Finding[] {
  return functionSizes(code)
    .filter(({ ownLines }) => ownLines > FUNCTION_LINES_MAX)
    .map(({ line, ownLines }) => {
      const message = `a function of ${ownLines} lines, more than ${FUNCTION_LINES_MAX}: give its steps functions of their own`;
      return { path, line, message };
    });
}

function nameOf(path: string): readonly Finding[] {
  const name = BANNED_FILE_NAME.exec(path)?.[0].replace(/^[/-]/, "");
  return name === undefined
    ? []
    : [{ path, line: 1, message: `"${name}" says nothing: name the file after what it is for` }];
}

function importsOf(path: string, text: string, { code }: SourceText): readonly Finding[] {
  const from = layerOf(path);
  const findings: Finding[] = [];
  for (const { index, 1: target = "" } of text.matchAll(/(?:\bfrom |\bimport\(|^import )"(\.[^"]*\.ts)"/gm)) {
    const to = layerOf(posix.join(posix.dirname(path), target));
    const isCode = code.startsWith("from", index) || code.startsWith("import", index);
    if (!isCode || from === to || MAY_IMPORT[from]?.includes(to)) continue;
    const allowed = MAY_IMPORT[from] ?? [];
    const message = `${from}/ may not import ${to}/ (only ${allowed.join(", ") || "nothing"}): take it as an argument, or move it down`;
    findings.push({ path, line: lineAt(text, index), message });
  }
  return findings;
}

/** The folder below `src/` or `packages/`, or the folder at the root; `main` for `src/main.ts`. */
function layerOf(path: string): string {
  const [top = "", second = ""] = path.split("/");
  return top === "src" || top === "packages" ? second.replace(/\.ts$/, "") : top;
}

function bansIn(path: string, source: SourceText): readonly Finding[] {
  return BANS.filter(({ holds }) => holds(path)).flatMap(({ pattern, part, instead }) => {
    const global = new RegExp(pattern.source, `${pattern.flags}g`);
    return [...source[part].matchAll(global)].map(({ index, 0: found }) => {
      const start = index + found.length - found.trimStart().length;
      return { path, line: lineAt(source[part], start), message: `${oneLine(found)}: ${instead}` };
    });
  });
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ").slice(0, 40);
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
