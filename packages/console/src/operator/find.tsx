import { pathOfShipment } from "../freight/product.tsx";
import { useData } from "../ui/data.tsx";
import { Findings } from "../ui/find.tsx";
import { usePlace } from "../ui/route.tsx";
import { addressOf, type Finding } from "./answers.ts";
import { ACCOUNT } from "./columns.tsx";

export function Find() {
  const place = usePlace();
  const found = useData(addressOf("/v1/find", { q: place.query.get("q") ?? "" }), place);
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

function linkOf(one: Finding): string {
  const { kind, id, account_id: account, product } = one;
  switch (kind) {
    case "account":
    case "key":
      return `/console/accounts/${account ?? id}`;
    case "shipment":
      return `/console/accounts/${account ?? ""}/${product ?? ""}/${pathOfShipment(one)}`;
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
