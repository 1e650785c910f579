-- Messages about one account go to another cell.
--
-- $1 the account · $2 the cell · $3 the former one · $4 their kind
update directory.outbox as waiting
set cell = $2::smallint
from directory.outbox_messages as message
where waiting.cell = $3::smallint and message.id = waiting.id
  and message.kind = $4::text and message.payload::json ->> 'accountId' = $1::text
