/**
 * XML as a tree of its elements, without entities of its own, DTDs or anything else that reads further. What an
 * attacker may make long, deep or many is bounded.
 */
import { SaxesParser, type SaxesTagNS } from "saxes";

import type { SlicedWork } from "../../../../runtime/time-slices.ts";
import type { Problem } from "../imp/problem.ts";

export type XmlElement = {
  /** Without its prefix. */
  readonly name: string;
  /** Its namespace; empty without one. */
  readonly uri: string;
  /** Without prefixes and declarations of namespaces. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Its own, sections of CDATA included. */
  readonly text: string;
  /** Of its tag in the text received, both from 1. */
  readonly line: number;
  readonly column: number;
};

/** Reports what is wrong at an element; reading continues. */
export type ReportElement = (at: XmlElement, message: string) => void;

/** Cargo-XML has ten levels, and SOAP some more around it. */
const DEPTH_MAX = 100;
/** A status has some sixty. */
const ELEMENTS_MAX = 50_000;
/** Of one element, declarations of namespaces included. */
const ATTRIBUTES_MAX = 500;
/** Parsed within some milliseconds. */
const CHUNK_CHARS = 64 * 1_024;

type Open = { -readonly [name in keyof XmlElement]: XmlElement[name] } & { children: Open[] };

/** The root, or why and where the text is none. */
export function* readXml(received: string): SlicedWork<XmlElement | Problem> {
  const text = withoutProlog(received);
  const tree: Tree = { open: [], root: null, count: 0, attributes: 0, start: { line: 1, column: 1 } };
  const parser = parserInto(tree);
  try {
    for (let from = 0; from < text.length; from += CHUNK_CHARS) {
      parser.write(text.slice(from, from + CHUNK_CHARS));
      yield;
    }
    parser.close();
  } catch (error) {
    return { line: parser.line, column: parser.columnIndex + 1, message: reasonOf(error as Error) };
  }
  return tree.root ?? { line: 1, column: 1, message: "the XML has no element" };
}

type Tree = {
  readonly open: Open[];
  root: Open | null;
  count: number;
  /** Of the tag that is being read. */
  attributes: number;
  /** Of the tag that is being read. */
  start: { readonly line: number; readonly column: number };
};

function parserInto(tree: Tree): SaxesParser<{ xmlns: true; position: true }> {
  const parser = new SaxesParser({ xmlns: true, position: true });
  const addText = (text: string): void => {
    const last = tree.open.at(-1);
    if (last !== undefined) last.text += text;
  };
  parser.on("error", refuse);
  parser.on("doctype", () => refuse(new Error("a DOCTYPE is not read")));
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("opentagstart", ({ name }) => {
    // The character after the name is read, too.
    tree.start = { line: parser.line, column: Math.max(1, parser.columnIndex - name.length - 1) };
    tree.attributes = 0;
  });
  parser.on("attribute", () => {
    tree.attributes += 1;
    if (tree.attributes > ATTRIBUTES_MAX)
      refuse(new Error(`more than ${ATTRIBUTES_MAX} attributes of an element are not read`));
  });
  parser.on("opentag", (tag) => open(tree, tag));
  parser.on("closetag", () => tree.open.pop());
  return parser;
}

function open(tree: Tree, tag: SaxesTagNS): void {
  tree.count += 1;
  if (tree.count > ELEMENTS_MAX) refuse(new Error(`more than ${ELEMENTS_MAX} elements are not read`));
  if (tree.open.length === DEPTH_MAX) refuse(new Error(`elements deeper than ${DEPTH_MAX} are not read`));
  const attributes = Object.values(tag.attributes).filter(({ prefix, local }) =>
    prefix === "" ? local !== "xmlns" : prefix !== "xmlns",
  );
  const element: Open = {
    name: tag.local,
    uri: tag.uri,
    attributes: new Map(attributes.map(({ local, value }) => [local, value])),
    children: [],
    text: "",
    ...tree.start,
  };
  tree.open.at(-1)?.children.push(element);
  tree.root ??= element;
  tree.open.push(element);
}

function refuse(error: Error): never {
  throw error;
}

/** Some senders write blanks before the declaration, and what it says of bytes is over; lines and columns stay. */
function withoutProlog(text: string): string {
  const end =
    /^[\s\uFEFF\0]*<\?xml\s[^>]{0,200}\?>/.exec(text)?.[0].length ?? /^[\s\uFEFF\0]*/.exec(text)![0].length;
  return text.slice(0, end).replaceAll(/[^\r\n]/g, " ") + text.slice(end);
}

/** The parser's message begins with the place. */
function reasonOf({ message }: Error): string {
  return `the XML cannot be read: ${message.replace(/^\d+:\d+: /, "").replace(/\.$/, "")}`;
}

/** The elements of a path of names below one; namespaces do not count, since senders differ in them. */
export function elementsAt(element: XmlElement, ...path: readonly string[]): readonly XmlElement[] {
  return path.reduce<readonly XmlElement[]>(
    (found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)),
    [element],
  );
}

/** The trimmed text of the first that has any; null without. */
export function textAt(element: XmlElement, ...path: readonly string[]): string | null {
  const texts = elementsAt(element, ...path).map(({ text }) => text.trim());
  return texts.find((text) => text !== "") ?? null;
}
