import { DeliveryView } from "../pages/delivery.tsx";
import { BodyText, Code } from "../pages/text.tsx";
import { Found, useData } from "../ui/data.tsx";
import { Section } from "../ui/parts.tsx";
import { go } from "../ui/route.tsx";
import { adviceOn } from "./advice.ts";
import { addressOf } from "./answers.ts";
import { useLive } from "./live.ts";
import { PAGES } from "./place.ts";
import { Trail } from "./trail.tsx";
import { pasteIntoVerify } from "./verify.tsx";

type Props = { readonly endpointId: string; readonly id: string };

export function DeliveryPage({ endpointId, id }: Props) {
  const { tick } = useLive();
  const address = addressOf("/v1/webhooks/{id}/deliveries/{delivery_id}", {
    id: endpointId,
    delivery_id: id,
  });
  return (
    <>
      <Trail
        of={[
          ["Endpoints", `${PAGES}/endpoints`],
          ["The endpoint", `${PAGES}/endpoints/${endpointId}`],
        ]}
      />
      <Found of={useData(address, tick)} name="delivery">
        {({ data: found }) => (
          <DeliveryView
            of={found}
            adviceOn={adviceOn}
            facts={[
              ...(found.summary === null ? [] : [["What happened", found.summary] as const]),
              ["Event", <code key="event">{found.event_id}</code>],
            ]}
          >
            <Headers of={found.headers} body={found.body} />
            <Section title="Body as sent">
              <BodyText of={found.body} label="Body as sent" />
            </Section>
          </DeliveryView>
        )}
      </Found>
    </>
  );
}

type HeadersProps = { readonly of: Readonly<Record<string, string>>; readonly body: string };

function Headers({ of, body }: HeadersProps) {
  const headers = Object.entries(of)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
  const verify = (): void => {
    pasteIntoVerify({ headers, body });
    go(`${PAGES}/verify`);
  };
  return (
    <Section
      title="Headers as sent"
      aside={
        <button type="button" class="plain" onClick={verify}>
          Verify with your secret
        </button>
      }
    >
      <Code label="Headers as sent" text={headers} isRaw />
    </Section>
  );
}
