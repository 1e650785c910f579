import { usePages, Shown, Trouble, useData } from "../ui/data.tsx";
import { Badge, Empty, Facts, Head, More, Section, Table } from "../ui/parts.tsx";
import { Link } from "../ui/route.tsx";
import { Time } from "../ui/time.tsx";
import { ProductLinks } from "./account-product.tsx";
import { addressOf } from "./answers.ts";
import { EndpointTable } from "./endpoints.tsx";
import { useLive } from "./live.ts";

export function Accounts() {
  const { tick } = useLive();
  const found = usePages(addressOf("/v1/accounts"), ({ accounts }) => accounts, tick);
  return (
    <>
      <Head title="Accounts" about="Who has keys and endpoints, newest first." />
      <Trouble of={found} />
      <Section title="All accounts">
        {found.items === null && found.failure === null && <p class="loading">Loading…</p>}
        {found.items?.length === 0 && (
          <Empty title="There is no account yet">
            Make the first: <code>npx boathook accounts create "Acme Forwarding"</code>
          </Empty>
        )}
        {found.items !== null && found.items.length > 0 && (
          <Table
            label="Accounts"
            rows={found.items}
            keyOf={({ id }) => id}
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
          />
        )}
        <More of={found.more} />
      </Section>
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
    <Shown of={account}>
      {(found) => (
        <>
          <Head title={found.name} about={<code>{found.id}</code>}>
            <Link to={`/console/deliveries?account_id=${id}`} class="button">
              Its deliveries
            </Link>
          </Head>
          <Section title="Account">
            <Facts
              of={[
                ["Entitlements", <Entitlements key="entitlements" of={found.entitlements} />],
                ["Demurrage alerts", found.demurrage_alerting ? "on" : "off"],
                ["Created", <Time key="created" at={found.created_at} full />],
              ]}
            />
          </Section>
          <ProductLinks id={id} />
          <AccountEndpoints id={id} />
          <Keys id={id} />
        </>
      )}
    </Shown>
  );
}

function AccountEndpoints({ id }: { readonly id: string }) {
  const { tick } = useLive();
  const found = usePages(addressOf("/v1/endpoints", { account_id: id }), ({ endpoints }) => endpoints, tick);
  return (
    <Section title="Endpoints">
      <Trouble of={found} />
      {found.items?.length === 0 ? (
        <Empty title="No endpoint">
          The client registers one with a key: POST /{"{product}"}/v1/webhooks.
        </Empty>
      ) : (
        <EndpointTable endpoints={found.items ?? []} label="Endpoints" isOfOne />
      )}
      <More of={found.more} />
    </Section>
  );
}

function Keys({ id }: { readonly id: string }) {
  const keys = useData(addressOf("/v1/accounts/{id}/keys", { id }));
  return (
    <Section title="Keys">
      <Shown of={keys}>
        {({ keys: rows }) =>
          rows.length === 0 ? (
            <Empty title="No key">
              Make one: <code>npx boathook keys create {id} --prefix tracking</code>
            </Empty>
          ) : (
            <Table
              label="Keys"
              rows={rows}
              keyOf={(key) => key.id}
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
            />
          )
        }
      </Shown>
    </Section>
  );
}
