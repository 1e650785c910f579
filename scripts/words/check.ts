import { lineAt, parseSource, type Piece, type ProjectFile, stringsIn } from "../source.ts";
import { type Word, WORDS } from "./list.ts";

export type BadWord = {
  readonly path: string;
  readonly line: number;
  readonly found: string;
  readonly instead: string;
};

/** The words of the list in a file's comments, strings or prose. */
export function badWordsIn(file: ProjectFile, words: readonly Word[] = WORDS): readonly BadWord[] {
  const held = words
    .filter(({ except }) => except === undefined || !except.test(file.path))
    .map(({ pattern, instead }) => ({ instead, global: anyBlanks(pattern) }));
  return proseOf(file).flatMap(({ text, start }) => {
    const prose = withoutCode(text);
    return held.flatMap(({ global, instead }) =>
      [...prose.matchAll(global)].map(({ index, 0: found }) => ({
        path: file.path,
        line: lineAt(file.text, start + index),
        found,
        instead,
      })),
    );
  });
}

function proseOf({ path, text }: ProjectFile): readonly Piece[] {
  if (path.endsWith(".ts")) {
    const { program, comments } = parseSource({ path, text });
    return [
      ...comments.map(({ start, end }) => ({ text: text.slice(start, end), start })),
      ...stringsIn(program),
    ];
  }
  if (path.endsWith(".sql"))
    return [...text.matchAll(/--.*/g)].map(({ index, 0: comment }) => ({ text: comment, start: index }));
  return [{ text, start: 0 }];
}

/** A turn may go over a line's end. */
function anyBlanks({ source, flags }: RegExp): RegExp {
  return new RegExp(source.replaceAll(" ", String.raw`\s+`), `${flags}g`);
}

/** Names in code are not prose; every other character keeps its place. */
function withoutCode(text: string): string {
  return text
    .replaceAll(/```[^]*?```|`[^`\n]*`|\]\([^)\s]*\)/g, (code) => code.replaceAll(/\S/g, " "))
    .replaceAll(/\n[ \t]*(?:\*|\/\/|--)/g, (margin) => margin.replaceAll(/[^\n]/g, " "));
}
