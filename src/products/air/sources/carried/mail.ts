/**
 * E-mail (RFC 5322, MIME) → its parts: the text, attachments, and e-mails within it. Anybody may write one, so what makes
 * the parser slow is bounded before it begins.
 */
import PostalMime, { type Attachment, type Email } from "postal-mime";

import { mayHoldMessage, NOTHING_OPENED, within, type Carried, type Opened } from "./carried.ts";
import { textOfHtml } from "./html.ts";
import { excessOf } from "./mail-lines.ts";

/** Its addresses are parsed without a pause, a kilobyte of them in milliseconds. */
const HEADER_BYTES_MAX = 64 * 1_024;
const NESTING_MAX = 30;
const ATTACHMENTS_MAX = 200;
/** Of the text as HTML: more take long to be taken out, and a longer text is refused as it is. */
const HTML_CHARS_MAX = 1_000_000;
const HTML_TAGS_MAX = 150_000;

export async function openMail(mail: Carried): Promise<Opened> {
  const bytes = Buffer.isBuffer(mail.content) ? mail.content : Buffer.from(mail.content);
  const excess = excessOf(bytes);
  if (excess !== null) return failed(excess);
  try {
    const email = await PostalMime.parse(bytes, {
      forceRfc822Attachments: true,
      maxHeadersSize: HEADER_BYTES_MAX,
      maxNestingDepth: NESTING_MAX,
    });
    return { ...NOTHING_OPENED, inside: partsOf(mail, email) };
  } catch (error) {
    return failed((error as Error).message);
  }
}

function failed(reason: string): Opened {
  return {
    ...NOTHING_OPENED,
    failure: { line: 1, column: 1, message: `the e-mail cannot be read: ${reason}` },
  };
}

/** The text as HTML counts if the plain one has no message; often it is the same. */
function partsOf(mail: Carried, { text, html, attachments }: Email): readonly Carried[] {
  const plain = text === undefined ? [] : [within(mail, "text", withoutQuotes(withoutSignature(text)))];
  const isPlain = text !== undefined && mayHoldMessage(text);
  const shown = html === undefined || isPlain ? [] : [within(mail, "html", shownText(html))];
  const attached = attachments.slice(0, ATTACHMENTS_MAX).map((one, index) => attachedIn(mail, one, index));
  return [...plain, ...shown, ...attached];
}

function shownText(html: string): string {
  return html.length > HTML_CHARS_MAX && html.split("<", HTML_TAGS_MAX + 1).length > HTML_TAGS_MAX
    ? html
    : textOfHtml(html);
}

function attachedIn(mail: Carried, { filename, mimeType, content }: Attachment, index: number): Carried {
  const name = filename ?? `attachment ${index + 1}`;
  const bytes = typeof content === "string" ? Buffer.from(content) : Buffer.from(new Uint8Array(content));
  return within(mail, `${name} (${mimeType})`, bytes, mimeType === "message/rfc822");
}

/** `-- ` alone begins a signature. */
function withoutSignature(text: string): string {
  const found = /^-- ?\r?$/m.exec(text);
  return found === null ? text : text.slice(0, found.index);
}

/** `> FSU/14`: lines and columns stay. */
function withoutQuotes(text: string): string {
  return text.replaceAll(/^>[> ]*/gm, (marks) => " ".repeat(marks.length));
}

/** Of a text: enough for the headers of any mail. */
const HEAD_CHARS_MAX = 64 * 1_024;

/** Whether a text begins with the headers of an e-mail, as mail servers write them. */
export function looksLikeMail(text: string): boolean {
  const head = /^(?:From [^\r\n]*\r?\n)?/.exec(text)![0].length;
  const names = new Set<string>();
  for (const line of text.slice(head, head + HEAD_CHARS_MAX).split(/\r?\n/)) {
    if (line === "") break;
    if (/^[ \t]/.test(line) && names.size > 0) continue;
    const name = /^([A-Za-z][A-Za-z0-9-]{0,60}):/.exec(line)?.[1];
    if (name === undefined) return false;
    names.add(name.toLowerCase());
  }
  const has = (...some: readonly string[]): boolean => some.some((name) => names.has(name));
  return has("mime-version", "received", "message-id", "return-path") && has("from", "to", "subject", "date");
}
