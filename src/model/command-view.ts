/**
 * What the command line needs to know of an operation beyond its OpenAPI: `x-cli`, beside the route. Texts with holes
 * are templates (`cli/template.ts`) over the answer; one without a hole is the path of a field, or a sentence itself.
 */
export type CommandView = {
  /** The words, `accounts list`. Operations of the same words are one command: the arguments and flags given choose. */
  readonly command: string;
  /** Behind the summary in the help, instead of the description. */
  readonly about?: string;
  /** What follows the words; without it, the examples of what is required. */
  readonly example?: string;
  /** Fields that are arguments besides those of the path, in their order; one that may be left out is an option as well. */
  readonly arguments?: readonly string[];
  /** Names of fields on the command line, where they are not the document's: `{id: "account-id"}`. */
  readonly names?: Readonly<Record<string, string>>;
  /** Chooses this operation among those of the same words. */
  readonly flag?: { readonly name: string; readonly about: string };
  /** The field of the answer that holds the rows of a list. Pages are read until there are `limit`; without it, all. */
  readonly rows?: string;
  readonly limit?: number;
  readonly columns?: Columns;
  readonly sections?: readonly Section[];
  /** A sentence instead of columns. */
  readonly text?: string;
  /** For people alone, on stderr. */
  readonly note?: string;
  /** The status is 1 when it is not empty. */
  readonly fails?: string;
  /** What could not be read of a file, for stderr, a line each. */
  readonly problems?: { readonly title?: string; readonly of: string; readonly line: string };
  /** What has to be typed before anything is done: read from the GET of the same path. */
  readonly confirm?: { readonly name: string; readonly about: string };
  /** The first command may come before the first start. */
  readonly mayCreate?: true;
  /** The body is a file: the media type of each ending of its name. */
  readonly file?: Readonly<Record<string, string>>;
};

/** By heading. A heading that ends with `?` is left out where nothing has a value. */
export type Columns = Readonly<Record<string, string>>;

/**
 * A part of an answer: names and values, a table, or the field `of` alone; with neither, the fields that no other
 * section has. One without rows is left out.
 */
export type Section = { readonly of?: string; readonly facts?: Columns; readonly columns?: Columns };
