-- References fall to the cells of accounts that have joined by $1.
update directory.cells set joined_at = $1::timestamptz where joined_at is null and kind = 'cell'
