-- References fall to the open cells of accounts that have joined by $1: every node uses those.
update directory.cells set joined_at = $1::timestamptz where joined_at is null and open and kind = 'cell'
