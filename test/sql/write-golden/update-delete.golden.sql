-- {settings} = nullif(current_setting('response.headers', true), '') AS "response_headers", nullif(current_setting('response.status', true), '') AS "response_status"

-- nothing shown
-- PATCH /parts?depot_id=eq.1
-- Body: {"label":"moved"}
WITH "_source" AS (
  UPDATE "api"."parts" SET "label" = "_1"."label"
  FROM (
    SELECT "_2"."label"
    FROM json_to_recordset(json_build_array($1::json)) AS "_2"("label" text)
    LIMIT 1
  ) AS "_1"
  WHERE "parts"."depot_id" = $2
  RETURNING 1
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", '' AS "body"
FROM (
  SELECT
  FROM "_source"
) AS "_3"
-- $1 = {"label":"moved"}
-- $2 = "1"

-- every row, from an array
-- PATCH /parts
-- Body: [{"label":"moved","qty":1}]
WITH "_source" AS (
  UPDATE "api"."parts" SET "label" = "_1"."label", "qty" = "_1"."qty"
  FROM (
    SELECT "_2"."label", "_2"."qty"
    FROM json_to_recordset($1::json) AS "_2"("label" text, "qty" integer)
    LIMIT 1
  ) AS "_1"
  RETURNING 1
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", '' AS "body"
FROM (
  SELECT
  FROM "_source"
) AS "_3"
-- $1 = [{"label":"moved","qty":1}]

-- shown, in order
-- PATCH /parts?depot_id=eq.1&select=id,label&order=id.desc
-- Prefer: return=representation, count=exact
-- Body: {"label":"moved"}
WITH "_source" AS (
  UPDATE "api"."parts" SET "label" = "_1"."label"
  FROM (
    SELECT "_2"."label"
    FROM json_to_recordset(json_build_array($1::json)) AS "_2"("label" text)
    LIMIT 1
  ) AS "_1"
  WHERE "parts"."depot_id" = $2
  RETURNING "parts"."id", "parts"."label"
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", coalesce(json_agg("_3".*), '[]') AS "body"
FROM (
  SELECT "parts"."id", "parts"."label"
  FROM "_source" AS "parts"
  ORDER BY "parts"."id" DESC OFFSET 0
) AS "_3"
-- $1 = {"label":"moved"}
-- $2 = "1"

-- conditions of every kind
-- PATCH /parts?id=in.(1,2)&label=not.is.null&or=(qty.gt.1,code.like.A*)&label_up=eq.BOLT
-- Body: {"qty":1}
WITH "_source" AS (
  UPDATE "api"."parts" SET "qty" = "_1"."qty"
  FROM (
    SELECT "_2"."qty"
    FROM json_to_recordset(json_build_array($1::json)) AS "_2"("qty" integer)
    LIMIT 1
  ) AS "_1"
  WHERE "parts"."id" = ANY ($2) AND NOT "parts"."label" IS NULL AND "parts"."label_up" = $3 AND ("parts"."qty" > $4 OR "parts"."code" LIKE $5)
  RETURNING 1
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", '' AS "body"
FROM (
  SELECT
  FROM "_source"
) AS "_3"
-- $1 = {"qty":1}
-- $2 = "{\"1\",\"2\"}"
-- $3 = "BOLT"
-- $4 = "1"
-- $5 = "A%"

-- headers only
-- PATCH /parts?id=eq.1
-- Prefer: return=headers-only
-- Body: {"qty":1}
WITH "_source" AS (
  UPDATE "api"."parts" SET "qty" = "_1"."qty"
  FROM (
    SELECT "_2"."qty"
    FROM json_to_recordset(json_build_array($1::json)) AS "_2"("qty" integer)
    LIMIT 1
  ) AS "_1"
  WHERE "parts"."id" = $2
  RETURNING "parts".*
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", '' AS "body"
FROM (
  SELECT
  FROM "_source"
) AS "_3"
-- $1 = {"qty":1}
-- $2 = "1"

-- nothing to set
-- PATCH /parts?id=eq.1
-- Body: {}
WITH "_source" AS (
  SELECT 1
  FROM "api"."parts"
  WHERE false
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", '' AS "body"
FROM (
  SELECT
  FROM "_source"
) AS "_1"

-- nothing to set, shown
-- PATCH /parts?id=eq.1&select=id
-- Prefer: return=representation
-- Body: [{}]
WITH "_source" AS (
  SELECT "parts"."id"
  FROM "api"."parts"
  WHERE false
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "parts"."id"
  FROM "_source" AS "parts"
) AS "_1"

-- defaults for what is absent
-- PATCH /parts?id=eq.1&columns=label,qty
-- Prefer: missing=default
-- Body: {"qty":3}
WITH "_source" AS (
  UPDATE "api"."parts" SET "label" = "_1"."label", "qty" = "_1"."qty"
  FROM (
    SELECT "_2"."label", "_2"."qty"
    FROM jsonb_to_recordset(jsonb_build_array(jsonb_build_object($2::text, 'unlabelled'::text, $3::text, 0) || $1::jsonb)) AS "_2"("label" text, "qty" integer)
    LIMIT 1
  ) AS "_1"
  WHERE "parts"."id" = $4
  RETURNING 1
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", '' AS "body"
FROM (
  SELECT
  FROM "_source"
) AS "_3"
-- $1 = {"qty":3}
-- $2 = "label"
-- $3 = "qty"
-- $4 = "1"

-- a domain in and in the condition
-- PATCH /lamps?tone=eq.%230000ff
-- Body: {"tone":"#ff0000"}
WITH "_source" AS (
  UPDATE "api"."lamps" SET "tone" = "_1"."tone"
  FROM (
    SELECT "kit"."hue_in"("_2"."tone") AS "tone"
    FROM json_to_recordset(json_build_array($1::json)) AS "_2"("tone" json)
    LIMIT 1
  ) AS "_1"
  WHERE "lamps"."tone" = "kit"."hue_text"($2)
  RETURNING 1
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", '' AS "body"
FROM (
  SELECT
  FROM "_source"
) AS "_3"
-- $1 = {"tone":"#ff0000"}
-- $2 = "#0000ff"

-- embed filtered apart from the statement
-- PATCH /parts?id=eq.1&select=id,labels(name)&labels.name=eq.metal
-- Prefer: return=representation
-- Body: {"qty":1}
WITH "_source" AS (
  UPDATE "api"."parts" SET "qty" = "_1"."qty"
  FROM (
    SELECT "_2"."qty"
    FROM json_to_recordset(json_build_array($1::json)) AS "_2"("qty" integer)
    LIMIT 1
  ) AS "_1"
  WHERE "parts"."id" = $2
  RETURNING "parts"."id"
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", coalesce(json_agg("_6".*), '[]') AS "body"
FROM (
  SELECT "parts"."id", COALESCE("_5"."v", '[]') AS "labels"
  FROM "_source" AS "parts"
  LEFT JOIN LATERAL (
    SELECT json_agg("_4".*) AS "v"
    FROM (
      SELECT "labels_1"."name"
      FROM "api"."labels" AS "labels_1"
      INNER JOIN "api"."part_labels" AS "_3" ON "labels_1"."id" = "_3"."label_id"
      WHERE "_3"."part_id" = "parts"."id" AND "labels_1"."name" = $3
    ) AS "_4"
  ) AS "_5" ON TRUE
) AS "_6"
-- $1 = {"qty":1}
-- $2 = "1"
-- $3 = "metal"

-- at most so many rows
-- PATCH /parts?qty=gt.1
-- Prefer: handling=strict, max-affected=1
-- Body: {"qty":1}
WITH "_source" AS (
  UPDATE "api"."parts" SET "qty" = "_1"."qty"
  FROM (
    SELECT "_2"."qty"
    FROM json_to_recordset(json_build_array($1::json)) AS "_2"("qty" integer)
    LIMIT 1
  ) AS "_1"
  WHERE "parts"."qty" > $2
  RETURNING 1
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", '' AS "body"
FROM (
  SELECT
  FROM "_source"
) AS "_3"
-- $1 = {"qty":1}
-- $2 = "1"

-- delete, nothing shown
-- DELETE /parts?qty=eq.0
WITH "_source" AS (
  DELETE FROM "api"."parts"
  WHERE "parts"."qty" = $1
  RETURNING 1
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", '' AS "body"
FROM (
  SELECT
  FROM "_source"
) AS "_1"
-- $1 = "0"

-- delete all
-- DELETE /memos
WITH "_source" AS (
  DELETE FROM "api"."memos"
  RETURNING 1
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", '' AS "body"
FROM (
  SELECT
  FROM "_source"
) AS "_1"

-- delete shown with an embed
-- DELETE /parts?id=eq.1&select=code,depots(city)
-- Prefer: return=representation
WITH "_source" AS (
  DELETE FROM "api"."parts"
  WHERE "parts"."id" = $1
  RETURNING "parts"."code", "parts"."depot_id", "parts"."id"
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", coalesce(json_agg("_2".*), '[]') AS "body"
FROM (
  SELECT "parts"."code", row_to_json("_1".*) AS "depots"
  FROM "_source" AS "parts"
  LEFT JOIN LATERAL (
    SELECT "depots_1"."city"
    FROM "api"."depots" AS "depots_1"
    WHERE "depots_1"."id" = "parts"."depot_id"
  ) AS "_1" ON TRUE
) AS "_2"
-- $1 = "1"

-- delete one object
-- DELETE /nodes?id=eq.3&select=name,parent:nodes!parent(name)
-- Prefer: return=representation
-- Accept: application/vnd.svc.object+json
WITH "_source" AS (
  DELETE FROM "api"."nodes"
  WHERE "nodes"."id" = $1
  RETURNING "nodes"."id", "nodes"."name"
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", coalesce(string_agg(row_to_json("_3".*)::text, ''), 'null') AS "body"
FROM (
  SELECT "nodes"."name", COALESCE("_2"."v", '[]') AS "parent"
  FROM "_source" AS "nodes"
  LEFT JOIN LATERAL (
    SELECT json_agg("_1".*) AS "v"
    FROM (
      SELECT "nodes_1"."name"
      FROM "api"."nodes" AS "nodes_1"
      WHERE "nodes_1"."parent" = "nodes"."id"
    ) AS "_1"
  ) AS "_2" ON TRUE
) AS "_3"
-- $1 = "3"

-- the plan of a delete
-- DELETE /parts?id=eq.1
-- Accept: application/vnd.svc.plan+json; options=verbose|settings
-- with db-plan-enabled=true
EXPLAIN (FORMAT JSON, VERBOSE, SETTINGS)
WITH "_source" AS (
  DELETE FROM "api"."parts"
  WHERE "parts"."id" = $1
  RETURNING 1
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", '' AS "body"
FROM (
  SELECT
  FROM "_source"
) AS "_1"
-- $1 = "1"
