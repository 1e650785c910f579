update directory.cells set open = $2::boolean where number = $1::smallint and kind = 'cell' returning number
