import { useData } from "../ui/data.tsx";
import { Findings } from "../ui/find.tsx";
import { usePlace } from "../ui/route.tsx";
import { addressOf, type Finding } from "./answers.ts";
import { ACCOUNT } from "./columns.tsx";

export function Find() {
  const { query } = usePlace();
  const found = useData(addressOf("/v1/find", { q: query.get("q") ?? "" }));
  return (
    <Findings
      of={found}
      linkOf={linkOf}
      columns={[
        {
          name: "Account",
          of: ({ account_id: id, account_name: name }) =>
            id === null ? "" : ACCOUNT.of({ account_id: id, account_name: name }),
        },
      ]}
    />
  );
}

function linkOf({ kind, id, account_id: account, product }: Finding): string {
  switch (kind) {
    case "account":
    case "key":
      return `/console/accounts/${account ?? id}`;
    case "endpoint":
      return `/console/endpoints/${id}`;
    case "event":
      return `/console/events/${id}`;
    case "delivery":
      return `/console/deliveries/${id}`;
    case "event_type":
      return `/console/events?product=${product ?? ""}&type=${encodeURIComponent(id)}`;
  }
}
