/** Ocean's pages: the containers, where they are, and one of them. */
import { useProductPlace } from "../place.tsx";
import { NoPage } from "../../ui/parts.tsx";
import { Link } from "../../ui/route.tsx";
import { ContainerPage } from "./container.tsx";
import { ContainerList } from "./list.tsx";
import { FleetMap } from "./fleet-map.tsx";

const ID = /^[0-9a-f-]{36}$/i;

/** `rest`: what follows the pages' address, part by part; nothing is the first page. */
export function Pages({ rest: [first = ""] }: { readonly rest: readonly string[] }) {
  const { pages } = useProductPlace();
  if (ID.test(first)) return <ContainerPage key={first} id={first} />;
  if (first !== "" && first !== "map") return <NoPage to={pages} above="To the containers" />;
  return (
    <>
      <nav class="views" aria-label="Containers">
        <Link to={pages} current={first === ""}>
          List
        </Link>
        <Link to={`${pages}/map`} current={first === "map"}>
          Map
        </Link>
      </nav>
      {first === "map" ? <FleetMap /> : <ContainerList />}
    </>
  );
}
