-- {settings} = nullif(current_setting('response.headers', true), '') AS "response_headers", nullif(current_setting('response.status', true), '') AS "response_status"

-- one object, nothing shown
-- POST /parts
-- Body: {"code":"D-4","qty":5}
WITH "_source" AS (
  INSERT INTO "api"."parts" ("code", "qty")
  SELECT "_1"."code", "_1"."qty"
  FROM json_to_recordset(json_build_array($1::json)) AS "_1"("code" text, "qty" integer)
  RETURNING 1
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", '' AS "body"
FROM (
  SELECT
  FROM "_source"
) AS "_2"
-- $1 = {"code":"D-4","qty":5}

-- an array of objects, nothing shown
-- POST /parts
-- Body: [{"code":"D-4","qty":5},{"qty":null,"code":"E-5"}]
WITH "_source" AS (
  INSERT INTO "api"."parts" ("code", "qty")
  SELECT "_1"."code", "_1"."qty"
  FROM json_to_recordset($1::json) AS "_1"("code" text, "qty" integer)
  RETURNING 1
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", '' AS "body"
FROM (
  SELECT
  FROM "_source"
) AS "_2"
-- $1 = [{"code":"D-4","qty":5},{"qty":null,"code":"E-5"}]

-- columns names what is taken
-- POST /parts?columns=code,label
-- Body: [{"code":"D-4","qty":5},{"label":"x"}]
WITH "_source" AS (
  INSERT INTO "api"."parts" ("code", "label")
  SELECT "_1"."code", "_1"."label"
  FROM json_to_recordset($1::json) AS "_1"("code" text, "label" text)
  RETURNING 1
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", '' AS "body"
FROM (
  SELECT
  FROM "_source"
) AS "_2"
-- $1 = [{"code":"D-4","qty":5},{"label":"x"}]

-- one row of defaults
-- POST /parts
-- Body: {}
WITH "_source" AS (
  INSERT INTO "api"."parts"
  SELECT
  RETURNING 1
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", '' AS "body"
FROM (
  SELECT
  FROM "_source"
) AS "_1"

-- rows of defaults
-- POST /parts
-- Body: [{},{}]
WITH "_source" AS (
  INSERT INTO "api"."parts"
  SELECT
  FROM json_array_elements($1::json)
  RETURNING 1
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", '' AS "body"
FROM (
  SELECT
  FROM "_source"
) AS "_1"
-- $1 = [{},{}]

-- types with their lengths
-- POST /stamps
-- Body: {"id":1,"code":"abcde","mask":"0101","price":"1.50"}
WITH "_source" AS (
  INSERT INTO "api"."stamps" ("code", "id", "mask", "price")
  SELECT "_1"."code", "_1"."id", "_1"."mask", "_1"."price"
  FROM json_to_recordset(json_build_array($1::json)) AS "_1"("code" character(5), "id" integer, "mask" bit(4), "price" numeric(6,2))
  RETURNING 1
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", '' AS "body"
FROM (
  SELECT
  FROM "_source"
) AS "_2"
-- $1 = {"id":1,"code":"abcde","mask":"0101","price":"1.50"}

-- a CSV body becomes JSON
-- POST /tags
-- Content-Type: text/csv
-- Body: k1,k2,note\n1,"a,b",NULL\n2,,x
WITH "_source" AS (
  INSERT INTO "api"."tags" ("k1", "k2", "note")
  SELECT "_1"."k1", "_1"."k2", "_1"."note"
  FROM json_to_recordset($1::json) AS "_1"("k1" integer, "k2" text, "note" text)
  RETURNING 1
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", '' AS "body"
FROM (
  SELECT
  FROM "_source"
) AS "_2"
-- $1 = [{"k1":"1","k2":"a,b","note":null},{"k1":"2","k2":"","note":"x"}]

-- a form becomes JSON
-- POST /tags
-- Content-Type: application/x-www-form-urlencoded
-- Body: k1=1&k2=two+words
WITH "_source" AS (
  INSERT INTO "api"."tags" ("k1", "k2")
  SELECT "_1"."k1", "_1"."k2"
  FROM json_to_recordset(json_build_array($1::json)) AS "_1"("k1" integer, "k2" text)
  RETURNING 1
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", '' AS "body"
FROM (
  SELECT
  FROM "_source"
) AS "_2"
-- $1 = {"k1":"1","k2":"two words"}

-- the location of the new row
-- POST /parts
-- Prefer: return=headers-only
-- Body: {"code":"D-4"}
WITH "_source" AS (
  INSERT INTO "api"."parts" ("code")
  SELECT "_1"."code"
  FROM json_to_recordset(json_build_array($1::json)) AS "_1"("code" text)
  RETURNING "parts".*
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", (
  SELECT CASE WHEN count(*) = 1 THEN json_build_array(min("s"."id"::text)) END
  FROM "_source" AS "s"
) AS "location", '' AS "body"
FROM (
  SELECT
  FROM "_source"
) AS "_2"
-- $1 = {"code":"D-4"}

-- the location with a composite key and a select
-- POST /tags?select=note
-- Prefer: return=headers-only
-- Body: {"k1":1,"k2":"a"}
WITH "_source" AS (
  INSERT INTO "api"."tags" ("k1", "k2")
  SELECT "_1"."k1", "_1"."k2"
  FROM json_to_recordset(json_build_array($1::json)) AS "_1"("k1" integer, "k2" text)
  RETURNING "tags"."k1", "tags"."k2", "tags"."note"
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", (
  SELECT CASE WHEN count(*) = 1 THEN json_build_array(min("s"."k1"::text), min("s"."k2"::text)) END
  FROM "_source" AS "s"
) AS "location", '' AS "body"
FROM (
  SELECT
  FROM "_source"
) AS "_2"
-- $1 = {"k1":1,"k2":"a"}

-- all columns shown
-- POST /parts
-- Prefer: return=representation
-- Body: {"code":"D-4"}
WITH "_source" AS (
  INSERT INTO "api"."parts" ("code")
  SELECT "_1"."code"
  FROM json_to_recordset(json_build_array($1::json)) AS "_1"("code" text)
  RETURNING "parts".*
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", coalesce(json_agg("_2".*), '[]') AS "body"
FROM (
  SELECT "parts".*
  FROM "_source" AS "parts"
) AS "_2"
-- $1 = {"code":"D-4"}

-- some columns shown, renamed, cast, computed
-- POST /parts?select=no:id,qty::text,label_up&order=id.desc
-- Prefer: return=representation
-- Body: [{"code":"D-4"}]
WITH "_source" AS (
  INSERT INTO "api"."parts" ("code")
  SELECT "_1"."code"
  FROM json_to_recordset($1::json) AS "_1"("code" text)
  RETURNING "parts"."id", "parts"."label_up", "parts"."qty"
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", coalesce(json_agg("_2".*), '[]') AS "body"
FROM (
  SELECT "parts"."id" AS "no", CAST("parts"."qty" AS text) AS "qty", "parts"."label_up"
  FROM "_source" AS "parts"
  ORDER BY "parts"."id" DESC OFFSET 0
) AS "_2"
-- $1 = [{"code":"D-4"}]

-- paths into returned values
-- POST /docs?select=id,bin->a,nums->0
-- Prefer: return=representation
-- Body: {"id":7,"bin":{"a":[1]},"nums":[1]}
WITH "_source" AS (
  INSERT INTO "api"."docs" ("bin", "id", "nums")
  SELECT "_1"."bin", "_1"."id", "_1"."nums"
  FROM json_to_recordset(json_build_array($1::json)) AS "_1"("bin" jsonb, "id" integer, "nums" integer[])
  RETURNING "docs"."bin", "docs"."id", "docs"."nums"
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", coalesce(json_agg("_2".*), '[]') AS "body"
FROM (
  SELECT "docs"."id", "docs"."bin"->$2 AS "a", to_jsonb("docs"."nums")->$3::int AS "nums"
  FROM "_source" AS "docs"
) AS "_2"
-- $1 = {"id":7,"bin":{"a":[1]},"nums":[1]}
-- $2 = "a"
-- $3 = "0"

-- to-one embed
-- POST /parts?select=code,depots(city)
-- Prefer: return=representation
-- Body: {"code":"F-6","depot_id":2}
WITH "_source" AS (
  INSERT INTO "api"."parts" ("code", "depot_id")
  SELECT "_1"."code", "_1"."depot_id"
  FROM json_to_recordset(json_build_array($1::json)) AS "_1"("code" text, "depot_id" integer)
  RETURNING "parts"."code", "parts"."depot_id", "parts"."id"
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", coalesce(json_agg("_3".*), '[]') AS "body"
FROM (
  SELECT "parts"."code", row_to_json("_2".*) AS "depots"
  FROM "_source" AS "parts"
  LEFT JOIN LATERAL (
    SELECT "depots_1"."city"
    FROM "api"."depots" AS "depots_1"
    WHERE "depots_1"."id" = "parts"."depot_id"
  ) AS "_2" ON TRUE
) AS "_3"
-- $1 = {"code":"F-6","depot_id":2}

-- required to-many embed with a filter
-- POST /parts?select=code,labels!inner(name)&labels.name=eq.metal
-- Prefer: return=representation, count=exact
-- Body: {"code":"F-6"}
WITH "_source" AS (
  INSERT INTO "api"."parts" ("code")
  SELECT "_1"."code"
  FROM json_to_recordset(json_build_array($1::json)) AS "_1"("code" text)
  RETURNING "parts"."code", "parts"."id"
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
) AS "response_status", NULL AS "inserted", NULL AS "location", coalesce(json_agg("_5".*), '[]') AS "body"
FROM (
  SELECT "parts"."code", COALESCE("_4"."v", '[]') AS "labels"
  FROM "_source" AS "parts"
  INNER JOIN LATERAL (
    SELECT json_agg("_3".*) AS "v"
    FROM (
      SELECT "labels_1"."name"
      FROM "api"."labels" AS "labels_1"
      INNER JOIN "api"."part_labels" AS "_2" ON "labels_1"."id" = "_2"."label_id"
      WHERE "_2"."part_id" = "parts"."id" AND "labels_1"."name" = $2
    ) AS "_3"
  ) AS "_4" ON "_4"."v" IS NOT NULL
) AS "_5"
-- $1 = {"code":"F-6"}
-- $2 = "metal"

-- computed embed: every column is needed
-- POST /parts?select=code,depot_of(city)
-- Prefer: return=representation
-- Body: {"code":"F-6"}
WITH "_source" AS (
  INSERT INTO "api"."parts" ("code")
  SELECT "_1"."code"
  FROM json_to_recordset(json_build_array($1::json)) AS "_1"("code" text)
  RETURNING "parts".*
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", coalesce(json_agg("_3".*), '[]') AS "body"
FROM (
  SELECT "parts"."code", row_to_json("_2".*) AS "depot_of"
  FROM "_source" AS "parts"
  LEFT JOIN LATERAL (
    SELECT "depot_of_1"."city"
    FROM (
      SELECT ("(row)"."row").*
      FROM (
        SELECT "(row)" AS "row"
        FROM "api"."depot_of"(("parts".*)::"api"."parts") AS "(row)"
        WHERE '{oid}'::regclass IS NOT NULL
      ) AS "(row)"
    ) AS "depot_of_1"
  ) AS "_2" ON TRUE
) AS "_3"
-- $1 = {"code":"F-6"}

-- computed embed beside a computed column
-- POST /parts?select=*,label_up,depot_of(city)
-- Prefer: return=representation
-- Body: {"code":"F-6"}
WITH "_source" AS (
  INSERT INTO "api"."parts" ("code")
  SELECT "_1"."code"
  FROM json_to_recordset(json_build_array($1::json)) AS "_1"("code" text)
  RETURNING "parts".*
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", coalesce(json_agg("_3".*), '[]') AS "body"
FROM (
  SELECT "parts".*, (("parts".*)::"api"."parts")."label_up", row_to_json("_2".*) AS "depot_of"
  FROM "_source" AS "parts"
  LEFT JOIN LATERAL (
    SELECT "depot_of_1"."city"
    FROM (
      SELECT ("(row)"."row").*
      FROM (
        SELECT "(row)" AS "row"
        FROM "api"."depot_of"(("parts".*)::"api"."parts") AS "(row)"
        WHERE '{oid}'::regclass IS NOT NULL
      ) AS "(row)"
    ) AS "depot_of_1"
  ) AS "_2" ON TRUE
) AS "_3"
-- $1 = {"code":"F-6"}

-- a domain in, a domain out
-- POST /lamps
-- Prefer: return=representation
-- Body: {"id":2,"tone":"#0000ff"}
WITH "_source" AS (
  INSERT INTO "api"."lamps" ("id", "tone")
  SELECT "_1"."id", "kit"."hue_in"("_1"."tone") AS "tone"
  FROM json_to_recordset(json_build_array($1::json)) AS "_1"("id" integer, "tone" json)
  RETURNING "lamps"."id", "lamps"."name", "lamps"."price", "lamps"."tone"
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", coalesce(json_agg("_2".*), '[]') AS "body"
FROM (
  SELECT "lamps"."id", "kit"."hue_json"("lamps"."tone") AS "tone", "kit"."cents_json"("lamps"."price") AS "price", "lamps"."name"
  FROM "_source" AS "lamps"
) AS "_2"
-- $1 = {"id":2,"tone":"#0000ff"}

-- defaults under an object
-- POST /parts?columns=code,label,qty
-- Prefer: missing=default
-- Body: {"code":"m1"}
WITH "_source" AS (
  INSERT INTO "api"."parts" ("code", "label", "qty")
  SELECT "_1"."code", "_1"."label", "_1"."qty"
  FROM jsonb_to_recordset(jsonb_build_array(jsonb_build_object($2::text, 'unlabelled'::text, $3::text, 0) || $1::jsonb)) AS "_1"("code" text, "label" text, "qty" integer)
  RETURNING 1
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", '' AS "body"
FROM (
  SELECT
  FROM "_source"
) AS "_2"
-- $1 = {"code":"m1"}
-- $2 = "label"
-- $3 = "qty"

-- defaults under each element of an array
-- POST /parts?columns=id,code,label,qty
-- Prefer: missing=default, return=representation
-- Body: [{"code":"m1"},{"code":"m2","label":null,"qty":4}]
WITH "_source" AS (
  INSERT INTO "api"."parts" ("code", "id", "label", "qty")
  SELECT "_1"."code", "_1"."id", "_1"."label", "_1"."qty"
  FROM jsonb_array_elements($1::jsonb) AS "_2"("v"), LATERAL jsonb_to_recordset(jsonb_build_array(jsonb_build_object($2::text, nextval('api.parts_id_seq'), $3::text, 'unlabelled'::text, $4::text, 0) || "_2"."v")) AS "_1"("code" text, "id" integer, "label" text, "qty" integer)
  RETURNING "parts".*
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", coalesce(json_agg("_3".*), '[]') AS "body"
FROM (
  SELECT "parts".*
  FROM "_source" AS "parts"
) AS "_3"
-- $1 = [{"code":"m1"},{"code":"m2","label":null,"qty":4}]
-- $2 = "id"
-- $3 = "label"
-- $4 = "qty"

-- no defaults to apply
-- POST /tags
-- Prefer: missing=default
-- Body: [{"k1":1,"k2":"a"}]
WITH "_source" AS (
  INSERT INTO "api"."tags" ("k1", "k2")
  SELECT "_1"."k1", "_1"."k2"
  FROM jsonb_array_elements($1::jsonb) AS "_2"("v"), LATERAL jsonb_to_recordset(jsonb_build_array('{}'::jsonb || "_2"."v")) AS "_1"("k1" integer, "k2" text)
  RETURNING 1
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", '' AS "body"
FROM (
  SELECT
  FROM "_source"
) AS "_3"
-- $1 = [{"k1":1,"k2":"a"}]

-- one object wanted
-- POST /parts
-- Prefer: return=representation
-- Accept: application/vnd.svc.object+json
-- Body: {"code":"D-4"}
WITH "_source" AS (
  INSERT INTO "api"."parts" ("code")
  SELECT "_1"."code"
  FROM json_to_recordset(json_build_array($1::json)) AS "_1"("code" text)
  RETURNING "parts".*
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", coalesce(string_agg(row_to_json("_2".*)::text, ''), 'null') AS "body"
FROM (
  SELECT "parts".*
  FROM "_source" AS "parts"
) AS "_2"
-- $1 = {"code":"D-4"}

-- CSV wanted
-- POST /parts?select=code,depots(city)
-- Prefer: return=representation
-- Accept: text/csv
-- Body: {"code":"D-4"}
WITH "_source" AS (
  INSERT INTO "api"."parts" ("code")
  SELECT "_1"."code"
  FROM json_to_recordset(json_build_array($1::json)) AS "_1"("code" text)
  RETURNING "parts"."code", "parts"."depot_id", "parts"."id"
), "_3" AS MATERIALIZED (
  SELECT "parts"."code", row_to_json("_2".*)::jsonb AS "depots"
  FROM "_source" AS "parts"
  LEFT JOIN LATERAL (
    SELECT "depots_1"."city"
    FROM "api"."depots" AS "depots_1"
    WHERE "depots_1"."id" = "parts"."depot_id"
  ) AS "_2" ON TRUE
)
SELECT "_4".*, "_3".*
FROM (
  SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location"
  FROM "_3"
) AS "_4"
LEFT JOIN "_3" ON TRUE
-- $1 = {"code":"D-4"}

-- a handler of the relation
-- POST /parts
-- Prefer: return=representation
-- Accept: text/x-codes
-- Body: {"code":"D-4"}
WITH "_source" AS (
  INSERT INTO "api"."parts" ("code")
  SELECT "_1"."code"
  FROM json_to_recordset(json_build_array($1::json)) AS "_1"("code" text)
  RETURNING "parts".*
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", "api"."codes"(("_2".*)::"api"."parts") AS "body"
FROM (
  SELECT "parts".*
  FROM "_source" AS "parts"
) AS "_2"
-- $1 = {"code":"D-4"}

-- a view with a trigger
-- POST /intake
-- Prefer: return=representation
-- Body: {"code":"D-4","city":"Oslo"}
WITH "_source" AS (
  INSERT INTO "api"."intake" ("city", "code")
  SELECT "_1"."city", "_1"."code"
  FROM json_to_recordset(json_build_array($1::json)) AS "_1"("city" text, "code" text)
  RETURNING "intake".*
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location", coalesce(json_agg("_2".*), '[]') AS "body"
FROM (
  SELECT "intake".*
  FROM "_source" AS "intake"
) AS "_2"
-- $1 = {"code":"D-4","city":"Oslo"}

-- names that need their quotes
-- POST /odd%20name
-- Prefer: return=headers-only
-- Body: {"id":2,"the value":"it's"}
WITH "_source" AS (
  INSERT INTO "api"."odd name" ("id", "the value")
  SELECT "_1"."id", "_1"."the value"
  FROM json_to_recordset(json_build_array($1::json)) AS "_1"("id" integer, "the value" text)
  RETURNING "odd name".*
)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", (
  SELECT CASE WHEN count(*) = 1 THEN json_build_array(min("s"."id"::text)) END
  FROM "_source" AS "s"
) AS "location", '' AS "body"
FROM (
  SELECT
  FROM "_source"
) AS "_2"
-- $1 = {"id":2,"the value":"it's"}
