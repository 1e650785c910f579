-- Moves the account's routes on, and holds the account until the transaction ends: registrations of one
-- account wait for each other, so that each counts what the others made.
update cell.accounts set routing_version = routing_version + 1 where id = $1::uuid and not closed
returning id
