/** What an account's keys would read of a product. */
import { useEffect, useRef } from "preact/hooks";

import { tagIn, NAMES, ProductView } from "../freight/product.tsx";
import type { Tag } from "../freight/place.tsx";
import { useData } from "../ui/data.tsx";
import { Head, Section } from "../ui/parts.tsx";
import { decoded, Link } from "../ui/route.tsx";
import { addressOf } from "./answers.ts";
import { useLive } from "./live.ts";

const TAGS = Object.keys(NAMES) as readonly Tag[];

export function ProductLinks({ id }: { readonly id: string }) {
  return (
    <Section title="What it tracks">
      <p class="bar">
        {TAGS.map((tag) => (
          <Link key={tag} to={`/console/accounts/${id}/${tag}`} class="button">
            {NAMES[tag]}
          </Link>
        ))}
      </p>
    </Section>
  );
}

/** `rest`: the product's tag, and what its pages take. */
export function AccountProduct({ id, rest }: { readonly id: string; readonly rest: string }) {
  const { tick } = useLive();
  const account = useData(addressOf("/v1/accounts/{id}", { id }));
  const [first = "", ...others] = rest.split("/");
  const tag = tagIn(first);
  const names = useRef<HTMLElement>(null);
  const isNamed = account.value !== null;
  useEffect(() => {
    // On a narrow screen the names of the products scroll; that of the account, which comes later, moves them.
    names.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [tag, isNamed]);
  if (tag === null)
    return (
      <Head
        title="There is no such page"
        about={<Link to={`/console/accounts/${id}`}>To the account</Link>}
      />
    );
  const routes = `/v1/accounts/${encodeURIComponent(id)}/${tag}`;
  const pages = `/console/accounts/${id}/${tag}`;
  return (
    <>
      <nav ref={names} class="account-products" aria-label="Account">
        <Link to={`/console/accounts/${id}`}>{account.value?.name ?? "The account"}</Link>
        {TAGS.map((one) => (
          <Link key={one} to={`/console/accounts/${id}/${one}`} current={one === tag}>
            {NAMES[one]}
          </Link>
        ))}
      </nav>
      <ProductView tag={tag} rest={others.map(decoded)} place={{ routes, pages, mayChange: false, tick }} />
    </>
  );
}
