/** An index: its values over time, and what it is made of. */
import { useMemo } from "preact/hooks";

import { Chart } from "../../ui/chart.tsx";
import { Found } from "../../ui/data.tsx";
import { Empty, Head, Note, Section, Stat } from "../../ui/parts.tsx";
import { Link } from "../../ui/route.tsx";
import { TableSection } from "../../ui/table.tsx";
import { useClient, useProduct, useProductPlace } from "../place.tsx";
import type { IndexDetail, IndexValue, Rates } from "./answers.ts";
import { amountText, carrierText, Change, Day, Money, priceOf, LaneLink } from "./rate-parts.tsx";

/** Two years of weeks. */
const VALUES_MAX = 104;

export function IndexPage({ id }: { readonly id: string }) {
  const { pages } = useProductPlace();
  const { addressOf } = useClient<Rates>();
  const index = useProduct(addressOf("/v1/indices/{id}", { id, values: VALUES_MAX }));
  return (
    <div class="stack">
      <Found of={index} name="index" back={<Link to={pages}>To the rates</Link>}>
        {({ data }) => (
          <>
            <Head
              title={data.name}
              about={
                <>
                  {amountText(data.base_value)} points on <Day of={data.base_date} />, in {data.currency}
                </>
              }
            >
              <Link to={pages} class="button">
                All rates
              </Link>
            </Head>
            <Latest of={data.values[0] ?? null} />
            <Section title="Values">
              <Curve of={data.values} />
            </Section>
            <div class="columns">
              <Basket of={data} />
              <Values of={data.values} />
            </div>
            {data.exchange_source !== null && <Converted of={data} by={data.exchange_source} />}
          </>
        )}
      </Found>
    </div>
  );
}

function Latest({ of }: { readonly of: IndexValue | null }) {
  if (of === null) return null;
  return (
    <dl class="stats">
      <Stat name="Points" value={amountText(of.value)} about={<Day of={of.dated} />} />
      <Stat
        name="Since the value before"
        value={percentText(of.previous?.change_percent)}
        about={of.previous === null ? "" : `from ${amountText(of.previous.value)}`}
      />
      <Stat
        name="In four weeks"
        value={percentText(of.four_weeks_before?.change_percent)}
        about={of.four_weeks_before === null ? "" : `from ${amountText(of.four_weeks_before.value)}`}
      />
      <Stat
        name="Share of the basket with a price"
        value={`${of.coverage_percent} %`}
        about={`${of.lanes_carried} carried on, ${of.lanes_missing} missing`}
      />
    </dl>
  );
}

function percentText(percent: string | null | undefined): string {
  if (percent === null || percent === undefined) return "–";
  return `${Number(percent) > 0 ? "+" : ""}${percent.replace("-", "−")} %`;
}

function Curve({ of }: { readonly of: readonly IndexValue[] }) {
  const { times, lines } = useMemo(() => {
    const inOrder = of.toReversed();
    return {
      times: inOrder.map(({ dated }) => Date.parse(`${dated}T00:00:00Z`) / 1_000),
      lines: [{ name: "points", color: 1, values: inOrder.map(({ value }) => Number(value)) }],
    };
  }, [of]);
  return (
    <Chart
      title="Points"
      times={times}
      lines={lines}
      format={priceOf}
      axis="days"
      empty="A curve needs a second value: one is computed each week, or on demand."
    />
  );
}

function Basket({ of }: { readonly of: IndexDetail }) {
  return (
    <TableSection
      title="Made of"
      rows={of.lanes}
      columns={[
        { name: "Lane", of: (lane) => <LaneLink of={lane} /> },
        { name: "Box", of: ({ equipment }) => equipment },
        { name: "Carrier", of: ({ carrier }) => carrierText(carrier) },
        { name: "Containers", isNumber: true, of: ({ weight }) => weight },
        {
          name: "On the base date",
          isNumber: true,
          of: ({ base_price: price, currency }) => <Money of={price} currency={currency} />,
        },
      ]}
    />
  );
}

/** What converted the prices of the latest value. */
function Converted({ of, by }: { readonly of: IndexDetail; readonly by: string }) {
  const { exchange_rates: rates = [], currencies_missing: missing = [] } = of.values[0] ?? {};
  return (
    <TableSection
      title="Exchange rates of the latest value"
      rows={rates}
      columns={[
        { name: "Date", of: ({ date }) => <Day of={date} /> },
        { name: "One", of: ({ base }) => base },
        {
          name: "Costs",
          isNumber: true,
          of: ({ rate, currency }) => <Money of={rate} currency={currency} />,
        },
        { name: "By", isWide: true, of: ({ source }) => source },
      ]}
      none={<Empty title="None">No price was converted.</Empty>}
    >
      {missing.length > 0 && (
        <Note kind="warn">
          {by} has none of that day for {missing.join(", ")}: trade lanes in it are left out.
        </Note>
      )}
    </TableSection>
  );
}

function Values({ of }: { readonly of: readonly IndexValue[] }) {
  return (
    <TableSection
      title="All values"
      rows={of}
      keyOf={({ dated }) => dated}
      columns={[
        { name: "Date", of: ({ dated }) => <Day of={dated} /> },
        { name: "Points", isNumber: true, of: ({ value }) => amountText(value) },
        {
          name: "Change",
          isNumber: true,
          of: ({ previous }) => <Change percent={previous?.change_percent ?? null} />,
        },
        { name: "With a price", isNumber: true, of: ({ coverage_percent: share }) => `${share} %` },
      ]}
      none={<Empty title="No value yet" />}
    />
  );
}
