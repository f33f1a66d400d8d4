-- {settings} = nullif(current_setting('response.headers', true), '') AS "response_headers", nullif(current_setting('response.status', true), '') AS "response_status"

-- {candidate} = set_config('svc.inserted', (coalesce(nullif(current_setting('svc.inserted', true), '')::int, 0) + 1)::text, true) <> '0'

-- {update} = set_config('svc.inserted', (coalesce(nullif(current_setting('svc.inserted', true), '')::int, 0) - 1)::text, true) <> '-1'

-- merge on the primary key
-- POST /tags
-- Prefer: resolution=merge-duplicates
-- Body: [{"k1":1,"k2":"a","note":"new"}]
WITH "_source" AS (
  INSERT INTO "api"."tags" ("k1", "k2", "note")
  SELECT "_1"."k1", "_1"."k2", "_1"."note"
  FROM json_to_recordset($1::json) AS "_1"("k1" integer, "k2" text, "note" text)
  WHERE {candidate}
  ON CONFLICT ("k1", "k2") DO UPDATE SET "k1" = EXCLUDED."k1", "k2" = EXCLUDED."k2", "note" = EXCLUDED."note"
  WHERE {update}
  RETURNING 1
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, (
  SELECT nullif(current_setting('svc.inserted', true), '')
  FROM (
    SELECT count(*)
    FROM "_source"
  ) AS "n"
)::int AS "inserted", NULL AS "location", '' AS "body"
FROM (
  SELECT
  FROM "_source"
) AS "_2"
-- $1 = [{"k1":1,"k2":"a","note":"new"}]

-- merge shown
-- POST /tags
-- Prefer: resolution=merge-duplicates, return=representation
-- Body: [{"k1":1,"k2":"a","note":"new"}]
WITH "_source" AS (
  INSERT INTO "api"."tags" ("k1", "k2", "note")
  SELECT "_1"."k1", "_1"."k2", "_1"."note"
  FROM json_to_recordset($1::json) AS "_1"("k1" integer, "k2" text, "note" text)
  WHERE {candidate}
  ON CONFLICT ("k1", "k2") DO UPDATE SET "k1" = EXCLUDED."k1", "k2" = EXCLUDED."k2", "note" = EXCLUDED."note"
  WHERE {update}
  RETURNING "tags".*
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, (
  SELECT nullif(current_setting('svc.inserted', true), '')
  FROM (
    SELECT count(*)
    FROM "_source"
  ) AS "n"
)::int AS "inserted", NULL AS "location", coalesce(json_agg("_2".*), '[]') AS "body"
FROM (
  SELECT "tags".*
  FROM "_source" AS "tags"
) AS "_2"
-- $1 = [{"k1":1,"k2":"a","note":"new"}]

-- merge of a key-only table
-- POST /pairs
-- Prefer: resolution=merge-duplicates
-- Body: {"a":1,"b":2}
WITH "_source" AS (
  INSERT INTO "api"."pairs" ("a", "b")
  SELECT "_1"."a", "_1"."b"
  FROM json_to_recordset(json_build_array($1::json)) AS "_1"("a" integer, "b" integer)
  WHERE {candidate}
  ON CONFLICT ("a", "b") DO UPDATE SET "a" = EXCLUDED."a", "b" = EXCLUDED."b"
  WHERE {update}
  RETURNING 1
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, (
  SELECT nullif(current_setting('svc.inserted', true), '')
  FROM (
    SELECT count(*)
    FROM "_source"
  ) AS "n"
)::int AS "inserted", NULL AS "location", '' AS "body"
FROM (
  SELECT
  FROM "_source"
) AS "_2"
-- $1 = {"a":1,"b":2}

-- merge without columns
-- POST /parts
-- Prefer: resolution=merge-duplicates
-- Body: {}
WITH "_source" AS (
  INSERT INTO "api"."parts"
  SELECT
  WHERE {candidate}
  ON CONFLICT ("id") DO NOTHING
  RETURNING 1
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, (
  SELECT nullif(current_setting('svc.inserted', true), '')
  FROM (
    SELECT count(*)
    FROM "_source"
  ) AS "n"
)::int AS "inserted", NULL AS "location", '' AS "body"
FROM (
  SELECT
  FROM "_source"
) AS "_1"

-- ignore
-- POST /tags
-- Prefer: resolution=ignore-duplicates
-- Body: [{"k1":1,"k2":"a","note":"new"}]
WITH "_source" AS (
  INSERT INTO "api"."tags" ("k1", "k2", "note")
  SELECT "_1"."k1", "_1"."k2", "_1"."note"
  FROM json_to_recordset($1::json) AS "_1"("k1" integer, "k2" text, "note" text)
  ON CONFLICT ("k1", "k2") DO NOTHING
  RETURNING 1
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", '' AS "body"
FROM (
  SELECT
  FROM "_source"
) AS "_2"
-- $1 = [{"k1":1,"k2":"a","note":"new"}]

-- merge on a unique column
-- POST /parts?on_conflict=code
-- Prefer: resolution=merge-duplicates
-- Body: {"code":"A-1","qty":3}
WITH "_source" AS (
  INSERT INTO "api"."parts" ("code", "qty")
  SELECT "_1"."code", "_1"."qty"
  FROM json_to_recordset(json_build_array($1::json)) AS "_1"("code" text, "qty" integer)
  WHERE {candidate}
  ON CONFLICT ("code") DO UPDATE SET "code" = EXCLUDED."code", "qty" = EXCLUDED."qty"
  WHERE {update}
  RETURNING 1
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, (
  SELECT nullif(current_setting('svc.inserted', true), '')
  FROM (
    SELECT count(*)
    FROM "_source"
  ) AS "n"
)::int AS "inserted", NULL AS "location", '' AS "body"
FROM (
  SELECT
  FROM "_source"
) AS "_2"
-- $1 = {"code":"A-1","qty":3}

-- merge with defaults
-- POST /parts?columns=id,code
-- Prefer: resolution=merge-duplicates, missing=default
-- Body: [{"id":1,"code":"x"},{"code":"y"}]
WITH "_source" AS (
  INSERT INTO "api"."parts" ("code", "id")
  SELECT "_1"."code", "_1"."id"
  FROM jsonb_array_elements($1::jsonb) AS "_2"("v"), LATERAL jsonb_to_recordset(jsonb_build_array(jsonb_build_object($2::text, nextval('api.parts_id_seq')) || "_2"."v")) AS "_1"("code" text, "id" integer)
  WHERE {candidate}
  ON CONFLICT ("id") DO UPDATE SET "code" = EXCLUDED."code", "id" = EXCLUDED."id"
  WHERE {update}
  RETURNING 1
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, (
  SELECT nullif(current_setting('svc.inserted', true), '')
  FROM (
    SELECT count(*)
    FROM "_source"
  ) AS "n"
)::int AS "inserted", NULL AS "location", '' AS "body"
FROM (
  SELECT
  FROM "_source"
) AS "_3"
-- $1 = [{"id":1,"code":"x"},{"code":"y"}]
-- $2 = "id"

-- merge with a required embed
-- POST /parts?select=id,depots!inner(city)&depots.city=eq.Oslo
-- Prefer: resolution=merge-duplicates, return=representation
-- Body: [{"id":1,"code":"x"}]
WITH "_source" AS (
  INSERT INTO "api"."parts" ("code", "id")
  SELECT "_1"."code", "_1"."id"
  FROM json_to_recordset($1::json) AS "_1"("code" text, "id" integer)
  WHERE {candidate}
  ON CONFLICT ("id") DO UPDATE SET "code" = EXCLUDED."code", "id" = EXCLUDED."id"
  WHERE {update}
  RETURNING "parts"."depot_id", "parts"."id"
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", (
  SELECT nullif(current_setting('response.headers', true), '')
  FROM (
    SELECT count(*)
    FROM "_source"
  ) AS "n"
) AS "response_headers", (
  SELECT nullif(current_setting('response.status', true), '')
  FROM (
    SELECT count(*)
    FROM "_source"
  ) AS "n"
) AS "response_status", (
  SELECT nullif(current_setting('svc.inserted', true), '')
  FROM (
    SELECT count(*)
    FROM "_source"
  ) AS "n"
)::int AS "inserted", NULL AS "location", coalesce(json_agg("_3".*), '[]') AS "body"
FROM (
  SELECT "parts"."id", row_to_json("_2".*) AS "depots"
  FROM (
    SELECT *, row_number() OVER () AS "_n"
    FROM "_source"
  ) AS "parts"
  INNER JOIN LATERAL (
    SELECT "depots_1"."city"
    FROM "api"."depots" AS "depots_1"
    WHERE "depots_1"."id" = "parts"."depot_id" AND "depots_1"."city" = $2
  ) AS "_2" ON TRUE
  ORDER BY "parts"."_n"
) AS "_3"
-- $1 = [{"id":1,"code":"x"}]
-- $2 = "Oslo"

-- PUT, nothing shown
-- PUT /tags?k1=eq.3&k2=eq.c
-- Body: {"k1":3,"k2":"c","note":"x"}
WITH "_source" AS (
  INSERT INTO "api"."tags" ("k1", "k2", "note")
  SELECT *
  FROM (
    SELECT "_1"."k1", "_1"."k2", "_1"."note"
    FROM json_to_recordset(json_build_array($1::json)) AS "_1"("k1" integer, "k2" text, "note" text)
  ) AS "_payload"
  WHERE "_payload"."k1" = $2 AND "_payload"."k2" = $3
  ON CONFLICT ("k1", "k2") DO UPDATE SET "k1" = EXCLUDED."k1", "k2" = EXCLUDED."k2", "note" = EXCLUDED."note"
  RETURNING 1
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", '' AS "body"
FROM (
  SELECT
  FROM "_source"
) AS "_2"
-- $1 = {"k1":3,"k2":"c","note":"x"}
-- $2 = "3"
-- $3 = "c"

-- PUT of an array, shown
-- PUT /tags?k1=eq.3&k2=eq.c
-- Prefer: return=representation
-- Body: [{"k1":3,"k2":"c","note":"x"}]
WITH "_source" AS (
  INSERT INTO "api"."tags" ("k1", "k2", "note")
  SELECT *
  FROM (
    SELECT *
    FROM (
      SELECT "_1"."k1", "_1"."k2", "_1"."note"
      FROM json_to_recordset($1::json) AS "_1"("k1" integer, "k2" text, "note" text)
    ) AS "_payload"
    WHERE "_payload"."k1" = $2 AND "_payload"."k2" = $3 OFFSET 0
  ) AS "_2"
  WHERE {candidate}
  ON CONFLICT ("k1", "k2") DO UPDATE SET "k1" = EXCLUDED."k1", "k2" = EXCLUDED."k2", "note" = EXCLUDED."note"
  WHERE {update}
  RETURNING "tags".*
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, (
  SELECT nullif(current_setting('svc.inserted', true), '')
  FROM (
    SELECT count(*)
    FROM "_source"
  ) AS "n"
)::int AS "inserted", NULL AS "location", coalesce(json_agg("_3".*), '[]') AS "body"
FROM (
  SELECT "tags".*
  FROM "_source" AS "tags"
) AS "_3"
-- $1 = [{"k1":3,"k2":"c","note":"x"}]
-- $2 = "3"
-- $3 = "c"

-- PUT of a domain key column
-- PUT /lamps?id=eq.1
-- Body: {"id":1,"tone":"#0000ff"}
WITH "_source" AS (
  INSERT INTO "api"."lamps" ("id", "tone")
  SELECT *
  FROM (
    SELECT "_1"."id", "kit"."hue_in"("_1"."tone") AS "tone"
    FROM json_to_recordset(json_build_array($1::json)) AS "_1"("id" integer, "tone" json)
  ) AS "_payload"
  WHERE "_payload"."id" = $2
  ON CONFLICT ("id") DO UPDATE SET "id" = EXCLUDED."id", "tone" = EXCLUDED."tone"
  RETURNING 1
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", '' AS "body"
FROM (
  SELECT
  FROM "_source"
) AS "_2"
-- $1 = {"id":1,"tone":"#0000ff"}
-- $2 = "1"
