/** XML → the Cargo-XML documents in it, read, and the texts in it that may hold a message. */
import type { SlicedWork } from "../../../../runtime/time-slices.ts";
import { isCargoDocument, readDocument } from "../cargo-xml/read-document.ts";
import type { ReadMessage } from "../imp/read-messages.ts";
import { mayHoldMessage, within, type Carried, type Opened } from "./carried.ts";
import { readXml, type XmlElement } from "./xml.ts";

const ELEMENTS_PER_STEP = 5_000;
/** Of one text, as of one in Cargo-IMP. */
const DOCUMENTS_MAX = 1_000;

export function* openXml(holder: Carried, text: string): SlicedWork<Opened> {
  const root = yield* readXml(text);
  if ("message" in root) return { messages: [], inside: [], failure: root };
  const messages: ReadMessage[] = [];
  const inside: Carried[] = [];
  const waiting: { readonly path: string; readonly element: XmlElement }[] = [
    { path: `/${root.name}`, element: root },
  ];
  let count = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    count += 1;
    if (count % ELEMENTS_PER_STEP === 0) yield;
    const { path, element } = next;
    if (isCargoDocument(element)) {
      if (messages.length < DOCUMENTS_MAX) messages.push(readDocument(element));
      continue;
    }
    if (mayHoldMessage(element.text)) inside.push(within(holder, path, element.text));
    for (const [name, value] of element.attributes) {
      if (mayHoldMessage(value)) inside.push(within(holder, `${path}/@${name}`, value));
    }
    waiting.push(...placed(path, element).toReversed());
  }
  return { messages, inside, failure: null };
}

/** Children by name, and by number from the second of a name on. */
function placed(path: string, { children }: XmlElement) {
  const counts = new Map<string, number>();
  return children.map((element) => {
    const number = (counts.get(element.name) ?? 0) + 1;
    counts.set(element.name, number);
    return { path: `${path}/${element.name}${number === 1 ? "" : `[${number}]`}`, element };
  });
}

const ROOT = /<(?:[\w.-]{1,40}:)?(?:StatusMessage|Waybill|HouseManifest)[\s>]/;

/** Of a document within other text, such as a letter: the rest is blanked, so that lines and columns stay. */
export function xmlWithin(text: string): string | null {
  const start = ROOT.exec(text)?.index;
  if (start === undefined) return null;
  const end = text.lastIndexOf(">") + 1;
  return text.slice(0, start).replaceAll(/[^\r\n]/g, " ") + text.slice(start, end);
}
