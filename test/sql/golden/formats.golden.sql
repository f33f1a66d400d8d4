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
WITH "_4" AS MATERIALIZED (
  SELECT coalesce("_3"."header", E'\n'::bytea) || substring("_3"."line" FROM 2 FOR octet_length("_3"."line") - 2) AS "piece"
  FROM (
    SELECT textsend(("_2".*)::text) AS "line", CASE WHEN row_number() OVER () = 1 THEN textsend((
      SELECT coalesce(string_agg("k", ','), '') || E'\n'
      FROM json_object_keys(row_to_json("_2".*)) AS "k"
    )) END AS "header"
    FROM (
      SELECT "boats"."id", "boats"."label", "boats"."flags", row_to_json("_1".*)::jsonb AS "harbours"
      FROM "api"."boats"
      LEFT JOIN LATERAL (
        SELECT "harbours_1"."name"
        FROM "api"."harbours" AS "harbours_1"
        WHERE "harbours_1"."id" = "boats"."harbour_id"
      ) AS "_1" ON TRUE
      ORDER BY "boats"."id"
    ) AS "_2"
  ) AS "_3"
)
SELECT "_5"."total", {settings}, "_5"."page_rows", "_5"."byte_length", coalesce("_4"."piece", E'\n'::bytea) AS "piece"
FROM (
  SELECT (NULL::bigint)::text AS "total", count(*)::text AS "page_rows", coalesce(sum(octet_length("piece")), octet_length(E'\n'::bytea))::text AS "byte_length"
  FROM "_4"
) AS "_5"
LEFT JOIN "_4" ON TRUE

-- CSV with a count
-- GET /boats?select=id&limit=1
-- Accept: text/csv
-- Prefer: count=exact
WITH "_4" AS MATERIALIZED (
  SELECT coalesce("_3"."header", E'\n'::bytea) || substring("_3"."line" FROM 2 FOR octet_length("_3"."line") - 2) AS "piece"
  FROM (
    SELECT textsend(("_2".*)::text) AS "line", CASE WHEN row_number() OVER () = 1 THEN textsend((
      SELECT coalesce(string_agg("k", ','), '') || E'\n'
      FROM json_object_keys(row_to_json("_2".*)) AS "k"
    )) END AS "header"
    FROM (
      SELECT "boats"."id"
      FROM "api"."boats"
      LIMIT $1
    ) AS "_2"
  ) AS "_3"
)
SELECT "_5"."total", {settings}, "_5"."page_rows", "_5"."byte_length", coalesce("_4"."piece", E'\n'::bytea) AS "piece"
FROM (
  SELECT ((
    SELECT count(*)
    FROM (
      SELECT 1
      FROM "api"."boats"
    ) AS "_1"
  ))::text AS "total", count(*)::text AS "page_rows", coalesce(sum(octet_length("piece")), octet_length(E'\n'::bytea))::text AS "byte_length"
  FROM "_4"
) AS "_5"
LEFT JOIN "_4" ON TRUE
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

-- lines
-- GET /boats?select=id,harbours(name)&order=id
-- Accept: application/x-ndjson
SELECT "_2"."total", {settings}, "_4"."line"
FROM (
  SELECT NULL::bigint AS "total"
) AS "_2"
LEFT JOIN (
  SELECT replace(row_to_json("_3".*)::text, E'\n', ' ') AS "line"
  FROM (
    SELECT "boats"."id", row_to_json("_1".*) AS "harbours"
    FROM "api"."boats"
    LEFT JOIN LATERAL (
      SELECT "harbours_1"."name"
      FROM "api"."harbours" AS "harbours_1"
      WHERE "harbours_1"."id" = "boats"."harbour_id"
    ) AS "_1" ON TRUE
    ORDER BY "boats"."id"
  ) AS "_3"
) AS "_4" ON TRUE
