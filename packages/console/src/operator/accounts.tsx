/** Accounts, and what the keys of one would read of a product. */
import type { Tag } from "../freight/place.tsx";
import { NAMES, ProductView, tagIn } from "../freight/product.tsx";
import { withQuery } from "../ui/api.ts";
import { Found, useData, usePages } from "../ui/data.tsx";
import { Badge, Empty, Head, NoPage, Section } from "../ui/parts.tsx";
import { Link } from "../ui/route.tsx";
import { ListSection } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { addressOf } from "./answers.ts";
import { OF_ACCOUNT } from "./endpoints.tsx";
import { useLive } from "./live.ts";

export function Accounts() {
  const { tick } = useLive();
  const found = usePages(addressOf("/v1/accounts"), ({ accounts }) => accounts, tick);
  return (
    <>
      <Head title="Accounts" about="Who has keys and endpoints, newest first." />
      <ListSection
        title="All accounts"
        label="Accounts"
        of={found}
        columns={[
          {
            name: "Name",
            isWide: true,
            of: ({ id, name }) => <Link to={`/console/accounts/${id}`}>{name}</Link>,
          },
          { name: "Entitlements", of: ({ entitlements }) => <Entitlements of={entitlements} /> },
          { name: "Created", of: ({ created_at: at }) => <Time at={at} /> },
          { name: "Id", of: ({ id }) => <code>{id}</code> },
        ]}
        none={
          <Empty title="There is no account yet">
            Make the first: <code>npx boathook accounts create "Acme Forwarding"</code>
          </Empty>
        }
      />
    </>
  );
}

function Entitlements({ of }: { readonly of: readonly string[] }) {
  if (of.length === 0) return <span class="quiet">none</span>;
  return (
    <>
      {of.map((name) => (
        <Badge key={name} tone="none">
          {name}
        </Badge>
      ))}
    </>
  );
}

export function AccountPage({ id }: { readonly id: string }) {
  const { tick } = useLive();
  const account = useData(addressOf("/v1/accounts/{id}", { id }), tick);
  return (
    <Found of={account} name="account">
      {(found) => (
        <>
          <Head title={found.name} about={<code>{found.id}</code>}>
            <Link to={`/console/deliveries?account_id=${id}`} class="button">
              Its deliveries
            </Link>
          </Head>
          <Section
            title="Account"
            facts={[
              ["Entitlements", <Entitlements key="entitlements" of={found.entitlements} />],
              ["Demurrage alerts", found.demurrage_alerting ? "on" : "off"],
              ["Created", <Time key="created" at={found.created_at} full />],
            ]}
          />
          <ProductLinks id={id} />
          <AccountEndpoints id={id} />
          <Keys id={id} />
        </>
      )}
    </Found>
  );
}

function AccountEndpoints({ id }: { readonly id: string }) {
  const { tick } = useLive();
  const found = usePages(addressOf("/v1/endpoints", { account_id: id }), ({ endpoints }) => endpoints, tick);
  return (
    <ListSection
      title="Endpoints"
      of={found}
      columns={OF_ACCOUNT}
      none={
        <Empty title="No endpoint">
          The client registers one with a key: POST /{"{product}"}/v1/webhooks.
        </Empty>
      }
    />
  );
}

function Keys({ id }: { readonly id: string }) {
  const { tick } = useLive();
  const keys = usePages(addressOf("/v1/accounts/{id}/keys", { id }), (answer) => answer.keys, tick);
  return (
    <ListSection
      title="Keys"
      of={keys}
      columns={[
        {
          name: "State",
          of: ({ revoked_at: at }) =>
            at === null ? <Badge tone="good">Works</Badge> : <Badge tone="none">Revoked</Badge>,
        },
        { name: "Opens", of: ({ prefix }) => <code>{prefix}_…</code> },
        { name: "Label", isWide: true, of: ({ label }) => label || <span class="quiet">–</span> },
        { name: "Created", of: ({ created_at: at }) => <Time at={at} /> },
        { name: "Revoked", of: ({ revoked_at: at }) => <Time at={at} /> },
      ]}
      none={
        <Empty title="No key">
          Make one: <code>npx boathook keys create {id} --prefix tracking</code>
        </Empty>
      }
    />
  );
}

const TAGS = Object.keys(NAMES) as readonly Tag[];

function ProductLinks({ id }: { readonly id: string }) {
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

type AccountProductProps = { readonly id: string; readonly tag: string; readonly rest: readonly string[] };

export function AccountProduct({ id, tag: named, rest }: AccountProductProps) {
  const { tick } = useLive();
  const account = useData(addressOf("/v1/accounts/{id}", { id }));
  const tag = tagIn(named);
  if (tag === null) return <NoPage to={`/console/accounts/${id}`} above="To the account" />;
  if (account.failure?.status === 404)
    return (
      <Found of={account} name="account">
        {() => null}
      </Found>
    );
  const routes = `/v1/accounts/${encodeURIComponent(id)}/${tag}`;
  const pages = `/console/accounts/${id}/${tag}`;
  const owner = <Link to={`/console/accounts/${id}`}>{account.value?.name ?? "The account"}</Link>;
  return (
    <>
      <nav class="account-products" aria-label="Account">
        {owner}
        {TAGS.map((one) => (
          <Link key={one} to={`/console/accounts/${id}/${one}`} current={one === tag}>
            {NAMES[one]}
          </Link>
        ))}
      </nav>
      <ProductView
        tag={tag}
        rest={rest}
        place={{
          routes,
          pages,
          to: {
            endpoint: (endpoint) => `/console/endpoints/${endpoint}`,
            delivery: (delivery) => `/console/deliveries/${delivery.id}`,
            event: (event) => `/console/events/${event}`,
            raised: (reference) => withQuery("/console/deliveries", { account_id: id, reference }),
          },
          owner,
          mayChange: false,
          tick,
        }}
      />
    </>
  );
}
