-- Once made the table of load plans, which products/loading/migrations now makes where it is missing.
select;
