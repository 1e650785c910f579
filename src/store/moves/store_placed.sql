-- The directory has come to the server of these cells.
update directory.cells set server = '' where server = $1::text returning number
