-- {settings} = nullif(current_setting('response.headers', true), '') AS "response_headers", nullif(current_setting('response.status', true), '') AS "response_status"

-- without arguments
-- GET /rpc/peek
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1"."svc_scalar")->0, 'null') AS "body"
FROM (
  SELECT "peek".*
  FROM "api"."peek"() AS "peek"("svc_scalar")
) AS "_1"

-- scalar by GET
-- GET /rpc/add?a=2&b=3
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1"."svc_scalar")->0, 'null') AS "body"
FROM (
  SELECT "add".*
  FROM "api"."add"("a" := $1::integer, "b" := $2::integer) AS "add"("svc_scalar")
) AS "_1"
-- $1 = "2"
-- $2 = "3"

-- scalar by POST
-- POST /rpc/add
-- Body: {"a":2,"b":3}
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_2"."svc_scalar")->0, 'null') AS "body"
FROM (
  SELECT "add".*
  FROM (
    SELECT "add".*
    FROM json_to_record($1::json) AS "_1"("a" integer, "b" integer), LATERAL "api"."add"("a" := "_1"."a", "b" := "_1"."b") AS "add"("svc_scalar")
  ) AS "add"
) AS "_2"
-- $1 = {"a":2,"b":3}

-- the first element of an array
-- POST /rpc/add
-- Body: [{"a":2,"b":3},{"a":9,"b":9}]
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_2"."svc_scalar")->0, 'null') AS "body"
FROM (
  SELECT "add".*
  FROM (
    SELECT "add".*
    FROM (
      SELECT *
      FROM json_to_recordset($1::json) AS "_1"("a" integer, "b" integer)
      LIMIT 1
    ) AS "_1", LATERAL "api"."add"("a" := "_1"."a", "b" := "_1"."b") AS "add"("svc_scalar")
  ) AS "add"
) AS "_2"
-- $1 = [{"a":2,"b":3},{"a":9,"b":9}]

-- arguments by form
-- POST /rpc/add
-- Content-Type: application/x-www-form-urlencoded
-- Body: a=2&b=3
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1"."svc_scalar")->0, 'null') AS "body"
FROM (
  SELECT "add".*
  FROM "api"."add"("a" := $1::integer, "b" := $2::integer) AS "add"("svc_scalar")
) AS "_1"
-- $1 = "2"
-- $2 = "3"

-- set of rows by GET
-- GET /rpc/parts_in?depot=1
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "parts_in".*
  FROM (
    SELECT ("(row)"."row").*
    FROM (
      SELECT "(row)" AS "row"
      FROM "api"."parts_in"("depot" := $1::integer) AS "(row)"
      WHERE '{oid}'::regclass IS NOT NULL
    ) AS "(row)"
  ) AS "parts_in"
) AS "_1"
-- $1 = "1"

-- set of rows with select, filter, order, limit, embed
-- GET /rpc/parts_in?depot=1&qty=gt.8&select=code,depots(city)&order=code&limit=1
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_2".*), '[]') AS "body"
FROM (
  SELECT "parts_in"."code", row_to_json("_1".*) AS "depots"
  FROM (
    SELECT ("(row)"."row")."code", ("(row)"."row")."depot_id", ("(row)"."row")."qty"
    FROM (
      SELECT "(row)" AS "row"
      FROM "api"."parts_in"("depot" := $1::integer) AS "(row)"
      WHERE '{oid}'::regclass IS NOT NULL
    ) AS "(row)"
  ) AS "parts_in"
  LEFT JOIN LATERAL (
    SELECT "depots_1"."city"
    FROM "api"."depots" AS "depots_1"
    WHERE "depots_1"."id" = "parts_in"."depot_id"
  ) AS "_1" ON TRUE
  WHERE "parts_in"."qty" > $2
  ORDER BY "parts_in"."code"
  LIMIT $3
) AS "_2"
-- $1 = "1"
-- $2 = "8"
-- $3 = "1"

-- set of rows by POST with its exact total
-- POST /rpc/parts_in?limit=1&order=id
-- Prefer: count=exact
-- Body: {"depot":1}
WITH "_source" AS (
  SELECT *
  FROM (
    SELECT ("(row)"."row").*
    FROM (
      SELECT "(row)" AS "row"
      FROM json_to_record($1::json) AS "_1"("depot" integer), LATERAL "api"."parts_in"("depot" := "_1"."depot") AS "(row)"
      WHERE '{oid}'::regclass IS NOT NULL
    ) AS "(row)"
  ) AS "parts_in"
)
SELECT count(*) AS "page_rows", (
  SELECT count(*)
  FROM (
    SELECT 1
    FROM "_source" AS "parts_in"
  ) AS "_2"
) AS "total", {settings}, coalesce(json_agg("_3".*), '[]') AS "body"
FROM (
  SELECT "parts_in".*
  FROM "_source" AS "parts_in"
  ORDER BY "parts_in"."id"
  LIMIT $2
) AS "_3"
-- $1 = {"depot":1}
-- $2 = "1"

