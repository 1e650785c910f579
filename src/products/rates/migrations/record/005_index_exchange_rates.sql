-- JSON: the exchange rates that the prices of the base date, and those of a value, were converted by, and where none was
-- known. Null: nothing was converted.

alter table rate_indices add column if not exists exchange_rates text;

alter table rate_index_values add column if not exists exchange_rates text;
