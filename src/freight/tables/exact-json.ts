/** JSON whose numbers are taken by their text: what JavaScript makes of 0.1 is not what was written. */

/** Every number becomes its text, `1234.50`, `1e3`. Throws a `SyntaxError` where it is no JSON. */
export function parseExactJson(text: string): unknown {
  return JSON.parse(text.replace(/^\uFEFF/, ""), (_key, item: unknown, { source }) =>
    typeof item === "number" ? source : item,
  );
}
