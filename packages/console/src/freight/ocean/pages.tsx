/** Ocean's pages: the containers, where they are, and one of them. */
import { useProductPlace } from "../place.tsx";
import { Link } from "../../ui/route.tsx";
import { ContainerPage } from "./container.tsx";
import { ContainerList } from "./list.tsx";
import { FleetMap } from "./fleet-map.tsx";

const ID = /^[0-9a-f-]{36}$/i;

/** `rest`: what follows the pages' address, without slashes at its ends; "" is the first page. */
export function Pages({ rest }: { readonly rest: string }) {
  const { pages } = useProductPlace();
  if (ID.test(rest)) return <ContainerPage key={rest} id={rest} />;
  return (
    <>
      <nav class="views" aria-label="Containers">
        <Link to={pages} current={rest === ""}>
          List
        </Link>
        <Link to={`${pages}/map`} current={rest === "map"}>
          Map
        </Link>
      </nav>
      {rest === "map" ? <FleetMap /> : <ContainerList />}
    </>
  );
}
