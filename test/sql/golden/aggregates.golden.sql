-- {settings} = nullif(current_setting('response.headers', true), '') AS "response_headers", nullif(current_setting('response.status', true), '') AS "response_status"

-- over all rows
-- GET /boats?select=count(),draft.sum(),draft.avg(),draft.min(),draft.max(),label.count()
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT count(1) AS "count", sum("boats"."draft") AS "sum", avg("boats"."draft") AS "avg", min("boats"."draft") AS "min", max("boats"."draft") AS "max", count("boats"."label") AS "count"
  FROM "api"."boats"
) AS "_1"

-- grouped by the other columns
-- GET /boats?select=built,n:count(),draft.sum()&built=gte.1990&order=built
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."built", count(1) AS "n", sum("boats"."draft") AS "sum"
  FROM "api"."boats"
  WHERE "boats"."built" >= $1
  GROUP BY "boats"."built"
  ORDER BY "boats"."built" OFFSET 0
) AS "_1"
-- $1 = "1990"

-- casts before and after
-- GET /boats?select=meta->>n::int.sum()::text,built::text,count()::int
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT CAST(sum(CAST("boats"."meta"->>$1 AS int)) AS text) AS "sum", CAST("boats"."built" AS text) AS "built", CAST(count(1) AS int) AS "count"
  FROM "api"."boats"
  GROUP BY CAST("boats"."built" AS text)
) AS "_1"
-- $1 = "n"

-- a path groups by the same parameters that it shows and orders by
-- GET /boats?select=meta->>hull,count()&order=meta->>hull
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."meta"->>$1 AS "hull", count(1) AS "count"
  FROM "api"."boats"
  GROUP BY "boats"."meta"->>$1
  ORDER BY "boats"."meta"->>$1 OFFSET 0
) AS "_1"
-- $1 = "hull"

-- all columns are spelled out to be grouped by
-- GET /harbours?select=*,count()
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "harbours"."id", "harbours"."name", count(1) AS "count"
  FROM "api"."harbours"
  GROUP BY "harbours"."id", "harbours"."name"
) AS "_1"

-- grouped by embeds
-- GET /boats?select=draft.sum(),harbours(name),sailors(name)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_5".*), '[]') AS "body"
FROM (
  SELECT sum("boats"."draft") AS "sum", row_to_json("_1".*)::jsonb AS "harbours", COALESCE("_4"."v", '[]')::jsonb AS "sailors"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT "harbours_1"."name"
    FROM "api"."harbours" AS "harbours_1"
    WHERE "harbours_1"."id" = "boats"."harbour_id"
  ) AS "_1" ON TRUE
  LEFT JOIN LATERAL (
    SELECT json_agg("_3".*) AS "v"
    FROM (
      SELECT "sailors_1"."name"
      FROM "api"."sailors" AS "sailors_1"
      INNER JOIN "api"."postings" AS "_2" ON "sailors_1"."id" = "_2"."sailor_id"
      WHERE "_2"."boat_id" = "boats"."id"
    ) AS "_3"
  ) AS "_4" ON TRUE
  GROUP BY row_to_json("_1".*)::jsonb, COALESCE("_4"."v", '[]')::jsonb
) AS "_5"

-- inside an embed, for each parent
-- GET /harbours?select=name,boats(built,draft.sum())&boats.order=built
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_3".*), '[]') AS "body"
FROM (
  SELECT "harbours"."name", COALESCE("_2"."v", '[]') AS "boats"
  FROM "api"."harbours"
  LEFT JOIN LATERAL (
    SELECT json_agg("_1".*) AS "v"
    FROM (
      SELECT "boats_1"."built", sum("boats_1"."draft") AS "sum"
      FROM "api"."boats" AS "boats_1"
      WHERE "boats_1"."harbour_id" = "harbours"."id"
      GROUP BY "boats_1"."built"
      ORDER BY "boats_1"."built" OFFSET 0
    ) AS "_1"
  ) AS "_2" ON TRUE
) AS "_3"

-- hoisted out of a to-one spread
-- GET /boats?select=built,...harbours(name.max(),id)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_2".*), '[]') AS "body"
FROM (
  SELECT "boats"."built", max("_1"."c1") AS "max", "_1"."c2" AS "id"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT "harbours_1"."name", "harbours_1"."id"
    FROM "api"."harbours" AS "harbours_1"
    WHERE "harbours_1"."id" = "boats"."harbour_id"
  ) AS "_1"("c1", "c2") ON TRUE
  GROUP BY "boats"."built", "_1"."c2"
) AS "_2"

