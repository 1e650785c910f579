-- Exchange rates that the operator loads (docs/rates.md), in the first cell, beside the indices that they convert for.

create table if not exists exchange_sources (
  -- Who published them: a name, or a URL.
  source text collate "C" primary key check (length(source) between 1 and 200),
  -- ISO 4217. A rate is what one unit of it costs in another currency.
  base text collate "C" not null check (base ~ '^[A-Z]{3}$'),
  loaded_at timestamptz not null
);

create table if not exists exchange_rates (
  -- Of exchange_sources; a foreign key would be checked for each of some hundred thousand rows.
  source text collate "C" not null,
  dated date not null,
  currency text collate "C" not null check (currency ~ '^[A-Z]{3}$'),
  rate numeric(24, 12) not null check (rate > 0),
  primary key (source, dated, currency)
);
