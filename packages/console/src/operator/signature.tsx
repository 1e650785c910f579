import { useState } from "preact/hooks";

import { Shown, useData } from "../ui/data.tsx";
import { Facts, Note, Section } from "../ui/parts.tsx";
import { addressOf, type SignatureCheck } from "./answers.ts";
import { TextField } from "./fields.tsx";

/** What is signed, whether the service can sign it, and whether a signature that a receiver got is the right one. */
export function Signature({ id }: { readonly id: string }) {
  const [received, setReceived] = useState("");
  const check = useData(addressOf("/v1/deliveries/{id}/signature", { id, signature: received }));
  return (
    <Section title="Signature">
      <Shown of={check}>{(found) => <Checked of={found} />}</Shown>
      <div class="filters">
        <TextField
          name="Signature that the receiver got"
          of={received}
          hint="sha256=…: checks it"
          set={setReceived}
        />
      </div>
    </Section>
  );
}

function Checked({ of }: { readonly of: SignatureCheck }) {
  if (of.problem !== null)
    return (
      <Note kind="bad" isStill>
        The service cannot sign this delivery: {of.problem}.
      </Note>
    );
  return (
    <>
      {of.received_verifies === null ? (
        <p>The signature verifies: the service has the key, and every attempt carries it.</p>
      ) : of.received_verifies ? (
        <Note kind="info">It verifies: the receiver got these bytes from here.</Note>
      ) : (
        <Note kind="warn">
          It does not verify. The receiver got another delivery, or checks a body that it has changed: the
          signature is over the bytes as they came.
        </Note>
      )}
      <Facts
        of={[
          ["Signed", `${of.signed}: ${of.signed_bytes.toLocaleString()} bytes`],
          ["By", of.algorithm],
          ["Header", <code key="header">{of.header}</code>],
          ["Value", <code key="value">{of.signature}</code>],
        ]}
      />
    </>
  );
}
