/** The text of an HTML page or e-mail, a line where a browser begins one. */

const ENTITIES: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

/** Of elements that begin or end a line. */
const LINE = /^\/?(?:br|p|div|tr|li|pre|table|ul|ol|h\d|body|blockquote)\b/i;
const NAME_CHARS_MAX = 12;

export function looksLikeHtml(text: string): boolean {
  return /^\s*<(?:!doctype html|html|head|body)\b/i.test(text);
}

export function textOfHtml(html: string): string {
  const texts: string[] = [];
  let from = 0;
  for (let at = html.indexOf("<"); at !== -1; at = html.indexOf("<", from)) {
    const end = html.indexOf(">", at);
    if (end === -1) break;
    texts.push(html.slice(from, at));
    if (LINE.test(html.slice(at + 1, at + 1 + NAME_CHARS_MAX))) texts.push("\n");
    from = end + 1;
  }
  texts.push(html.slice(from));
  return texts
    .join("")
    .replaceAll(
      /&(?:#(\d{1,7})|#x([\dA-Fa-f]{1,6})|(\w{2,4}));/g,
      (whole: string, decimal?: string, hex?: string, name?: string) => {
        if (name !== undefined) return Object.hasOwn(ENTITIES, name) ? ENTITIES[name]! : whole;
        const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
        return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
      },
    );
}