-- estimated total
-- GET /rpc/parts_in?depot=1
-- Prefer: count=estimated
-- with db-max-rows=10
WITH "_source" AS (
  SELECT *
  FROM (
    SELECT ("(row)"."row").*
    FROM (
      SELECT "(row)" AS "row"
      FROM "api"."parts_in"("depot" := $1::integer) AS "(row)"
      WHERE '{oid}'::regclass IS NOT NULL
    ) AS "(row)"
  ) AS "parts_in"
)
SELECT count(*) AS "page_rows", (
  SELECT count(*)
  FROM (
    SELECT 1
    FROM "_source" AS "parts_in"
    LIMIT $3
  ) AS "_1"
) AS "total", {settings}, coalesce(json_agg("_2".*), '[]') AS "body"
FROM (
  SELECT "parts_in".*
  FROM "_source" AS "parts_in"
  LIMIT $2
) AS "_2"
-- $1 = "1"
-- $2 = "10"
-- $3 = "11"
EXPLAIN (FORMAT JSON)
SELECT 1
FROM (
  SELECT ("(row)"."row").*
  FROM (
    SELECT "(row)" AS "row"
    FROM "api"."parts_in"("depot" := $1::integer) AS "(row)"
    WHERE '{oid}'::regclass IS NOT NULL
  ) AS "(row)"
) AS "parts_in"
-- $1 = "1"

-- planned total
-- GET /rpc/parts_in?depot=1&qty=gt.1&limit=1
-- Prefer: count=planned
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "parts_in".*
  FROM (
    SELECT ("(row)"."row").*
    FROM (
      SELECT "(row)" AS "row"
      FROM "api"."parts_in"("depot" := $1::integer) AS "(row)"
      WHERE '{oid}'::regclass IS NOT NULL
    ) AS "(row)"
  ) AS "parts_in"
  WHERE "parts_in"."qty" > $2
  LIMIT $3
) AS "_1"
-- $1 = "1"
-- $2 = "1"
-- $3 = "1"
EXPLAIN (FORMAT JSON)
SELECT 1
FROM (
  SELECT ("(row)"."row").*
  FROM (
    SELECT "(row)" AS "row"
    FROM "api"."parts_in"("depot" := $1::integer) AS "(row)"
    WHERE '{oid}'::regclass IS NOT NULL
  ) AS "(row)"
) AS "parts_in"
WHERE "parts_in"."qty" > $2
-- $1 = "1"
-- $2 = "1"

-- headers alone
-- HEAD /rpc/parts_in?depot=1
SELECT count("_1".*) AS "page_rows", NULL::bigint AS "total", {settings}, '' AS "body"
FROM (
  SELECT "parts_in".*
  FROM (
    SELECT ("(row)"."row").*
    FROM (
      SELECT "(row)" AS "row"
      FROM "api"."parts_in"("depot" := $1::integer) AS "(row)"
      WHERE '{oid}'::regclass IS NOT NULL
    ) AS "(row)"
  ) AS "parts_in"
) AS "_1"
-- $1 = "1"

-- computed columns and embeds of the rows
-- GET /rpc/parts_in?depot=1&select=label_up,depot_of(city)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_2".*), '[]') AS "body"
FROM (
  SELECT (("parts_in".*)::"api"."parts")."label_up", row_to_json("_1".*) AS "depot_of"
  FROM (
    SELECT ("(row)"."row").*
    FROM (
      SELECT "(row)" AS "row"
      FROM "api"."parts_in"("depot" := $1::integer) AS "(row)"
      WHERE '{oid}'::regclass IS NOT NULL
    ) AS "(row)"
  ) AS "parts_in"
  LEFT JOIN LATERAL (
    SELECT "depot_of_1"."city"
    FROM (
      SELECT ("(row)"."row").*
      FROM (
        SELECT "(row)" AS "row"
        FROM "api"."depot_of"(("parts_in".*)::"api"."parts") AS "(row)"
        WHERE '{oid}'::regclass IS NOT NULL
      ) AS "(row)"
    ) AS "depot_of_1"
  ) AS "_1" ON TRUE
) AS "_2"
-- $1 = "1"

