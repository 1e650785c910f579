/** Starts tracking. */
import { useState } from "preact/hooks";

import type { Failure } from "../../ui/api.ts";
import { Note } from "../../ui/parts.tsx";
import { go } from "../../ui/route.tsx";
import { useClient, useProductPlace } from "../place.tsx";
import type { Tracking } from "./answers.ts";

export function Track() {
  const { pages } = useProductPlace();
  const { ask } = useClient<Tracking>();
  const [reference, setReference] = useState("");
  const [carrier, setCarrier] = useState("");
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const track = async (): Promise<void> => {
    setSending(true);
    const hint = carrier.trim() === "" ? {} : { carrier: carrier.trim() };
    const answer = await ask("POST /v1/containers", {}, { reference: reference.trim(), ...hint });
    setSending(false);
    setFailure(answer.ok ? null : answer.failure);
    if (answer.ok) go(`${pages}/${answer.value.id}`);
  };
  return (
    <form
      class="filters track"
      aria-label="Track"
      onSubmit={(event) => {
        event.preventDefault();
        void track();
      }}
    >
      <label class="grow">
        Track a container, bill of lading or booking
        <input
          value={reference}
          required
          spellcheck={false}
          placeholder="such as MSCU1234566"
          onInput={({ currentTarget }) => setReference(currentTarget.value)}
        />
      </label>
      <label>
        Carrier, if you know it
        <input
          value={carrier}
          spellcheck={false}
          placeholder="SCAC"
          onInput={({ currentTarget }) => setCarrier(currentTarget.value)}
        />
      </label>
      <button type="submit" class="primary" disabled={isSending}>
        Track
      </button>
      {failure !== null && <Note kind="bad">{failure.message}</Note>}
    </form>
  );
}
