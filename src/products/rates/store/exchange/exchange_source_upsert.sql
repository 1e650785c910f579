-- $1 the source · $2 its base · $3 the time
insert into cell.exchange_sources (source, base, loaded_at)
values ($1, $2, $3)
on conflict (source) do update set loaded_at = excluded.loaded_at
