update directory.cells set moved_from = null where number = $1::smallint returning number
