/** Colours of cargo, by line: light enough for dark marks, on light pages and dark ones. Beyond them they come again. */
const PALETTE: readonly string[] = [
  "#7cc7fb",
  "#f7bf7d",
  "#7ecc9a",
  "#d799d1",
  "#37b2b8",
  "#b5af5c",
  "#af9de6",
  "#f39e8f",
  "#4bbaa7",
  "#7e9de0",
  "#779952",
  "#cf7c8f",
];

/** Of the marks on pieces, and of their edges. */
export const INK = "#16202c";

type Tints = {
  /** `cargo`: each line has its colour; `stop`: each stop has. */
  readonly by: "cargo" | "stop";
  readonly stops: readonly number[];
};

/** What stands for the line of an empty pallet, and its colour. */
export const DECK_LINE = -1;
const WOOD = "#c9a26a";

export type ColorOf = (line: number) => string;

/** `stops`: of each line. */
export function colorsBy({ by, stops }: Tints): ColorOf {
  if (by === "cargo") return colorOfLine;
  const places = new Map([...new Set(stops)].toSorted((a, b) => a - b).map((stop, at) => [stop, at]));
  return (line) => colorOfLine(line === DECK_LINE ? line : (places.get(stops[line] ?? 1) ?? 0));
}

export function colorOfLine(line: number): string {
  return line === DECK_LINE ? WOOD : PALETTE[line % PALETTE.length]!;
}
