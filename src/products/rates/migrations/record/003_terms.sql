-- What a lane's rates are for, beside places, equipment, carrier and currency: rates of a contract, of the spot market
-- and of each commodity stand side by side. Lanes that are there have rates of no stated kind, for freight of all kinds.

alter table rate_lanes
  -- Empty: not stated.
  add column kind text collate "C" not null default '' check (kind in ('', 'contract', 'spot')),
  -- The contract's number or name; empty: not stated.
  add column contract text collate "C" not null default '' check (length(contract) <= 60),
  add column commodity text collate "C" not null default 'FAK' check (length(commodity) between 1 and 60),
  add constraint only_contracts_have_numbers check (contract = '' or kind = 'contract'),
  drop constraint one_lane;

alter table rate_lanes
  add constraint one_lane
    unique (origin, destination, equipment, carrier, currency, kind, contract, commodity);

drop index rate_lanes_to;
create index rate_lanes_to
  on rate_lanes (destination, origin, equipment, carrier, currency, kind, contract, commodity);

alter table lane_rates
  -- JSON: transit time and free days, as far as they are stated.
  add column terms text not null default '{}';
