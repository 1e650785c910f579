import { useState } from "preact/hooks";

import { Note } from "../ui/parts.tsx";
import { PRODUCT } from "./place.ts";
import { signIn } from "./session.ts";

type SignInProps = { readonly why: string | null; readonly onSignedIn: () => void };

/** `why`: what happened to the link or the session that the reader came with. */
export function SignIn({ why, onSignedIn }: SignInProps) {
  const [key, setKey] = useState("");
  const [failure, setFailure] = useState(why);
  const [isSending, setIsSending] = useState(false);
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    setIsSending(true);
    const answer = await signIn(key.trim());
    setIsSending(false);
    setFailure(answer.ok ? null : answer.failure.message);
    if (answer.ok) onSignedIn();
  };
  return (
    <main class="sign-in portal">
      <form class="card" onSubmit={(event) => void send(event)}>
        <span class="mark" aria-hidden="true">
          {PRODUCT.initial}
        </span>
        <div>
          <h1>{PRODUCT.name}</h1>
          <p class="quiet">Your webhooks: endpoints, deliveries and events</p>
        </div>
        {failure !== null && <Note kind="bad">{failure}</Note>}
        <label>
          API key
          <input
            type="password"
            required
            autocomplete="current-password"
            spellcheck={false}
            value={key}
            onInput={({ currentTarget }) => setKey(currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary" disabled={isSending}>
          Sign in
        </button>
        <p class="quiet">
          The key that your programs send. The page does not keep it, but a session, which ends when the key
          is revoked, and soon after you have closed the page.
        </p>
      </form>
    </main>
  );
}
