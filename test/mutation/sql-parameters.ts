/** Keeps a mutant's parameters: PostgreSQL refuses a statement that does not say of what type a parameter is. */

/** The mutant with the parameters that it does not mention any more, in a query that nobody reads. */
export function withParameters(text: string, types: readonly string[]): string {
  const code = text.replaceAll(/--[^\n]*/g, "");
  const missing = types.flatMap((type, index) => {
    const isThere = new RegExp(`\\$${index + 1}(?!\\d)`).test(code);
    return isThere ? [] : [`$${index + 1}::${type}`];
  });
  if (missing.length === 0) return text;
  const unread = `unread as (select ${missing.join(", ")})`;
  const start = /^(?:\s|--[^\n]*)*/.exec(text)![0].length;
  const [, first = "", rest = ""] = /^(with\s+recursive\s|with\s)?(.*)$/is.exec(text.slice(start))!;
  return text.slice(0, start) + (first === "" ? `with ${unread} ${rest}` : `${first}${unread}, ${rest}`);
}
