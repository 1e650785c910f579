/** The texts in an answer that hold messages: the answer itself, or the values of a field of its JSON or XML. */
export type Envelope = {
  readonly format: "json" | "xml";
  /** JSON: the path to the field, with dots; XML: the name of the element, without its prefix. */
  readonly at: string;
};

/** Without empty texts; a string is the reason why the answer has none. */
export function textsIn(
  body: string,
  envelope: Envelope | undefined,
): readonly string[] | "not_json" | "not_xml" {
  if (envelope === undefined) return nonEmptyTexts([body]);
  if (envelope.format === "xml") {
    return /<html\b/i.test(body) || !/^\s*</.test(body)
      ? "not_xml"
      : nonEmptyTexts(elementsIn(body, envelope.at));
  }
  try {
    const steps = envelope.at.split(".");
    return nonEmptyTexts(steps.reduce<readonly unknown[]>(membersOf, [JSON.parse(body)]));
  } catch {
    return "not_json";
  }
}

/** An answer is about one waybill. */
const TEXTS_MAX = 1_000;

function nonEmptyTexts(values: readonly unknown[]): readonly string[] {
  return values
    .flat()
    .filter((value): value is string => typeof value === "string" && value.trim() !== "")
    .slice(0, TEXTS_MAX);
}

/** A member of each object, also of the objects in lists. */
function membersOf(values: readonly unknown[], name: string): readonly unknown[] {
  return values
    .flat()
    .flatMap((value) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, name)
        ? [(value as Readonly<Record<string, unknown>>)[name]]
        : [],
    );
}

/** The content of each element of a name: characters, or the elements of Cargo-XML as they stand. */
function elementsIn(xml: string, name: string): readonly string[] {
  const escaped = name.replaceAll(/[^\w-]/g, "\\$&");
  const tag = new RegExp(`<(/?)(?:[\\w.-]+:)?${escaped}(?:\\s[^<>]*)?>`, "g");
  const found: string[] = [];
  let from: number | null = null;
  for (const { 0: whole, 1: slash, index } of xml.matchAll(tag)) {
    if (slash === "") from = whole.endsWith("/>") ? null : index + whole.length;
    else if (from !== null) {
      const content = xml.slice(from, index);
      found.push(/^\s*<[\w?]/.test(content) ? content : characterData(content));
      from = null;
    }
  }
  return found;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function characterData(xml: string): string {
  return xml
    .split("<![CDATA[")
    .map((part, index) => {
      const end = index === 0 ? -1 : part.indexOf("]]>");
      return end === -1 ? unescapeXml(part) : part.slice(0, end) + unescapeXml(part.slice(end + 3));
    })
    .join("");
}

function unescapeXml(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([\dA-Fa-f]{1,6})|(lt|gt|amp|quot|apos));/g,
    (whole: string, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
