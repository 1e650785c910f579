-- $1 the source · $2 the day, null: all
-- @null $2
delete from cell.exchange_rates
where source = $1 and ($2::date is null or dated = $2::date)