-- counting the rows of a spread that exist
-- GET /boats?select=built,...harbours(n:count())
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_2".*), '[]') AS "body"
FROM (
  SELECT "boats"."built", count("_1"."c1") AS "n"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT 1
    FROM "api"."harbours" AS "harbours_1"
    WHERE "harbours_1"."id" = "boats"."harbour_id"
  ) AS "_1"("c1") ON TRUE
  GROUP BY "boats"."built"
) AS "_2"

-- a hidden inner embed is no item to group by
-- GET /boats?select=count(),harbours!inner()
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT count(1) AS "count"
  FROM "api"."boats"
  WHERE EXISTS (
    SELECT
    FROM "api"."harbours" AS "harbours_1"
    WHERE "harbours_1"."id" = "boats"."harbour_id"
  )
) AS "_1"

-- an alias that is also a column groups by the expression
-- GET /boats?select=label:built,count()
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."built" AS "label", count(1) AS "count"
  FROM "api"."boats"
  GROUP BY "boats"."built"
) AS "_1"

-- a converted domain groups by the stored value
-- GET /paints?select=hue,count()
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "public"."colour_json"("paints"."hue") AS "hue", count(1) AS "count"
  FROM "api"."paints"
  GROUP BY "paints"."hue"
) AS "_1"

-- an array of a spread groups as a value
-- GET /harbours?select=count(),...boats(label)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_3".*), '[]') AS "body"
FROM (
  SELECT count(1) AS "count", COALESCE("_2"."c1", '[]')::jsonb AS "label"
  FROM "api"."harbours"
  LEFT JOIN LATERAL (
    SELECT NULLIF(count(*), 0) AS "v", json_agg("_1"."c1") AS "c1"
    FROM (
      SELECT "boats_1"."label"
      FROM "api"."boats" AS "boats_1"
      WHERE "boats_1"."harbour_id" = "harbours"."id"
    ) AS "_1"("c1")
  ) AS "_2" ON TRUE
  GROUP BY COALESCE("_2"."c1", '[]')::jsonb
) AS "_3"

-- a count of result rows
-- GET /boats?select=built,count()
-- Prefer: count=exact
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."built", count(1) AS "count"
  FROM "api"."boats"
  GROUP BY "boats"."built"
) AS "_1"

-- what a spread lifts out of its own embeds groups as a value
-- GET /boats?select=count(),...harbours(boats(label),...visitors(label))
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_6".*), '[]') AS "body"
FROM (
  SELECT count(1) AS "count", "_5"."c1" AS "boats", "_5"."c2" AS "label"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT COALESCE("_2"."v", '[]')::jsonb, COALESCE("_4"."c1", '[]')::jsonb
    FROM "api"."harbours" AS "harbours_1"
    LEFT JOIN LATERAL (
      SELECT json_agg("_1".*) AS "v"
      FROM (
        SELECT "boats_2"."label"
        FROM "api"."boats" AS "boats_2"
        WHERE "boats_2"."harbour_id" = "harbours_1"."id"
      ) AS "_1"
    ) AS "_2" ON TRUE
    LEFT JOIN LATERAL (
      SELECT NULLIF(count(*), 0) AS "v", json_agg("_3"."c1") AS "c1"
      FROM (
        SELECT "visitors_2"."label"
        FROM (
          SELECT ("(row)"."row").*
          FROM (
            SELECT "(row)" AS "row"
            FROM "api"."visitors"(("harbours_1".*)::"api"."harbours") AS "(row)"
            WHERE '{oid}'::regclass IS NOT NULL
          ) AS "(row)"
        ) AS "visitors_2"
      ) AS "_3"("c1")
    ) AS "_4" ON TRUE
    WHERE "harbours_1"."id" = "boats"."harbour_id"
  ) AS "_5"("c1", "c2") ON TRUE
  GROUP BY "_5"."c1", "_5"."c2"
) AS "_6"

-- a formatted column that a spread lifts groups as a value
-- GET /walls?select=count(),...paints(hue)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_2".*), '[]') AS "body"
FROM (
  SELECT count(1) AS "count", "_1"."c1" AS "hue"
  FROM "api"."walls"
  LEFT JOIN LATERAL (
    SELECT "public"."colour_json"("paints_1"."hue")::jsonb
    FROM "api"."paints" AS "paints_1"
    WHERE "paints_1"."id" = "walls"."paint_id"
  ) AS "_1"("c1") ON TRUE
  GROUP BY "_1"."c1"
) AS "_2"
