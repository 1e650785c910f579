/** The pallets that are built before a container is loaded: what stands on each, in the order of building. */
import { count } from "../../ui/numbers.ts";
import { Section } from "../../ui/parts.tsx";
import type { Cargo, Container, Plan } from "./answers.ts";
import { Named } from "./cargo-tables.tsx";
import { PagedTable } from "./paged.tsx";
import { loadingOf } from "./steps.ts";
import { kilograms, millimetres, palletOf, sizeOf } from "./words.ts";

const BUILDS_SHOWN = 5;

type Build = Plan["pallet_builds"][number];
type BuildsProps = { readonly plan: Plan; readonly container: Container };

export function PalletsToBuild({ plan, container }: BuildsProps) {
  const used = plan.pallet_builds.filter(({ build }) =>
    container.pallets.some((pallet) => pallet.build === build),
  );
  if (used.length === 0) return null;
  const numbersOf = ({ build }: Build): string =>
    container.pallets
      .filter((pallet) => pallet.build === build)
      .map(({ number }) => count(number))
      .join(", ");
  return (
    <Section title="Build the pallets first" aside={`${count(container.pallets.length)} pallets`}>
      <p class="quiet">{palletOf(plan.request)}</p>
      <PagedTable
        of={used}
        size={BUILDS_SHOWN}
        what="builds"
        label="Build the pallets first"
        keyOf={({ build }) => String(build)}
        columns={[
          { name: "Build", isNumber: true, of: ({ build }) => count(build) },
          { name: "Pallets", of: numbersOf },
          {
            name: "Steps, from the corner of the pallet",
            isWide: true,
            of: (build) => <BuildSteps build={build} lines={plan.request.cargo} />,
          },
          { name: "Built", isNumber: true, of: (build) => sizeOf(extentsOf(build)) },
          { name: "Weight", isNumber: true, of: ({ weight_kg: weight }) => kilograms(weight) },
        ]}
      />
    </Section>
  );
}

function extentsOf({ length_mm: dx, width_mm: dy, height_mm: dz }: Build) {
  return { dx, dy, dz };
}

function BuildSteps({ build, lines }: { readonly build: Build; readonly lines: readonly Cargo[] }) {
  const { steps } = loadingOf(build.placements, lines);
  return (
    <ol>
      {steps.map((step) => (
        <li key={step.from}>
          <Named line={step.line} lines={lines} /> <strong>× {count(step.to - step.from)}</strong>{" "}
          <span class="quiet">
            {step.deep} × {step.wide} × {step.high}, each {sizeOf(step.piece)}; {millimetres(step.x)} along,{" "}
            {millimetres(step.y)} across,{" "}
            {step.z === build.deck.height_mm ? "on the deck" : `${millimetres(step.z)} above the floor`}
          </span>
        </li>
      ))}
    </ol>
  );
}
