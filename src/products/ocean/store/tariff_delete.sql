delete from directory.tariffs where id = $1 returning carrier
