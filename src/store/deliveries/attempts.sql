-- name: attempt_list :many
-- The failed attempts of a delivery.
select number, ended_at as "endedAt", duration_ms as "durationMs", address, status_code as "statusCode", error,
  answer_bytes as "answerBytes"
from cell.attempts
where delivery_id = @id::uuid
order by number;
