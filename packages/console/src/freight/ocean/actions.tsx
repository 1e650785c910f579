/** What a client may do with shipments of theirs. */
import { useState } from "preact/hooks";

import { Confirm, useAction } from "../../ui/action.tsx";
import { Note } from "../../ui/parts.tsx";
import { go } from "../../ui/route.tsx";
import { useClient, useProductPlace } from "../place.tsx";
import type { Container, Tracking } from "./answers.ts";

type ActionsProps = { readonly of: Container; readonly onChanged: () => void };

/** Stopping asks first: the record is gone then. */
export function Actions({ of: { id }, onChanged }: ActionsProps) {
  const { pages } = useProductPlace();
  const { ask } = useClient<Tracking>();
  const { isSending, failure, run } = useAction();
  const [isQueued, setQueued] = useState(false);
  const recheck = (): void =>
    void run(
      () => ask("POST /v1/containers/{id}/recheck", { id }),
      () => {
        setQueued(true);
        onChanged();
      },
    );
  const stop = (): void =>
    void run(
      () => ask("DELETE /v1/containers/{id}", { id }),
      () => go(pages),
    );
  return (
    <>
      {failure !== null && <Note kind="bad">{failure}</Note>}
      <span role="status" class="quiet">
        {isQueued && "The carrier is asked next."}
      </span>
      <button type="button" disabled={isSending} onClick={recheck}>
        Ask the carrier now
      </button>
      <Confirm
        name="Stop tracking…"
        verb="Stop tracking"
        about="Its record is deleted. Events that were raised are still delivered."
        isDisabled={isSending}
        onConfirm={stop}
      />
    </>
  );
}

export function Track() {
  const { pages } = useProductPlace();
  const { ask } = useClient<Tracking>();
  const [reference, setReference] = useState("");
  const [carrier, setCarrier] = useState("");
  const { isSending, failure, run } = useAction();
  const track = (event: Event): void => {
    event.preventDefault();
    const hint = carrier.trim() === "" ? {} : { carrier: carrier.trim() };
    void run(
      () => ask("POST /v1/containers", {}, { reference: reference.trim(), ...hint }),
      ({ id }) => go(`${pages}/${id}`),
    );
  };
  return (
    <form class="filters track" aria-label="Track" onSubmit={track}>
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
      {failure !== null && <Note kind="bad">{failure}</Note>}
    </form>
  );
}
