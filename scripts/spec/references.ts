/**
 * References to the specification in prose: `spec 6.2: container_arrived`, `spec 6.2`, and lists of them:
 * `spec 6.2: eta_changed, container_arrived; 6.3: eta_changed`. After the colon may also come a sentence:
 * its first word is a rule when the section has one of that name.
 */
import type { Piece } from "../source.ts";
import type { Section } from "./section.ts";

/** `row` is null for the section as a whole; `index` counts from where the piece's file starts. */
export type Reference = { readonly section: string; readonly row: string | null; readonly index: number };

const START = /\bspec(?=\s+[1-9])/g;
const SECTION = /(?<between>\s*(?:[,;]|(?:, )?\b(?:and|or)\b))?\s*(?<section>[1-9](?:\.[1-9])?)(?!\.?\d)/y;
const ROW = /(?:,|:)\s*(?<row>[a-z][a-z0-9_]*)/y;
const END_OF_ROW = /\s*(?:[),;.]|\*\/|$)/y;

export function* referencesIn({ text, start }: Piece, sections: readonly Section[]): Generator<Reference> {
  for (const { index, 0: word } of text.matchAll(START)) {
    let at = index + word.length;
    for (;;) {
      const section = matchAt(SECTION, text, at);
      const id = section?.groups?.["section"];
      const isFirst = at === index + word.length;
      if (section === null || id === undefined) break;
      if (!isFirst && section.groups?.["between"] === undefined) break;
      at += section[0].length;
      const rows: string[] = [];
      while (rows.length > 0 || text[at] === ":") {
        const row = matchAt(ROW, text, at);
        const name = row?.groups?.["row"];
        if (row === null || name === undefined) break;
        const isKnown = sections.some((one) => one.id === id && Object.hasOwn(one.rows, name));
        const end = at + row[0].length;
        if (!isKnown && matchAt(END_OF_ROW, text, end) === null) break;
        rows.push(name);
        at = end;
      }
      for (const row of rows.length > 0 ? rows : [null]) yield { section: id, row, index: start + index };
    }
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
