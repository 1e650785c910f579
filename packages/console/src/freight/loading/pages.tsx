import { NoPage } from "../../ui/parts.tsx";
import { useProductPlace } from "../place.tsx";
import { NewPlan } from "./form.tsx";
import { PlanList } from "./list.tsx";
import "./loading.css";
import { PlanPage } from "./plan.tsx";
import { PrintPage } from "./print.tsx";

/** `rest`: what follows the pages' address, part by part; nothing is the first page. */
export function Pages({ rest }: { readonly rest: readonly string[] }) {
  const { pages, mayChange } = useProductPlace();
  const [id = "", part = "", ...others] = rest;
  if (id === "") return <PlanList />;
  if (id === "new" && part === "" && mayChange) return <NewPlan />;
  if (part === "") return <PlanPage key={id} id={id} />;
  if (part === "print" && others.length === 0) return <PrintPage key={id} id={id} />;
  return <NoPage to={pages} above="To the plans" />;
}
