import { useState } from "preact/hooks";

import { Note } from "../ui/parts.tsx";
import { signIn } from "./session.ts";

export function SignIn({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const [token, setToken] = useState("");
  const [failure, setFailure] = useState<string | null>(null);
  const [isSending, setIsSending] = useState(false);
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    setIsSending(true);
    const answer = await signIn(token);
    setIsSending(false);
    setFailure(answer.ok ? null : answer.failure.message);
    if (answer.ok) onSignedIn();
  };
  return (
    <main class="sign-in">
      <form class="card" onSubmit={(event) => void send(event)}>
        <h1>Boathook</h1>
        <p class="quiet">The operator's console</p>
        {failure !== null && <Note kind="bad">{failure}</Note>}
        <label>
          Operator's token
          <input
            type="password"
            required
            autocomplete="current-password"
            value={token}
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary" disabled={isSending}>
          Sign in
        </button>
        <p class="quiet">
          It is what <code>BOATHOOK_OPERATOR_TOKEN</code> says, or else stands in <code>operator.token</code>{" "}
          in the data folder: <code>cat data/operator.token</code>
        </p>
      </form>
    </main>
  );
}
