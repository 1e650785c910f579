/** Indents JSON without reading its values: it keeps the bytes of numbers and escapes. */
export function indentJson(text: string): string {
  const pieces = text.match(/"(?:[^"\\]|\\[^])*"|[{}[\],:]|[^\s"{}[\],:]+/g) ?? [];
  let depth = 0;
  let made = "";
  const line = (): string => `\n${"  ".repeat(Math.max(0, depth))}`;
  pieces.forEach((piece, at) => {
    const isEmpty = /^[{[]$/.test(pieces[at - 1] ?? "");
    if (piece === "}" || piece === "]") {
      depth -= 1;
      made += isEmpty ? piece : `${line()}${piece}`;
      return;
    }
    if (isEmpty) made += line();
    made += piece === ":" ? ": " : piece;
    if (piece === "{" || piece === "[") depth += 1;
    if (piece === ",") made += line();
  });
  return made;
}
