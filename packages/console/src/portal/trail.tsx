import { Link } from "../ui/route.tsx";

type TrailProps = { readonly of: readonly (readonly [name: string, to: string])[] };

export function Trail({ of }: TrailProps) {
  return (
    <nav class="trail" aria-label="Where this page stands">
      {of.map(([name, to]) => (
        <Link key={to} to={to}>
          {name}
        </Link>
      ))}
    </nav>
  );
}
