/** What every entry of a catalogue of sources says, from public documentation: one file a source. */
import { Type, type Static } from "typebox";

export const Sentence = Type.String({ minLength: 1, maxLength: 400 });
const Sentences = Type.Array(Sentence, { maxItems: 20 });
export const WebAddress = Type.String({
  pattern: "^https://[^\\s]+$",
  form: "a URL that begins with https://",
});

/** Fields of a file's entry. A `{name}` in a text stands for what the user gives by that name. */
export const EntryPart = Type.Record(Type.String(), Type.Unknown());

const SignInSchema = Type.Object(
  {
    kind: Type.Union([
      Type.Literal("key"),
      Type.Literal("client credentials"),
      Type.Literal("signed assertion"),
      Type.Literal("client credentials and key"),
    ]),
    needs: Type.Record(Type.String({ pattern: "^[a-z][A-Za-z]{1,39}$" }), Sentence, {
      description: "What the user gives, and where the source shows it.",
    }),
    entry: EntryPart,
  },
  { additionalProperties: false },
);

/** What is said of one API. */
export const apiFields = {
  signIn: Type.Array(SignInSchema, {
    maxItems: 4,
    description: "The ways to sign in; the file's fields choose.",
  }),
  unsupported: Type.Optional({
    ...Sentence,
    description: "Why Boathook cannot poll it.",
  } as typeof Sentence),
  quirks: Sentences,
  unknown: Type.Array(Sentence, { maxItems: 20, description: "What no public page was found to say." }),
  sources: Type.Array(
    Type.Object(
      { url: WebAddress, read: Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\d$" }), of: Sentence },
      { additionalProperties: false },
    ),
    { minItems: 1, maxItems: 10 },
  ),
};

export const catalogueFields = {
  name: Type.String({ minLength: 1, maxLength: 100 }),
  apply: Type.Object({ url: WebAddress, how: Sentence }, { additionalProperties: false }),
  entry: Type.Optional(EntryPart),
  ...apiFields,
};

export type SignIn = Static<typeof SignInSchema>;
