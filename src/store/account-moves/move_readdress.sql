-- Messages about one account go to another cell.
--
-- $1 the account · $2 the cell · $3 the former one · $4 their kind
update directory.outbox
set cell = $2::smallint
where cell = $3::smallint and kind = $4::text and payload::json ->> 'accountId' = $1::text
