-- The calls of one carrier at one port about a time: those that boxes may be to sail from, and sailings of a carrier.
create index port_calls_of_carrier_departing on port_calls (carrier, port, departure_at);
