/** What a client may do with a shipment of theirs. */
import { useState } from "preact/hooks";

import type { Failure } from "../../ui/api.ts";
import { Note } from "../../ui/parts.tsx";
import { go } from "../../ui/route.tsx";
import { useClient, useProductPlace } from "../place.tsx";
import type { Container, Tracking } from "./answers.ts";

type ActionsProps = { readonly of: Container; readonly onChanged: () => void };

/** Stopping asks first: the record is gone then. */
export function Actions({ of, onChanged }: ActionsProps) {
  const { pages } = useProductPlace();
  const { ask } = useClient<Tracking>();
  const [state, setState] = useState<"idle" | "asking" | "sending" | "queued">("idle");
  const [failure, setFailure] = useState<Failure | null>(null);
  const send = async (
    route: "POST /v1/containers/{id}/recheck" | "DELETE /v1/containers/{id}",
    done: () => void,
  ): Promise<void> => {
    setState("sending");
    const answer = await ask(route, { id: of.id });
    setState("idle");
    setFailure(answer.ok ? null : answer.failure);
    if (answer.ok) done();
  };
  const recheck = () =>
    send("POST /v1/containers/{id}/recheck", () => {
      setState("queued");
      onChanged();
    });
  return (
    <>
      {failure !== null && <Note kind="bad">{failure.message}</Note>}
      {state === "asking" ? (
        <div class="confirm" role="group" aria-label="Stop tracking?">
          <p>Its record is deleted. Events that were raised are still delivered.</p>
          <button type="button" onClick={() => setState("idle")}>
            Cancel
          </button>
          <button
            type="button"
            class="primary"
            onClick={() => void send("DELETE /v1/containers/{id}", () => go(pages))}
          >
            Stop tracking
          </button>
        </div>
      ) : (
        <>
          <span role="status" class="quiet">
            {state === "queued" && "The carrier is asked next."}
          </span>
          <button type="button" disabled={state === "sending"} onClick={() => void recheck()}>
            Ask the carrier now
          </button>
          <button type="button" disabled={state === "sending"} onClick={() => setState("asking")}>
            Stop tracking…
          </button>
        </>
      )}
    </>
  );
}
