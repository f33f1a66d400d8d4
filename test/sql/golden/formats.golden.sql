-- {settings} = nullif(current_setting('response.headers', true), '') AS "response_headers", nullif(current_setting('response.status', true), '') AS "response_status"

-- one object
-- GET /boats?select=id,label&id=eq.1
-- Accept: application/vnd.svc.object+json
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(string_agg(row_to_json("_1".*)::text, ''), 'null') AS "body"
FROM (
  SELECT "boats"."id", "boats"."label"
  FROM "api"."boats"
  WHERE "boats"."id" = $1
) AS "_1"
-- $1 = "1"

-- one object without nulls
-- GET /boats?id=eq.1
-- Accept: application/vnd.svc.object+json;nulls=stripped
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(string_agg(json_strip_nulls(row_to_json("_1".*))::text, ''), 'null') AS "body"
FROM (
  SELECT "boats".*
  FROM "api"."boats"
  WHERE "boats"."id" = $1
) AS "_1"
-- $1 = "1"

-- an array without nulls
-- GET /boats?select=id,draft,harbours(name)
-- Accept: application/vnd.svc.array+json;nulls=stripped
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, json_strip_nulls(coalesce(json_agg("_2".*), '[]')) AS "body"
FROM (
  SELECT "boats"."id", "boats"."draft", row_to_json("_1".*) AS "harbours"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT "harbours_1"."name"
    FROM "api"."harbours" AS "harbours_1"
    WHERE "harbours_1"."id" = "boats"."harbour_id"
  ) AS "_1" ON TRUE
) AS "_2"

-- CSV: the first row's keys, then the rows' text; embeds as jsonb, whose text has no line breaks
-- GET /boats?select=id,label,flags,harbours(name)&order=id
-- Accept: text/csv
WITH "_2" AS MATERIALIZED (
  SELECT "boats"."id", "boats"."label", "boats"."flags", row_to_json("_1".*)::jsonb AS "harbours"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT "harbours_1"."name"
    FROM "api"."harbours" AS "harbours_1"
    WHERE "harbours_1"."id" = "boats"."harbour_id"
  ) AS "_1" ON TRUE
  ORDER BY "boats"."id" OFFSET 0
)
SELECT "_3".*, "_2".*
FROM (
  SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location"
  FROM "_2"
) AS "_3"
LEFT JOIN "_2" ON TRUE

-- CSV with a count
-- GET /boats?select=id&limit=1
-- Accept: text/csv
-- Prefer: count=exact
WITH "_2" AS MATERIALIZED (
  SELECT "boats"."id"
  FROM "api"."boats"
  LIMIT $1
)
SELECT "_3".*, "_2".*
FROM (
  SELECT count(*) AS "page_rows", (
    SELECT count(*)
    FROM (
      SELECT 1
      FROM "api"."boats"
    ) AS "_1"
  ) AS "total", {settings}, NULL AS "inserted", NULL AS "location"
  FROM "_2"
) AS "_3"
LEFT JOIN "_2" ON TRUE
-- $1 = "1"

-- GeoJSON
-- GET /boats?select=id,label
-- Accept: application/geo+json
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, json_build_object('type', 'FeatureCollection', 'features', coalesce(json_agg(ST_AsGeoJSON("_1".*)::json), '[]')) AS "body"
FROM (
  SELECT "boats"."id", "boats"."label"
  FROM "api"."boats"
) AS "_1"

-- an aggregate function of the schema
-- GET /boats
-- Accept: text/x-labels
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, "api"."labels"(("_1".*)::"api"."boats") AS "body"
FROM (
  SELECT "boats".*
  FROM "api"."boats"
) AS "_1"

-- HEAD: the rows are computed and counted, nothing is built
-- HEAD /boats?select=id,harbours(name)&order=id&limit=2
-- Prefer: count=exact
SELECT count("_3".*) AS "page_rows", (
  SELECT count(*)
  FROM (
    SELECT 1
    FROM "api"."boats"
  ) AS "_2"
) AS "total", {settings}, '' AS "body"
FROM (
  SELECT "boats"."id", row_to_json("_1".*) AS "harbours"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT "harbours_1"."name"
    FROM "api"."harbours" AS "harbours_1"
    WHERE "harbours_1"."id" = "boats"."harbour_id"
  ) AS "_1" ON TRUE
  ORDER BY "boats"."id"
  LIMIT $1
) AS "_3"
-- $1 = "2"

-- HEAD of CSV
-- HEAD /boats?select=id
-- Accept: text/csv
SELECT count("_1".*) AS "page_rows", NULL::bigint AS "total", {settings}, '' AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
) AS "_1"

-- the plan of a statement instead of its rows
-- GET /boats?select=id,harbours(name)
-- Accept: application/vnd.svc.plan+json; for="application/json"; options=verbose|buffers
-- with db-plan-enabled=true
EXPLAIN (FORMAT JSON, VERBOSE, BUFFERS)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_2".*), '[]') AS "body"
FROM (
  SELECT "boats"."id", row_to_json("_1".*) AS "harbours"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT "harbours_1"."name"
    FROM "api"."harbours" AS "harbours_1"
    WHERE "harbours_1"."id" = "boats"."harbour_id"
  ) AS "_1" ON TRUE
) AS "_2"

