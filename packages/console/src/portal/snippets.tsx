import { useState } from "preact/hooks";

import { Section } from "../ui/parts.tsx";
import { Code } from "./pieces.tsx";
import { SNIPPETS, type Language } from "./three-lines.ts";

const KITS: Readonly<Record<Language, string>> = {
  JavaScript: "receiver",
  Python: "receiver-python",
  Go: "receiver-go",
};

export function Snippets() {
  const [language, setLanguage] = useState<Language>("JavaScript");
  return (
    <Section title="A receiver in three lines">
      <div class="bar">
        <fieldset class="switch">
          <legend class="hidden">Language</legend>
          {(Object.keys(SNIPPETS) as Language[]).map((name) => (
            <label key={name}>
              <input
                type="radio"
                name="language"
                checked={name === language}
                onChange={() => setLanguage(name)}
              />
              <span>{name}</span>
            </label>
          ))}
        </fieldset>
      </div>
      <Code label={`A receiver in ${language}`} text={SNIPPETS[language]} />
      <p class="quiet">
        The kit is <code>packages/{KITS[language]}</code> in Boathook. It verifies each delivery with{" "}
        <code>WEBHOOK_SECRET</code>, drops repeats, and answers when your code has returned.
      </p>
    </Section>
  );
}
