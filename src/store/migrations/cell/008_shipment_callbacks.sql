-- Carriers push what is new by reference. Those that a carrier has answered for are found by
-- shipments_by_reference, and these are the others: few, and gone from here with the first answer.
create index shipments_unanswered on shipments (reference) where record is null;
