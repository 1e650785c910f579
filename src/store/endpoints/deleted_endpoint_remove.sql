-- The history is gone. What was put into the queue while its delivery was being removed goes as well.
with unqueued as (
  delete from cell.queue where endpoint_id = $1::uuid and node is null
)
delete from cell.deleted_endpoints where endpoint_id = $1::uuid
