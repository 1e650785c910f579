import { pathOfShipment } from "../freight/product.tsx";
import { useData } from "../ui/data.tsx";
import { Findings, type Finding } from "../ui/find.tsx";
import { usePlace } from "../ui/route.tsx";
import { addressOf } from "./answers.ts";
import { FREIGHT, PAGES } from "./place.ts";

export function Find() {
  const place = usePlace();
  const { value, ...found } = useData(addressOf("/v1/find", { q: place.query.get("q") ?? "" }), place);
  return <Findings of={{ ...found, value: value?.data ?? null }} linkOf={linkOf} />;
}

/** An event has no page of its own: the list shows all of it. */
function linkOf(one: Finding): string | null {
  const { kind, id, endpoint_id: endpoint, title } = one;
  switch (kind) {
    case "shipment":
      return FREIGHT === null ? null : `${PAGES}/${FREIGHT.path}/${pathOfShipment(one)}`;
    case "endpoint":
      return `${PAGES}/endpoints/${id}`;
    case "delivery":
      return `${PAGES}/endpoints/${endpoint ?? ""}/deliveries/${id}`;
    case "event":
      return `${PAGES}/events?type=${encodeURIComponent(title)}`;
    case "event_type":
      return `${PAGES}/event-types/${encodeURIComponent(id)}`;
    default:
      return null;
  }
}