-- variadic by GET
-- GET /rpc/total?v=1&v=2&v=3
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1"."svc_scalar")->0, 'null') AS "body"
FROM (
  SELECT "total".*
  FROM "api"."total"(VARIADIC "v" := $1::integer[]) AS "total"("svc_scalar")
) AS "_1"
-- $1 = "{\"1\",\"2\",\"3\"}"

-- variadic by POST
-- POST /rpc/total
-- Body: {"v":[1,2,3]}
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_2"."svc_scalar")->0, 'null') AS "body"
FROM (
  SELECT "total".*
  FROM (
    SELECT "total".*
    FROM json_to_record($1::json) AS "_1"("v" integer[]), LATERAL "api"."total"(VARIADIC "v" := "_1"."v") AS "total"("svc_scalar")
  ) AS "total"
) AS "_2"
-- $1 = {"v":[1,2,3]}

-- set of scalars
-- GET /rpc/numbers?n=3
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1"."svc_scalar"), '[]') AS "body"
FROM (
  SELECT "numbers".*
  FROM "api"."numbers"("n" := $1::integer) AS "numbers"("svc_scalar")
) AS "_1"
-- $1 = "3"

-- one row
-- GET /rpc/depot?id=1
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*)->0, 'null') AS "body"
FROM (
  SELECT "depot".*
  FROM (
    SELECT ("(row)"."row").*
    FROM (
      SELECT "(row)" AS "row"
      FROM "api"."depot"("id" := $1::integer) AS "(row)"
      WHERE '{oid}'::regclass IS NOT NULL
    ) AS "(row)"
  ) AS "depot"
) AS "_1"
-- $1 = "1"

-- OUT parameters
-- GET /rpc/twice?n=4
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*)->0, 'null') AS "body"
FROM (
  SELECT "twice".*
  FROM "api"."twice"("n" := $1::integer) AS "twice"
) AS "_1"
-- $1 = "4"

-- table of one column
-- GET /rpc/upto?n=3
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "upto".*
  FROM "api"."upto"("n" := $1::integer) AS "upto"
) AS "_1"
-- $1 = "3"

-- record without declared columns
-- GET /rpc/rec
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1"."svc_scalar")->0, 'null') AS "body"
FROM (
  SELECT "rec".*
  FROM (
    SELECT "api"."rec"() AS "svc_scalar"
  ) AS "rec"
) AS "_1"

-- records without declared columns
-- POST /rpc/recs
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1"."svc_scalar"), '[]') AS "body"
FROM (
  SELECT "recs".*
  FROM (
    SELECT "api"."recs"() AS "svc_scalar"
  ) AS "recs"
) AS "_1"

-- nothing
-- POST /rpc/put_tag_void
-- Body: {"k":5}
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, '' AS "body"
FROM (
  SELECT "put_tag_void".*
  FROM (
    SELECT "put_tag_void".*
    FROM json_to_record($1::json) AS "_1"("k" integer), LATERAL "api"."put_tag_void"("k" := "_1"."k") AS "put_tag_void"("svc_scalar")
  ) AS "put_tag_void"
) AS "_2"
-- $1 = {"k":5}

-- whole JSON body
-- POST /rpc/absorb
-- Body: {"x":1}
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1"."svc_scalar")->0, 'null') AS "body"
FROM (
  SELECT "absorb".*
  FROM "api"."absorb"($1::json) AS "absorb"("svc_scalar")
) AS "_1"
-- $1 = {"x":1}

-- raw text
-- POST /rpc/shout
-- Content-Type: text/plain
-- Body: hello
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1"."svc_scalar")->0, 'null') AS "body"
FROM (
  SELECT "shout".*
  FROM "api"."shout"($1::text) AS "shout"("svc_scalar")
) AS "_1"
-- $1 = hello

-- raw bytes
-- POST /rpc/blob_len
-- Content-Type: application/octet-stream
-- Body: hello
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1"."svc_scalar")->0, 'null') AS "body"
FROM (
  SELECT "blob_len".*
  FROM "api"."blob_len"($1::bytea) AS "blob_len"("svc_scalar")
) AS "_1"
-- $1 = \x68656c6c6f

-- raw bytes out
-- GET /rpc/logo
-- Accept: image/png
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, (array_agg("_1"."svc_scalar"))[1] AS "body"
FROM (
  SELECT "logo".*
  FROM "api"."logo"() AS "logo"("svc_scalar")
) AS "_1"

