update directory.cells set server = $2::text where number = $1::smallint returning number
