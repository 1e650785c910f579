update directory.cells set moving_to = null where number = $1::smallint returning number
