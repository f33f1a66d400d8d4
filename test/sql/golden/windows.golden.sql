-- {settings} = nullif(current_setting('response.headers', true), '') AS "response_headers", nullif(current_setting('response.status', true), '') AS "response_status"

-- order: directions, nulls, computed columns, elements, paths
-- GET /boats?select=id&order=built.desc,draft.asc.nullsfirst,label.nullslast,age,flags->0,meta->log->0.desc
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  ORDER BY "boats"."built" DESC, "boats"."draft" ASC NULLS FIRST, "boats"."label" NULLS LAST, "boats"."age", to_jsonb("boats"."flags")->$1::int, "boats"."meta"->$2->$3::int DESC OFFSET 0
) AS "_1"
-- $1 = "0"
-- $2 = "log"
-- $3 = "0"

-- limit and offset are parameters
-- GET /boats?select=id&order=id&limit=2&offset=1
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  ORDER BY "boats"."id"
  LIMIT $1 OFFSET $2
) AS "_1"
-- $1 = "2"
-- $2 = "1"

-- an offset alone
-- GET /boats?select=id&order=id&offset=2
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  ORDER BY "boats"."id"
  LIMIT ALL OFFSET $1
) AS "_1"
-- $1 = "2"

-- a Range header meets the parameters
-- GET /boats?select=id&order=id&offset=2&limit=3
-- Range: 3-10
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  ORDER BY "boats"."id"
  LIMIT $1 OFFSET $2
) AS "_1"
-- $1 = "2"
-- $2 = "3"

-- db-max-rows caps the page and every embed that may have several rows
-- GET /harbours?select=id,boats(id,harbours(name))&limit=50
-- with db-max-rows=2
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_4".*), '[]') AS "body"
FROM (
  SELECT "harbours"."id", COALESCE("_3"."v", '[]') AS "boats"
  FROM "api"."harbours"
  LEFT JOIN LATERAL (
    SELECT json_agg("_2".*) AS "v"
    FROM (
      SELECT "boats_1"."id", row_to_json("_1".*) AS "harbours"
      FROM "api"."boats" AS "boats_1"
      LEFT JOIN LATERAL (
        SELECT "harbours_2"."name"
        FROM "api"."harbours" AS "harbours_2"
        WHERE "harbours_2"."id" = "boats_1"."harbour_id"
      ) AS "_1" ON TRUE
      WHERE "boats_1"."harbour_id" = "harbours"."id"
      LIMIT $1
    ) AS "_2"
  ) AS "_3" ON TRUE
  LIMIT $2
) AS "_4"
-- $1 = "2"
-- $2 = "2"

-- an exact count of a window is a query of its own
-- GET /boats?select=id&built=gte.1991&order=id&limit=1
-- Prefer: count=exact
SELECT count(*) AS "page_rows", (
  SELECT count(*)
  FROM (
    SELECT 1
    FROM "api"."boats"
    WHERE "boats"."built" >= $3
  ) AS "_1"
) AS "total", {settings}, coalesce(json_agg("_2".*), '[]') AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  WHERE "boats"."built" >= $1
  ORDER BY "boats"."id"
  LIMIT $2
) AS "_2"
-- $1 = "1991"
-- $2 = "1"
-- $3 = "1991"

-- an exact count of everything needs none
-- GET /boats?select=id&built=gte.1991
-- Prefer: count=exact
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  WHERE "boats"."built" >= $1
) AS "_1"
-- $1 = "1991"

-- counting sees inner embeds and null filters, not left embeds, order or limits
-- GET /harbours?select=id,boats!inner(id,permits!inner(code),sailors(name)),voyages!voyages_to_fkey()&boats.built=gte.1991&boats.limit=1&voyages=is.null&order=id&limit=5
-- Prefer: count=exact
SELECT count(*) AS "page_rows", (
  SELECT count(*)
  FROM (
    SELECT 1
    FROM "api"."harbours"
    WHERE NOT EXISTS (
      SELECT 1
      FROM "api"."voyages" AS "voyages_1"
      WHERE "voyages_1"."to_id" = "harbours"."id"
    ) AND EXISTS (
      SELECT 1
      FROM "api"."boats" AS "boats_1"
      WHERE "boats_1"."harbour_id" = "harbours"."id" AND "boats_1"."built" >= $4 AND EXISTS (
        SELECT 1
        FROM "api"."permits" AS "permits_2"
        WHERE "permits_2"."boat_id" = "boats_1"."id"
      )
    )
  ) AS "_7"
) AS "total", {settings}, coalesce(json_agg("_8".*), '[]') AS "body"
FROM (
  SELECT "harbours"."id", COALESCE("_6"."v", '[]') AS "boats"
  FROM "api"."harbours"
  INNER JOIN LATERAL (
    SELECT json_agg("_5".*) AS "v"
    FROM (
      SELECT "boats_1"."id", row_to_json("_1".*) AS "permits", COALESCE("_4"."v", '[]') AS "sailors"
      FROM "api"."boats" AS "boats_1"
      INNER JOIN LATERAL (
        SELECT "permits_2"."code"
        FROM "api"."permits" AS "permits_2"
        WHERE "permits_2"."boat_id" = "boats_1"."id"
      ) AS "_1" ON TRUE
      LEFT JOIN LATERAL (
        SELECT json_agg("_3".*) AS "v"
        FROM (
          SELECT "sailors_2"."name"
          FROM "api"."sailors" AS "sailors_2"
          INNER JOIN "api"."postings" AS "_2" ON "sailors_2"."id" = "_2"."sailor_id"
          WHERE "_2"."boat_id" = "boats_1"."id"
        ) AS "_3"
      ) AS "_4" ON TRUE
      WHERE "boats_1"."harbour_id" = "harbours"."id" AND "boats_1"."built" >= $1
      LIMIT $2
    ) AS "_5"
  ) AS "_6" ON "_6"."v" IS NOT NULL
  WHERE NOT EXISTS (
    SELECT
    FROM "api"."voyages" AS "voyages_1"
    WHERE "voyages_1"."to_id" = "harbours"."id"
  )
  ORDER BY "harbours"."id"
  LIMIT $3
) AS "_8"
-- $1 = "1991"
-- $2 = "1"
-- $3 = "5"
-- $4 = "1991"