-- one object of a set
-- GET /rpc/parts_in?depot=2
-- Accept: application/vnd.svc.object+json
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(string_agg(row_to_json("_1".*)::text, ''), 'null') AS "body"
FROM (
  SELECT "parts_in".*
  FROM (
    SELECT ("(row)"."row").*
    FROM (
      SELECT "(row)" AS "row"
      FROM "api"."parts_in"("depot" := $1::integer) AS "(row)"
      WHERE '{oid}'::regclass IS NOT NULL
    ) AS "(row)"
  ) AS "parts_in"
) AS "_1"
-- $1 = "2"

-- CSV of a scalar
-- GET /rpc/add?a=2&b=3
-- Accept: text/csv
WITH "_1" AS MATERIALIZED (
  SELECT "add".*
  FROM "api"."add"("a" := $1::integer, "b" := $2::integer) AS "add"("svc_scalar")
)
SELECT "_2".*, "_1".*
FROM (
  SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, NULL AS "inserted", NULL AS "location"
  FROM "_1"
) AS "_2"
LEFT JOIN "_1" ON TRUE
-- $1 = "2"
-- $2 = "3"

-- a handler of the row type's relation
-- GET /rpc/parts_in?depot=1
-- Accept: text/x-codes
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, "api"."codes"(("_1".*)::"api"."parts") AS "body"
FROM (
  SELECT "parts_in".*
  FROM (
    SELECT ("(row)"."row").*
    FROM (
      SELECT "(row)" AS "row"
      FROM "api"."parts_in"("depot" := $1::integer) AS "(row)"
      WHERE '{oid}'::regclass IS NOT NULL
    ) AS "(row)"
  ) AS "parts_in"
) AS "_1"
-- $1 = "1"

-- at most so many rows, written by the function
-- POST /rpc/drop_tags
-- Prefer: handling=strict, max-affected=1
-- Body: {"k":1}
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_2".*), '[]') AS "body"
FROM (
  SELECT "drop_tags".*
  FROM (
    SELECT ("(row)"."row").*
    FROM (
      SELECT "(row)" AS "row"
      FROM json_to_record($1::json) AS "_1"("k" integer), LATERAL "api"."drop_tags"("k" := "_1"."k") AS "(row)"
      WHERE '{oid}'::regclass IS NOT NULL
    ) AS "(row)"
  ) AS "drop_tags"
) AS "_2"
-- $1 = {"k":1}

-- single object
-- POST /rpc/named_json
-- Prefer: params=single-object
-- Body: {"a":1}
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1"."svc_scalar")->0, 'null') AS "body"
FROM (
  SELECT "named_json".*
  FROM "api"."named_json"($1::json) AS "named_json"("svc_scalar")
) AS "_1"
-- $1 = {"a":1}

-- a limit on what a volatile function gives: it runs even for none
-- POST /rpc/drop_tags?limit=0
-- Body: {"k":1}
WITH "_source" AS (
  SELECT *
  FROM (
    SELECT ("(row)"."row").*
    FROM (
      SELECT "(row)" AS "row"
      FROM json_to_record($1::json) AS "_1"("k" integer), LATERAL "api"."drop_tags"("k" := "_1"."k") AS "(row)"
      WHERE '{oid}'::regclass IS NOT NULL
    ) AS "(row)"
  ) AS "drop_tags"
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
) AS "response_status", coalesce(json_agg("_2".*), '[]') AS "body"
FROM (
  SELECT "drop_tags".*
  FROM "_source" AS "drop_tags"
  LIMIT $2
) AS "_2"
-- $1 = {"k":1}
-- $2 = "0"

-- a required embed on what a volatile function gives
-- POST /rpc/add_parts?select=code,depots!inner(city)&depots.city=eq.Nowhere
-- Body: {"codes":["x"]}
WITH "_source" AS (
  SELECT *
  FROM (
    SELECT ("(row)"."row")."code", ("(row)"."row")."depot_id"
    FROM (
      SELECT "(row)" AS "row"
      FROM json_to_record($1::json) AS "_1"("codes" text[]), LATERAL "api"."add_parts"("codes" := "_1"."codes") AS "(row)"
      WHERE '{oid}'::regclass IS NOT NULL
    ) AS "(row)"
  ) AS "add_parts"
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
) AS "response_status", coalesce(json_agg("_3".*), '[]') AS "body"
FROM (
  SELECT "add_parts"."code", row_to_json("_2".*) AS "depots"
  FROM "_source" AS "add_parts"
  INNER JOIN LATERAL (
    SELECT "depots_1"."city"
    FROM "api"."depots" AS "depots_1"
    WHERE "depots_1"."id" = "add_parts"."depot_id" AND "depots_1"."city" = $2
  ) AS "_2" ON TRUE
) AS "_3"
-- $1 = {"codes":["x"]}
-- $2 = "Nowhere"
