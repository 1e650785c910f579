/** The prose in a file: its comments, its strings, or a whole page. */
import { parseSource, type Piece, type ProjectFile, stringsIn } from "./source.ts";

export type Prose = { readonly comments: readonly Piece[]; readonly strings: readonly Piece[] };

/** What stands before the text in each line of a comment, so that a sentence may go over a line's end. */
const MARGIN = /\n[ \t]*(?:\*(?!\/)|\/\/|--)/g;

export function proseOf(file: ProjectFile): Prose {
  const { path, text } = file;
  if (path.endsWith(".ts")) {
    const { program, comments } = parseSource(file);
    const pieces = comments.map(({ start, end }) => ({ text: withoutMargin(text.slice(start, end)), start }));
    return { comments: pieces, strings: [...stringsIn(program)] };
  }
  if (path.endsWith(".sql")) {
    const pieces = [...text.matchAll(/^[ \t]*--.*(?:\n[ \t]*--.*)*/gm)];
    return {
      comments: pieces.map(({ index, 0: piece }) => ({ text: withoutMargin(piece), start: index })),
      strings: [],
    };
  }
  return { comments: [{ text, start: 0 }], strings: [] };
}

/** Every character that stays keeps its place. */
function withoutMargin(text: string): string {
  return text.replaceAll(MARGIN, (margin) => margin.replaceAll(/[^\n]/g, " "));
}
