/**
 * How a secret may stand in what a server answers: as it was sent, or in one of the usual encodings. Each of them may be
 * written in a URL, in JSON or in HTML.
 */

/** `secret` itself comes first. */
export function spellingsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const encoded = [
    ...inHex(bytes),
    ...inBase64(bytes),
    ...BASE64_SHIFTS.map((by) => insideBase64(bytes, by)),
  ];
  return [...new Set([secret, ...encoded].flatMap(writtenIn))];
}

/**
 * Of a secret of some characters, which is hidden where it stands alone: without those inside the Base64 of a longer
 * text, and without the two digits of one character in hex, which times have as well.
 */
export function wholeSpellingsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const encoded = [...inHex(bytes).filter(({ length }) => length > 2), ...inBase64(bytes)];
  return [...new Set([secret, ...encoded].flatMap(writtenIn))];
}

function inHex(bytes: Buffer): readonly string[] {
  const hex = bytes.toString("hex");
  const inPercent = hex.replaceAll(/../g, "%$&");
  return [hex, hex.toUpperCase(), inPercent, inPercent.toUpperCase()];
}

function inBase64(bytes: Buffer): readonly string[] {
  const padded = bytes.toString("base64");
  return [padded, padded.replaceAll("=", ""), bytes.toString("base64url")];
}

/** Bytes that may stand before the secret in its group of three: a name and a colon, say. */
const BASE64_SHIFTS = [0, 1, 2] as const;
const BITS_OF_BYTE = 8;
const BITS_OF_CHAR = 6;

/** The characters that the secret alone decides, in the Base64 of a longer text. */
function insideBase64(bytes: Buffer, shift: number): string {
  const text = Buffer.concat([Buffer.alloc(shift), bytes, Buffer.alloc(2)]).toString("base64");
  const from = Math.ceil((shift * BITS_OF_BYTE) / BITS_OF_CHAR);
  return text.slice(from, Math.floor(((shift + bytes.length) * BITS_OF_BYTE) / BITS_OF_CHAR));
}

function writtenIn(text: string): readonly string[] {
  // Most have nothing to escape.
  return /^[\w.-]*$/.test(text) ? [text] : [text, ...inUrl(text), ...inJson(text), ...inHtml(text)];
}

/** In a path or a query, in a form, and by RFC 3986 to the letter; escapes in capitals or small letters. */
function inUrl(text: string): readonly string[] {
  const wellFormed = text.toWellFormed();
  const inQuery = encodeURIComponent(wellFormed);
  const strict = inQuery.replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const inForm = new URLSearchParams([["", wellFormed]]).toString().slice(1);
  return [inQuery, strict, inForm].flatMap((one) => [
    one,
    one.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  ]);
}

/** As JavaScript writes it, as PHP does with its slashes, and in the codes that .NET and Python use. */
function inJson(text: string): readonly string[] {
  const written = JSON.stringify(text).slice(1, -1);
  const coded = written.replaceAll(/[^\x20-\x7e]/g, jsonCode);
  const strict = text.replaceAll(/[^\x20-\x7e]|["&'+<>`\\]/g, (char) =>
    char === "\\" ? String.raw`\\` : jsonCode(char),
  );
  const inCapitals = strict.replaceAll(/\\u[0-9a-f]{4}/g, (code) => `\\u${code.slice(2).toUpperCase()}`);
  return [written, coded, strict, inCapitals].flatMap((one) => [one, one.replaceAll("/", String.raw`\/`)]);
}

const jsonCode = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** In its text, and in an attribute. */
function inHtml(text: string): readonly string[] {
  const open = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const closed = open.replaceAll(">", "&gt;");
  return [open, closed].flatMap((one) => {
    const quoted = one.replaceAll('"', "&quot;");
    return [one, quoted, quoted.replaceAll("'", "&#39;"), quoted.replaceAll("'", "&#x27;")];
  });
}
