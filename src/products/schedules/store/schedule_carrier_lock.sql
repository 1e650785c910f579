-- Locks the carriers' rows, in one order, also those that are not there yet.
--
-- $1 SCACs, each once
insert into directory.schedule_carriers (carrier)
select carrier from unnest($1::text[]) as wanted (carrier) order by carrier
on conflict (carrier) do update set carrier = excluded.carrier
