-- {settings} = nullif(current_setting('response.headers', true), '') AS "response_headers", nullif(current_setting('response.status', true), '') AS "response_status"

-- to one: columns of the parent
-- GET /boats?select=label,...harbours(port:name)
SELECT coalesce(json_agg("_3".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "boats"."label", "_2"."c1" AS "port"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT "_1"."name"
    FROM "api"."harbours" AS "_1"
    WHERE "_1"."id" = "boats"."harbour_id"
  ) AS "_2"("c1") ON TRUE
) AS "_3"

-- to one with all columns
-- GET /boats?select=label,...permits(*)
SELECT coalesce(json_agg("_3".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "boats"."label", "_2".*
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT "_1".*
    FROM "api"."permits" AS "_1"
    WHERE "_1"."boat_id" = "boats"."id"
  ) AS "_2" ON TRUE
) AS "_3"

-- nested to-one spreads, and an embed inside one
-- GET /voyages?select=id,...boats(label,...harbours(port:name),permits(code))
SELECT coalesce(json_agg("_7".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "voyages"."id", "_6"."c1" AS "label", "_6"."c2" AS "port", "_6"."c3" AS "permits"
  FROM "api"."voyages"
  LEFT JOIN LATERAL (
    SELECT "_1"."label", "_3"."c1", row_to_json("_5".*)
    FROM "api"."boats" AS "_1"
    LEFT JOIN LATERAL (
      SELECT "_2"."name"
      FROM "api"."harbours" AS "_2"
      WHERE "_2"."id" = "_1"."harbour_id"
    ) AS "_3"("c1") ON TRUE
    LEFT JOIN LATERAL (
      SELECT "_4"."code"
      FROM "api"."permits" AS "_4"
      WHERE "_4"."boat_id" = "_1"."id"
    ) AS "_5" ON TRUE
    WHERE "_1"."id" = "voyages"."boat_id"
  ) AS "_6"("c1", "c2", "c3") ON TRUE
) AS "_7"

-- a spread inside an embed
-- GET /harbours?select=name,boats(label,...permits(code))
SELECT coalesce(json_agg("_6".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "harbours"."name", COALESCE("_5"."v", '[]') AS "boats"
  FROM "api"."harbours"
  LEFT JOIN LATERAL (
    SELECT json_agg("_4".*) AS "v"
    FROM (
      SELECT "_1"."label", "_3"."c1" AS "code"
      FROM "api"."boats" AS "_1"
      LEFT JOIN LATERAL (
        SELECT "_2"."code"
        FROM "api"."permits" AS "_2"
        WHERE "_2"."boat_id" = "_1"."id"
      ) AS "_3"("c1") ON TRUE
      WHERE "_1"."harbour_id" = "harbours"."id"
    ) AS "_4"
  ) AS "_5" ON TRUE
) AS "_6"

-- the junction's columns beside its target's
-- GET /boats?select=label,crew:postings(duty,...sailors(name))
SELECT coalesce(json_agg("_6".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "boats"."label", COALESCE("_5"."v", '[]') AS "crew"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT json_agg("_4".*) AS "v"
    FROM (
      SELECT "_1"."duty", "_3"."c1" AS "name"
      FROM "api"."postings" AS "_1"
      LEFT JOIN LATERAL (
        SELECT "_2"."name"
        FROM "api"."sailors" AS "_2"
        WHERE "_2"."id" = "_1"."sailor_id"
      ) AS "_3"("c1") ON TRUE
      WHERE "_1"."boat_id" = "boats"."id"
    ) AS "_4"
  ) AS "_5" ON TRUE
) AS "_6"

-- to many: an array for each column
-- GET /harbours?select=name,...boats(label,built)
SELECT coalesce(json_agg("_4".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "harbours"."name", COALESCE("_3"."c1", '[]') AS "label", COALESCE("_3"."c2", '[]') AS "built"
  FROM "api"."harbours"
  LEFT JOIN LATERAL (
    SELECT NULLIF(count(*), 0) AS "v", json_agg("_2"."c1") AS "c1", json_agg("_2"."c2") AS "c2"
    FROM (
      SELECT "_1"."label", "_1"."built"
      FROM "api"."boats" AS "_1"
      WHERE "_1"."harbour_id" = "harbours"."id"
    ) AS "_2"("c1", "c2")
  ) AS "_3" ON TRUE
) AS "_4"

-- all columns are spelled out
-- GET /harbours?select=name,...boats(*)
SELECT coalesce(json_agg("_4".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "harbours"."name", COALESCE("_3"."c1", '[]') AS "id", COALESCE("_3"."c2", '[]') AS "label", COALESCE("_3"."c3", '[]') AS "built", COALESCE("_3"."c4", '[]') AS "draft", COALESCE("_3"."c5", '[]') AS "flags", COALESCE("_3"."c6", '[]') AS "meta", COALESCE("_3"."c7", '[]') AS "harbour_id"
  FROM "api"."harbours"
  LEFT JOIN LATERAL (
    SELECT NULLIF(count(*), 0) AS "v", json_agg("_2"."c1") AS "c1", json_agg("_2"."c2") AS "c2", json_agg("_2"."c3") AS "c3", json_agg("_2"."c4") AS "c4", json_agg("_2"."c5") AS "c5", json_agg("_2"."c6") AS "c6", json_agg("_2"."c7") AS "c7"
    FROM (
      SELECT "_1"."id", "_1"."label", "_1"."built", "_1"."draft", "_1"."flags", "_1"."meta", "_1"."harbour_id"
      FROM "api"."boats" AS "_1"
      WHERE "_1"."harbour_id" = "harbours"."id"
    ) AS "_2"("c1", "c2", "c3", "c4", "c5", "c6", "c7")
  ) AS "_3" ON TRUE
) AS "_4"

-- order and limit inside, by columns that do not show
-- GET /harbours?select=name,...boats(label)&boats.order=built.desc&boats.limit=1
SELECT coalesce(json_agg("_4".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "harbours"."name", COALESCE("_3"."c1", '[]') AS "label"
  FROM "api"."harbours"
  LEFT JOIN LATERAL (
    SELECT NULLIF(count(*), 0) AS "v", json_agg("_2"."c1") AS "c1"
    FROM (
      SELECT "_1"."label"
      FROM "api"."boats" AS "_1"
      WHERE "_1"."harbour_id" = "harbours"."id"
      ORDER BY "_1"."built" DESC
      LIMIT $1
    ) AS "_2"("c1")
  ) AS "_3" ON TRUE
) AS "_4"
-- $1 = "1"

-- to-many below to-many: arrays of arrays; to-one below: flat arrays
-- GET /harbours?select=name,...boats(label,...permits(code),...sailors(crew:name))
SELECT coalesce(json_agg("_10".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "harbours"."name", COALESCE("_9"."c1", '[]') AS "label", COALESCE("_9"."c2", '[]') AS "code", COALESCE("_9"."c3", '[]') AS "crew"
  FROM "api"."harbours"
  LEFT JOIN LATERAL (
    SELECT NULLIF(count(*), 0) AS "v", json_agg("_8"."c1") AS "c1", json_agg("_8"."c2") AS "c2", json_agg("_8"."c3") AS "c3"
    FROM (
      SELECT "_1"."label", "_3"."c1", COALESCE("_7"."c1", '[]')
      FROM "api"."boats" AS "_1"
      LEFT JOIN LATERAL (
        SELECT "_2"."code"
        FROM "api"."permits" AS "_2"
        WHERE "_2"."boat_id" = "_1"."id"
      ) AS "_3"("c1") ON TRUE
      LEFT JOIN LATERAL (
        SELECT NULLIF(count(*), 0) AS "v", json_agg("_6"."c1") AS "c1"
        FROM (
          SELECT "_4"."name"
          FROM "api"."sailors" AS "_4"
          INNER JOIN "api"."postings" AS "_5" ON "_4"."id" = "_5"."sailor_id"
          WHERE "_5"."boat_id" = "_1"."id"
        ) AS "_6"("c1")
      ) AS "_7" ON TRUE
      WHERE "_1"."harbour_id" = "harbours"."id"
    ) AS "_8"("c1", "c2", "c3")
  ) AS "_9" ON TRUE
) AS "_10"

-- embeds inside a to-many spread
-- GET /harbours?select=name,...boats(label,permits(code),sailors(name))
SELECT coalesce(json_agg("_10".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "harbours"."name", COALESCE("_9"."c1", '[]') AS "label", COALESCE("_9"."c2", '[]') AS "permits", COALESCE("_9"."c3", '[]') AS "sailors"
  FROM "api"."harbours"
  LEFT JOIN LATERAL (
    SELECT NULLIF(count(*), 0) AS "v", json_agg("_8"."c1") AS "c1", json_agg("_8"."c2") AS "c2", json_agg("_8"."c3") AS "c3"
    FROM (
      SELECT "_1"."label", row_to_json("_3".*), COALESCE("_7"."v", '[]')
      FROM "api"."boats" AS "_1"
      LEFT JOIN LATERAL (
        SELECT "_2"."code"
        FROM "api"."permits" AS "_2"
        WHERE "_2"."boat_id" = "_1"."id"
      ) AS "_3" ON TRUE
      LEFT JOIN LATERAL (
        SELECT json_agg("_6".*) AS "v"
        FROM (
          SELECT "_4"."name"
          FROM "api"."sailors" AS "_4"
          INNER JOIN "api"."postings" AS "_5" ON "_4"."id" = "_5"."sailor_id"
          WHERE "_5"."boat_id" = "_1"."id"
        ) AS "_6"
      ) AS "_7" ON TRUE
      WHERE "_1"."harbour_id" = "harbours"."id"
    ) AS "_8"("c1", "c2", "c3")
  ) AS "_9" ON TRUE
) AS "_10"

-- inner and null filters
-- GET /harbours?select=id,...boats!inner(label),...voyages!voyages_to_fkey(id)&boats.built=gte.1991&voyages=is.null
SELECT coalesce(json_agg("_7".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "harbours"."id", COALESCE("_3"."c1", '[]') AS "label", COALESCE("_6"."c1", '[]') AS "id"
  FROM "api"."harbours"
  INNER JOIN LATERAL (
    SELECT NULLIF(count(*), 0) AS "v", json_agg("_2"."c1") AS "c1"
    FROM (
      SELECT "_1"."label"
      FROM "api"."boats" AS "_1"
      WHERE "_1"."harbour_id" = "harbours"."id" AND "_1"."built" >= $1
    ) AS "_2"("c1")
  ) AS "_3" ON "_3"."v" IS NOT NULL
  LEFT JOIN LATERAL (
    SELECT NULLIF(count(*), 0) AS "v", json_agg("_5"."c1") AS "c1"
    FROM (
      SELECT "_4"."id"
      FROM "api"."voyages" AS "_4"
      WHERE "_4"."to_id" = "harbours"."id"
    ) AS "_5"("c1")
  ) AS "_6" ON TRUE
  WHERE "_6"."v" IS NULL
) AS "_7"
-- $1 = "1991"

-- order by a column of a spread
-- GET /boats?select=label,...harbours(port:name)&order=harbours(port)
SELECT coalesce(json_agg("_3".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "boats"."label", "_2"."c1" AS "port"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT "_1"."name"
    FROM "api"."harbours" AS "_1"
    WHERE "_1"."id" = "boats"."harbour_id"
  ) AS "_2"("c1") ON TRUE
  ORDER BY "_2"."c1"
) AS "_3"

-- an empty spread shows nothing
-- GET /boats?select=id,...harbours()
SELECT coalesce(json_agg("_3".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT
    FROM "api"."harbours" AS "_1"
    WHERE "_1"."id" = "boats"."harbour_id"
  ) AS "_2" ON FALSE
) AS "_3"
