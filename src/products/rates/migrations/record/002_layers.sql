-- Rates of a lane lie in layers: a promotion goes before the standard rate while it runs, and gives it back when it
-- ends (docs/decisions/rates-layers.md). All rates that are there are standard ones.

alter table lane_rates
  -- 0 standard, 1 promotion; the higher one goes before the lower.
  add column layer smallint not null default 0 check (layer in (0, 1)),
  add constraint a_promotion_ends check (layer = 0 or valid_to is not null);

create unique index one_rate_a_layer_and_first_day on lane_rates (lane_id, layer, valid_from)
  where ended_at is null;
drop index one_rate_a_first_day;
