import { proseOf } from "../prose.ts";
import { lineAt, type ProjectFile } from "../source.ts";
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
  const { comments, strings } = proseOf(file);
  return [...comments, ...strings].flatMap(({ text, start }) => {
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

/** A turn may go over a line's end. */
function anyBlanks({ source, flags }: RegExp): RegExp {
  return new RegExp(source.replaceAll(" ", String.raw`\s+`), `${flags}g`);
}

/** Names in code are not prose; every other character keeps its place. */
function withoutCode(text: string): string {
  return text.replaceAll(/```[^]*?```|`[^`\n]*`|\]\([^)\s]*\)/g, (code) => code.replaceAll(/\S/g, " "));
}
