alter table polls rename column lane to source;

alter table shipments rename column papers to transport_documents;
alter table shipments rename column awaits to awaited_sailings;
alter index shipments_by_paper rename to shipments_by_transport_document;
alter index shipments_by_awaited rename to shipments_by_awaited_sailing;

alter table broadcasts rename column told_up_to to last_account_id;
