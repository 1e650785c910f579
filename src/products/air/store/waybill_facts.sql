-- What is known of some of an account's waybills, without all that was ever said of them.
--
-- $1 the account · $2 ids
-- @notnull id isSilent timeline
select
  shipment.id, facts.origin, facts.destination, facts.pieces, facts."weightKg", facts."flightNumber", facts.eta,
  facts.legs, facts.timeline,
  coalesce(json_array_length(facts.said) = 0 and facts.answered = '{}', false) as "isSilent"
from cell.shipments as shipment
cross join lateral json_to_record(shipment.record::json) as facts (
  origin text, destination text, pieces integer, "weightKg" double precision, "flightNumber" text, eta text,
  legs text, timeline text, said json, answered text
)
where shipment.account_id = $1 and shipment.id = any ($2::uuid[]) and shipment.record is not null
