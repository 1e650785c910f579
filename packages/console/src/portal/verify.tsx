import { useEffect, useState } from "preact/hooks";

import { createDraft } from "../ui/drafts.ts";
import { Head, Note, Section } from "../ui/parts.tsx";
import { PRODUCT } from "./place.ts";
import { checkSignature, type Pasted, type Verdict } from "./signature.ts";

const pasted = createDraft<Pasted>(() => ({ headers: "", body: "", secret: "" }));

/** What a delivery's page hands over; never by the address. */
export function pasteIntoVerify(part: Pick<Pasted, "headers" | "body">): void {
  pasted.now = { ...part, secret: "" };
}

/** Checks a signature in the page itself. */
export function Verify() {
  const [given, setGiven] = useState(pasted.now);
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const change = (part: Partial<Pasted>): void => setGiven({ ...given, ...part });
  const isComplete = Object.values(given).every((text) => text.trim() !== "");
  useEffect(() => {
    // Another page's visit does not find the secret.
    pasted.now = { ...given, secret: "" };
    let isWanted = true;
    if (!isComplete || !isSecureContext) setVerdict(null);
    else void checkSignature(given, Date.now()).then((found) => isWanted && setVerdict(found));
    return () => {
      isWanted = false;
    };
  }, [given]);
  return (
    <>
      <Head
        title="Verify a signature"
        about="Paste what your receiver got, byte for byte. It is checked in this page; nothing of it leaves your browser."
      />
      {!isSecureContext && (
        <Note kind="bad">
          Browsers compute signatures only on pages that came over https. Open the portal by its https
          address.
        </Note>
      )}
      <Section title="What your receiver got">
        <form class="fields wide" onSubmit={(event) => event.preventDefault()}>
          <label class="field">
            Headers
            <textarea
              rows={5}
              spellcheck={false}
              placeholder={`X-${PRODUCT.header}-Signature: sha256=…`}
              value={given.headers}
              onInput={({ currentTarget }) => change({ headers: currentTarget.value })}
            />
          </label>
          <label class="field">
            Body
            <textarea
              rows={8}
              spellcheck={false}
              placeholder='{"id":"…","type":"…","occurred_at":"…","data":{…}}'
              value={given.body}
              onInput={({ currentTarget }) => change({ body: currentTarget.value })}
            />
          </label>
          <label class="field">
            Secret
            <input
              type="password"
              autocomplete="off"
              spellcheck={false}
              placeholder="whsec_…"
              value={given.secret}
              onInput={({ currentTarget }) => change({ secret: currentTarget.value })}
            />
          </label>
        </form>
      </Section>
      <div role="status" class="verdict">
        {verdict !== null && <Said of={verdict} />}
      </div>
    </>
  );
}

function Said({ of: { isGood, findings } }: { readonly of: Verdict }) {
  return (
    <>
      {isGood && (
        <Note kind="good" isStill>
          <strong>The signature fits.</strong> The body is what was sent, and the secret is the endpoint's.
        </Note>
      )}
      {findings.length > 0 && (
        <Note kind={isGood ? "warn" : "bad"} isStill>
          {!isGood && (
            <p>
              <strong>It does not verify.</strong>
            </p>
          )}
          {findings.map((finding) => (
            <p key={finding}>{finding}</p>
          ))}
        </Note>
      )}
    </>
  );
}
