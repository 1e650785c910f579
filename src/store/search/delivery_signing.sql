-- What a delivery's body is made of, and what signs it. No row: there is no delivery, or its endpoint is gone.
select e.type, e.occurred_at as "occurredAt", e.data, p.id as "endpointId", p.account_id as "accountId", p.product,
  p.sealed_secret_hash as "sealedSecretHash"
from cell.deliveries d
join cell.events e on e.id = d.event_id
join cell.endpoints p on p.id = d.endpoint_id
where d.id = $1::uuid
