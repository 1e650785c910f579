const FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A UUID as the database writes it, in lower case; null when the text is none. */
export function readUuid(text: string): string | null {
  return FORM.test(text) ? text.toLowerCase() : null;
}