-- lines: values, which the server writes as JSON
-- GET /boats?select=id,flags,harbours(name)&order=id
-- Accept: application/x-ndjson
-- with extensions=stream
SELECT "_2"."total", {settings}, "_4".*
FROM (
  SELECT NULL::bigint AS "total"
) AS "_2"
LEFT JOIN (
  SELECT (
    SELECT current_setting('DateStyle') LIKE 'ISO%'
  ) AS "is_iso", "_3"."id", to_json("_3"."flags") AS "flags", "_3"."harbours"
  FROM (
    SELECT "boats"."id", "boats"."flags", row_to_json("_1".*) AS "harbours"
    FROM "api"."boats"
    LEFT JOIN LATERAL (
      SELECT "harbours_1"."name"
      FROM "api"."harbours" AS "harbours_1"
      WHERE "harbours_1"."id" = "boats"."harbour_id"
    ) AS "_1" ON TRUE
    ORDER BY "boats"."id" OFFSET 0
  ) AS "_3" OFFSET 0
) AS "_4" ON TRUE

-- lines of a function
-- GET /rpc/echo_rows?select=v
-- Accept: application/x-ndjson
-- with extensions=stream
SELECT "_1"."total", {settings}, "_3".*
FROM (
  SELECT NULL::bigint AS "total"
) AS "_1"
LEFT JOIN (
  SELECT (
    SELECT current_setting('DateStyle') LIKE 'ISO%'
  ) AS "is_iso", "_2".*
  FROM (
    SELECT "echo_rows"."v"
    FROM (
      SELECT "echo_rows"."v"
      FROM "api"."echo_rows"() AS "echo_rows"
    ) AS "echo_rows"
  ) AS "_2" OFFSET 0
) AS "_3" ON TRUE

-- all columns, of which the server cannot write one: PostgreSQL writes the lines
-- GET /boats
-- Accept: application/x-ndjson
-- with extensions=stream
SELECT "_1"."total", {settings}, "_3".*
FROM (
  SELECT NULL::bigint AS "total"
) AS "_1"
LEFT JOIN (
  SELECT replace(row_to_json("_2".*)::text, E'\n', ' ') AS "line"
  FROM (
    SELECT "boats".*
    FROM "api"."boats"
  ) AS "_2"
) AS "_3" ON TRUE

-- rows that may be many: counted before the first, and sent as values, which the server writes as JSON
-- GET /boat_list?select=id,a:id,b:id,c:id,d:id,e:id&id=gt.5
-- Accept: application/json
-- with extensions=stream
WITH "_1" AS MATERIALIZED (
  SELECT "boat_list"."id", "boat_list"."id" AS "a", "boat_list"."id" AS "b", "boat_list"."id" AS "c", "boat_list"."id" AS "d", "boat_list"."id" AS "e"
  FROM "api"."boat_list"
  WHERE "boat_list"."id" > $1
)
SELECT "_2".*, "_1".*
FROM (
  SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", (
    SELECT current_setting('DateStyle') LIKE 'ISO%'
  ) AS "is_iso"
  FROM "_1"
) AS "_2"
LEFT JOIN "_1" ON TRUE
-- $1 = "5"

-- values that the server cannot write as JSON: arrays, and casts to types that it does not know
-- GET /boat_sizes?select=id,flags,length:draft::float8,words:draft::money,first:flags->0,harbours(name)&id=gt.5
-- with extensions=stream
WITH "_2" AS MATERIALIZED (
  SELECT "boat_sizes"."id", "boat_sizes"."flags", CAST("boat_sizes"."draft" AS float8) AS "length", CAST("boat_sizes"."draft" AS money) AS "words", to_jsonb("boat_sizes"."flags")->$1::int AS "first", row_to_json("_1".*) AS "harbours"
  FROM "api"."boat_sizes"
  LEFT JOIN LATERAL (
    SELECT "harbours_1"."name"
    FROM "api"."harbours" AS "harbours_1"
    WHERE "harbours_1"."id" = "boat_sizes"."harbour_id"
  ) AS "_1" ON TRUE
  WHERE "boat_sizes"."id" > $2
)
SELECT "_3".*, "_2"."id", to_json("_2"."flags") AS "flags", "_2"."length", to_json("_2"."words") AS "words", "_2"."first", "_2"."harbours"
FROM (
  SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", (
    SELECT current_setting('DateStyle') LIKE 'ISO%'
  ) AS "is_iso"
  FROM "_2"
) AS "_3"
LEFT JOIN "_2" ON TRUE
-- $1 = "0"
-- $2 = "5"

-- all columns, of which the server cannot write one: PostgreSQL writes the rows
-- GET /boats?limit=8
-- with extensions=stream
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats".*
  FROM "api"."boats"
  LIMIT $1
) AS "_1"
-- $1 = "8"

-- few rows are one value
-- GET /boat_list?select=id&limit=7
-- with extensions=stream
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boat_list"."id"
  FROM "api"."boat_list"
  LIMIT $1
) AS "_1"
-- $1 = "7"

-- what equals a value is one value
-- GET /boat_list?select=id&harbour_id=eq.1&id=gt.5
-- with extensions=stream
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boat_list"."id"
  FROM "api"."boat_list"
  WHERE "boat_list"."harbour_id" = $1 AND "boat_list"."id" > $2
) AS "_1"
-- $1 = "1"
-- $2 = "5"

-- a table that had few rows when it was analyzed
-- GET /boats?select=id
-- with extensions=stream
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
) AS "_1"
