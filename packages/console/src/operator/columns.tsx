/** Columns that say whose something is, in lists over all accounts. */
import { Link } from "../ui/route.tsx";
import { type Fact, ShortId } from "../ui/parts.tsx";
import type { Delivery } from "./answers.ts";

type Owned = Pick<Delivery, "account_id" | "account_name">;

/** By its name; one that is being removed has none. */
export const ACCOUNT = {
  name: "Account",
  of: ({ account_id: id, account_name: name }: Owned) => (
    <Link to={`/console/accounts/${id}`}>{name ?? <ShortId of={id} />}</Link>
  ),
};

export const ENDPOINT = {
  name: "Endpoint",
  isWide: true,
  of: ({ endpoint_id: id, url }: Pick<Delivery, "endpoint_id" | "url">) => (
    <Link to={`/console/endpoints/${id}`} title={url ?? ""}>
      {url ?? "removed since"}
    </Link>
  ),
} as const;

export function ownerOf(of: Owned & Pick<Delivery, "product">): readonly Fact[] {
  return [
    ["Account", ACCOUNT.of(of)],
    ["Product", of.product],
  ];
}
