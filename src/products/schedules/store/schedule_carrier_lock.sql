-- Locks the carriers' rows, in one order, and adds missing rows.
--
-- $1 SCACs, each once
insert into cell.schedule_carriers (carrier)
select carrier from unnest($1::text[]) as wanted (carrier) order by carrier
on conflict (carrier) do update set carrier = excluded.carrier