-- a planned count explains the count query
-- GET /lots?select=id&grp=eq.1&limit=5
-- Prefer: count=planned
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "lots"."id"
  FROM "api"."lots"
  WHERE "lots"."grp" = $1
  LIMIT $2
) AS "_1"
-- $1 = "1"
-- $2 = "5"
EXPLAIN (FORMAT JSON)
SELECT 1
FROM "api"."lots"
WHERE "lots"."grp" = $1
-- $1 = "1"

-- an estimated count is exact up to db-max-rows
-- GET /lots?select=id&grp=eq.1
-- Prefer: count=estimated
-- with db-max-rows=10
SELECT count(*) AS "page_rows", (
  SELECT count(*)
  FROM (
    SELECT 1
    FROM "api"."lots"
    WHERE "lots"."grp" = $3
    LIMIT $4
  ) AS "_1"
) AS "total", {settings}, coalesce(json_agg("_2".*), '[]') AS "body"
FROM (
  SELECT "lots"."id"
  FROM "api"."lots"
  WHERE "lots"."grp" = $1
  LIMIT $2
) AS "_2"
-- $1 = "1"
-- $2 = "10"
-- $3 = "1"
-- $4 = "11"
EXPLAIN (FORMAT JSON)
SELECT 1
FROM "api"."lots"
WHERE "lots"."grp" = $1
-- $1 = "1"

-- an estimated count without db-max-rows counts everything
-- GET /lots?select=id
-- Prefer: count=estimated
SELECT count(*) AS "page_rows", (
  SELECT count(*)
  FROM (
    SELECT 1
    FROM "api"."lots"
  ) AS "_1"
) AS "total", {settings}, coalesce(json_agg("_2".*), '[]') AS "body"
FROM (
  SELECT "lots"."id"
  FROM "api"."lots"
) AS "_2"
EXPLAIN (FORMAT JSON)
SELECT 1
FROM "api"."lots"

-- counting through a junction and a function
-- GET /sailors?select=id,boats!inner(),kin!inner()&boats.label=eq.Alba&limit=1
-- Prefer: count=exact
SELECT count(*) AS "page_rows", (
  SELECT count(*)
  FROM (
    SELECT 1
    FROM "api"."sailors"
    WHERE EXISTS (
      SELECT 1
      FROM "api"."boats" AS "boats_1"
      INNER JOIN "api"."postings" AS "_2" ON "boats_1"."id" = "_2"."boat_id"
      WHERE "_2"."sailor_id" = "sailors"."id" AND "boats_1"."label" = $3
    ) AND EXISTS (
      SELECT 1
      FROM (
        SELECT ("(row)"."row").*
        FROM (
          SELECT "(row)" AS "row"
          FROM "api"."kin"(("sailors".*)::"api"."sailors") AS "(row)"
          WHERE '{oid}'::regclass IS NOT NULL
        ) AS "(row)"
      ) AS "kin_1"
    )
  ) AS "_3"
) AS "total", {settings}, coalesce(json_agg("_4".*), '[]') AS "body"
FROM (
  SELECT "sailors"."id"
  FROM "api"."sailors"
  WHERE EXISTS (
    SELECT
    FROM "api"."boats" AS "boats_1"
    INNER JOIN "api"."postings" AS "_1" ON "boats_1"."id" = "_1"."boat_id"
    WHERE "_1"."sailor_id" = "sailors"."id" AND "boats_1"."label" = $1
  ) AND EXISTS (
    SELECT
    FROM (
      SELECT ("(row)"."row").*
      FROM (
        SELECT "(row)" AS "row"
        FROM "api"."kin"(("sailors".*)::"api"."sailors") AS "(row)"
        WHERE '{oid}'::regclass IS NOT NULL
      ) AS "(row)"
    ) AS "kin_1"
  )
  LIMIT $2
) AS "_4"
-- $1 = "Alba"
-- $2 = "1"
-- $3 = "Alba"
