-- Where the account is told by e-mail what happens to its endpoints; null: nowhere.
alter table accounts add column email text check (length(email) between 3 and 254);
