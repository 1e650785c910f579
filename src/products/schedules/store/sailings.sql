-- name: sailing_list :many
-- Direct sailings from one port to another, in the order of their departures: a call at the origin, and the next call
-- of its vessel at the destination, on the same service or the same voyage; where a call names no vessel, on the same
-- service and voyage. From the last call at the origin to the first at the destination: no call that is made may lie
-- between. The vessel's calls are found along its index, the others along those of voyages.
--
-- @fromMs and @beforeMs departures from, and before · @carrier carrier, null: any · @withCancelled also with calls that
-- are not made · @atSeaSMax the most seconds from departure to arrival · @behind behind this departure and its calls, null: from the first
-- @notnull originId origin departureAt destinationId destination
-- @null @carrier @behind @reliabilityDay
select
  leaves.id as "originId", leaves.record as origin, leaves.departure_at as "departureAt",
  comes.id as "destinationId", comes.record as destination,
  reliability.on_time as "onTime", reliability.measured
from cell.port_calls as leaves
cross join lateral (
  select next.*, min(next.arrival_at) filter (where next.is_made) over () as first_made_at
  from (
    select call.id, call.record, call.arrival_at,
      call.gone_at is null and coalesce(call.status, '') not in ('BLNK', 'SLID', 'OMIT') as is_made
    from cell.port_calls as call
    where call.vessel_imo = leaves.vessel_imo and call.carrier = leaves.carrier and call.port = @destination
      and call.arrival_at > leaves.departure_at
      and call.arrival_at <= leaves.departure_at + make_interval(secs => @atSeaSMax)
      and (
        call.service = leaves.service
        or leaves.voyage <> '' and coalesce(nullif(call.import_voyage, ''), call.voyage) = leaves.voyage
      )
    union all
    select call.id, call.record, call.arrival_at,
      call.gone_at is null and coalesce(call.status, '') not in ('BLNK', 'SLID', 'OMIT') as is_made
    from cell.port_calls as call
    where call.carrier = leaves.carrier and call.port = @destination and leaves.voyage <> ''
      and (
        call.voyage = leaves.voyage and call.import_voyage = ''
        or call.import_voyage = leaves.voyage and call.import_voyage <> ''
      )
      and call.service = leaves.service and (call.vessel_imo is null or leaves.vessel_imo is null)
      and (upper(call.vessel_name) = upper(leaves.vessel_name)) is not false
      and call.arrival_at > leaves.departure_at
      and call.arrival_at <= leaves.departure_at + make_interval(secs => @atSeaSMax)
  ) as next
) as comes
left join cell.service_reliability as reliability
  on reliability.carrier = leaves.carrier and reliability.service = leaves.service
  and reliability.day = @reliabilityDay::date
where leaves.port = @origin and leaves.departure_at >= @fromMs and leaves.departure_at < @beforeMs
  and (@carrier::text is null or leaves.carrier = @carrier)
  and comes.arrival_at <= coalesce(comes.first_made_at, 'infinity')
  and (
    @withCancelled::boolean
    or comes.is_made and leaves.gone_at is null
    and coalesce(leaves.status, '') not in ('BLNK', 'SLID', 'OMIT', 'NDEP')
  )
  and (
    @behind.ms::timestamptz is null
    or (leaves.departure_at, leaves.id, comes.id) > (@behind.ms, @behind.originId::uuid, @behind.destinationId::uuid)
  )
  and not exists (
    select
    from cell.port_calls as later
    where later.port = @origin and later.carrier = leaves.carrier
      and later.departure_at > leaves.departure_at and later.departure_at < comes.arrival_at
      and later.gone_at is null and coalesce(later.status, '') not in ('BLNK', 'SLID', 'OMIT')
      and (
        later.vessel_imo = leaves.vessel_imo
        or (later.vessel_imo is null or leaves.vessel_imo is null)
        and later.service = leaves.service and later.voyage = leaves.voyage and later.voyage <> ''
      )
  )
order by leaves.departure_at, leaves.id, comes.id
limit @limit;
