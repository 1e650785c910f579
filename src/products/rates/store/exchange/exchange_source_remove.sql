-- The source, if it has no rate any more. $1 the source
delete from cell.exchange_sources as source
where source.source = $1
  and not exists (select from cell.exchange_rates as rate where rate.source = source.source)
