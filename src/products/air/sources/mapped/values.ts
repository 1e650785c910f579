/** What JSON Pointers (RFC 6901) name in an answer; XML is read as JSON would have it. */
import type { XmlElement } from "../carried/xml.ts";

/**
 * All values at a pointer. A step into a list goes into each of its members, unless it is a number.
 *
 * @param pointer - `/shipment/events`; empty: the value itself.
 */
export function valuesAt(value: unknown, pointer: string): readonly unknown[] {
  const steps = pointer.split("/").slice(1);
  return steps
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<readonly unknown[]>(membersOf, [value])
    .flat();
}

function membersOf(values: readonly unknown[], name: string): readonly unknown[] {
  return values.flatMap((value) => {
    if (!Array.isArray(value)) return memberOf(value, name);
    return /^\d+$/.test(name) ? [value[Number(name)]] : value.flatMap((one) => memberOf(one, name));
  });
}

function memberOf(value: unknown, name: string): readonly unknown[] {
  const isMember = typeof value === "object" && value !== null && Object.hasOwn(value, name);
  return isMember ? [(value as Readonly<Record<string, unknown>>)[name]] : [];
}

/** The first text or number that is not blank; of several pointers each, joined. Null: one of them has none. */
export function textAtPointers(
  value: unknown,
  pointers: string | readonly string[] | undefined,
  joint: string,
): string | null {
  if (pointers === undefined) return null;
  const texts = [pointers].flat().map((pointer) => firstText(valuesAt(value, pointer)));
  return texts.includes(null) ? null : texts.join(joint);
}

/** Whether a value there is true, also as a text. */
export function isTrueAt(value: unknown, pointers: string | readonly string[] | undefined): boolean {
  return [pointers ?? []]
    .flat()
    .some((pointer) => valuesAt(value, pointer).some((one) => /^(?:true|yes|y|1)$/i.test(String(one))));
}

function firstText(values: readonly unknown[]): string | null {
  const texts = values.map((value) =>
    typeof value === "string" || typeof value === "number" ? String(value).trim() : "",
  );
  return texts.find((text) => text !== "") ?? null;
}

/** Elements by name, several of one name as a list, attributes with `@`, and the text of an element with either as `#text`. */
export function plainXml({ attributes, children, text }: XmlElement): unknown {
  if (children.length === 0 && attributes.size === 0) return text.trim();
  const named = Object.entries(Object.groupBy(children, ({ name }) => name)).map(([name, alike = []]) => [
    name,
    alike.length === 1 ? plainXml(alike[0]!) : alike.map(plainXml),
  ]);
  const marked = [...attributes].map(([name, value]) => [`@${name}`, value]);
  return Object.fromEntries([...marked, ...named, ["#text", text.trim()]]) as unknown;
}
