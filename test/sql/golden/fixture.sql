-- Added to the reading fixture for the golden statements: what extensions would bring, and an output format of its own.
create function public.st_asgeojson(feature record) returns text language plpgsql stable as $$
begin
  return json_build_object('type', 'Feature', 'geometry', null, 'properties', row_to_json(feature))::text;
end $$;

create domain api."text/x-labels" as text;
create function api.labels_step(state api."text/x-labels", boat api.boats) returns api."text/x-labels"
  language sql immutable as $$ select state || boat.label || E'\n' $$;
create aggregate api.labels(api.boats) (sfunc = api.labels_step, stype = api."text/x-labels", initcond = '');

-- Not analyzed, other than its table.
create view api.boat_sizes as select id, flags, draft, harbour_id from api.boats;
grant select on api.boat_sizes to web_anon;
