-- {settings} = nullif(current_setting('response.headers', true), '') AS "response_headers", nullif(current_setting('response.status', true), '') AS "response_status"

-- to one: columns of the parent
-- GET /boats?select=label,...harbours(port:name)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_2".*), '[]') AS "body"
FROM (
  SELECT "boats"."label", "_1"."c1" AS "port"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT "harbours_1"."name"
    FROM "api"."harbours" AS "harbours_1"
    WHERE "harbours_1"."id" = "boats"."harbour_id"
  ) AS "_1"("c1") ON TRUE
) AS "_2"

-- to one with all columns
-- GET /boats?select=label,...permits(*)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_2".*), '[]') AS "body"
FROM (
  SELECT "boats"."label", "_1".*
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT "permits_1".*
    FROM "api"."permits" AS "permits_1"
    WHERE "permits_1"."boat_id" = "boats"."id"
  ) AS "_1" ON TRUE
) AS "_2"

-- nested to-one spreads, and an embed inside one
-- GET /voyages?select=id,...boats(label,...harbours(port:name),permits(code))
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_4".*), '[]') AS "body"
FROM (
  SELECT "voyages"."id", "_3"."c1" AS "label", "_3"."c2" AS "port", "_3"."c3" AS "permits"
  FROM "api"."voyages"
  LEFT JOIN LATERAL (
    SELECT "boats_1"."label", "_1"."c1", row_to_json("_2".*)
    FROM "api"."boats" AS "boats_1"
    LEFT JOIN LATERAL (
      SELECT "harbours_2"."name"
      FROM "api"."harbours" AS "harbours_2"
      WHERE "harbours_2"."id" = "boats_1"."harbour_id"
    ) AS "_1"("c1") ON TRUE
    LEFT JOIN LATERAL (
      SELECT "permits_2"."code"
      FROM "api"."permits" AS "permits_2"
      WHERE "permits_2"."boat_id" = "boats_1"."id"
    ) AS "_2" ON TRUE
    WHERE "boats_1"."id" = "voyages"."boat_id"
  ) AS "_3"("c1", "c2", "c3") ON TRUE
) AS "_4"

-- a spread inside an embed
-- GET /harbours?select=name,boats(label,...permits(code))
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_4".*), '[]') AS "body"
FROM (
  SELECT "harbours"."name", COALESCE("_3"."v", '[]') AS "boats"
  FROM "api"."harbours"
  LEFT JOIN LATERAL (
    SELECT json_agg("_2".*) AS "v"
    FROM (
      SELECT "boats_1"."label", "_1"."c1" AS "code"
      FROM "api"."boats" AS "boats_1"
      LEFT JOIN LATERAL (
        SELECT "permits_2"."code"
        FROM "api"."permits" AS "permits_2"
        WHERE "permits_2"."boat_id" = "boats_1"."id"
      ) AS "_1"("c1") ON TRUE
      WHERE "boats_1"."harbour_id" = "harbours"."id"
    ) AS "_2"
  ) AS "_3" ON TRUE
) AS "_4"

-- the junction's columns beside its target's
-- GET /boats?select=label,crew:postings(duty,...sailors(name))
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_4".*), '[]') AS "body"
FROM (
  SELECT "boats"."label", COALESCE("_3"."v", '[]') AS "crew"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT json_agg("_2".*) AS "v"
    FROM (
      SELECT "postings_1"."duty", "_1"."c1" AS "name"
      FROM "api"."postings" AS "postings_1"
      LEFT JOIN LATERAL (
        SELECT "sailors_2"."name"
        FROM "api"."sailors" AS "sailors_2"
        WHERE "sailors_2"."id" = "postings_1"."sailor_id"
      ) AS "_1"("c1") ON TRUE
      WHERE "postings_1"."boat_id" = "boats"."id"
    ) AS "_2"
  ) AS "_3" ON TRUE
) AS "_4"

-- to many: an array for each column
-- GET /harbours?select=name,...boats(label,built)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_3".*), '[]') AS "body"
FROM (
  SELECT "harbours"."name", COALESCE("_2"."c1", '[]') AS "label", COALESCE("_2"."c2", '[]') AS "built"
  FROM "api"."harbours"
  LEFT JOIN LATERAL (
    SELECT NULLIF(count(*), 0) AS "v", json_agg("_1"."c1") AS "c1", json_agg("_1"."c2") AS "c2"
    FROM (
      SELECT "boats_1"."label", "boats_1"."built"
      FROM "api"."boats" AS "boats_1"
      WHERE "boats_1"."harbour_id" = "harbours"."id"
    ) AS "_1"("c1", "c2")
  ) AS "_2" ON TRUE
) AS "_3"

-- all columns are spelled out
-- GET /harbours?select=name,...boats(*)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_3".*), '[]') AS "body"
FROM (
  SELECT "harbours"."name", COALESCE("_2"."c1", '[]') AS "id", COALESCE("_2"."c2", '[]') AS "label", COALESCE("_2"."c3", '[]') AS "built", COALESCE("_2"."c4", '[]') AS "draft", COALESCE("_2"."c5", '[]') AS "flags", COALESCE("_2"."c6", '[]') AS "meta", COALESCE("_2"."c7", '[]') AS "harbour_id"
  FROM "api"."harbours"
  LEFT JOIN LATERAL (
    SELECT NULLIF(count(*), 0) AS "v", json_agg("_1"."c1") AS "c1", json_agg("_1"."c2") AS "c2", json_agg("_1"."c3") AS "c3", json_agg("_1"."c4") AS "c4", json_agg("_1"."c5") AS "c5", json_agg("_1"."c6") AS "c6", json_agg("_1"."c7") AS "c7"
    FROM (
      SELECT "boats_1"."id", "boats_1"."label", "boats_1"."built", "boats_1"."draft", "boats_1"."flags", "boats_1"."meta", "boats_1"."harbour_id"
      FROM "api"."boats" AS "boats_1"
      WHERE "boats_1"."harbour_id" = "harbours"."id"
    ) AS "_1"("c1", "c2", "c3", "c4", "c5", "c6", "c7")
  ) AS "_2" ON TRUE
) AS "_3"

-- order and limit inside, by columns that do not show
-- GET /harbours?select=name,...boats(label)&boats.order=built.desc&boats.limit=1
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_3".*), '[]') AS "body"
FROM (
  SELECT "harbours"."name", COALESCE("_2"."c1", '[]') AS "label"
  FROM "api"."harbours"
  LEFT JOIN LATERAL (
    SELECT NULLIF(count(*), 0) AS "v", json_agg("_1"."c1") AS "c1"
    FROM (
      SELECT "boats_1"."label"
      FROM "api"."boats" AS "boats_1"
      WHERE "boats_1"."harbour_id" = "harbours"."id"
      ORDER BY "boats_1"."built" DESC
      LIMIT $1
    ) AS "_1"("c1")
  ) AS "_2" ON TRUE
) AS "_3"
-- $1 = "1"

-- to-many below to-many: arrays of arrays; to-one below: flat arrays
-- GET /harbours?select=name,...boats(label,...permits(code),...sailors(crew:name))
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_7".*), '[]') AS "body"
FROM (
  SELECT "harbours"."name", COALESCE("_6"."c1", '[]') AS "label", COALESCE("_6"."c2", '[]') AS "code", COALESCE("_6"."c3", '[]') AS "crew"
  FROM "api"."harbours"
  LEFT JOIN LATERAL (
    SELECT NULLIF(count(*), 0) AS "v", json_agg("_5"."c1") AS "c1", json_agg("_5"."c2") AS "c2", json_agg("_5"."c3") AS "c3"
    FROM (
      SELECT "boats_1"."label", "_1"."c1", COALESCE("_4"."c1", '[]')
      FROM "api"."boats" AS "boats_1"
      LEFT JOIN LATERAL (
        SELECT "permits_2"."code"
        FROM "api"."permits" AS "permits_2"
        WHERE "permits_2"."boat_id" = "boats_1"."id"
      ) AS "_1"("c1") ON TRUE
      LEFT JOIN LATERAL (
        SELECT NULLIF(count(*), 0) AS "v", json_agg("_3"."c1") AS "c1"
        FROM (
          SELECT "sailors_2"."name"
          FROM "api"."sailors" AS "sailors_2"
          INNER JOIN "api"."postings" AS "_2" ON "sailors_2"."id" = "_2"."sailor_id"
          WHERE "_2"."boat_id" = "boats_1"."id"
        ) AS "_3"("c1")
      ) AS "_4" ON TRUE
      WHERE "boats_1"."harbour_id" = "harbours"."id"
    ) AS "_5"("c1", "c2", "c3")
  ) AS "_6" ON TRUE
) AS "_7"

-- embeds inside a to-many spread
-- GET /harbours?select=name,...boats(label,permits(code),sailors(name))
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_7".*), '[]') AS "body"
FROM (
  SELECT "harbours"."name", COALESCE("_6"."c1", '[]') AS "label", COALESCE("_6"."c2", '[]') AS "permits", COALESCE("_6"."c3", '[]') AS "sailors"
  FROM "api"."harbours"
  LEFT JOIN LATERAL (
    SELECT NULLIF(count(*), 0) AS "v", json_agg("_5"."c1") AS "c1", json_agg("_5"."c2") AS "c2", json_agg("_5"."c3") AS "c3"
    FROM (
      SELECT "boats_1"."label", row_to_json("_1".*), COALESCE("_4"."v", '[]')
      FROM "api"."boats" AS "boats_1"
      LEFT JOIN LATERAL (
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
      WHERE "boats_1"."harbour_id" = "harbours"."id"
    ) AS "_5"("c1", "c2", "c3")
  ) AS "_6" ON TRUE
) AS "_7"

-- inner and null filters
-- GET /harbours?select=id,...boats!inner(label),...voyages!voyages_to_fkey(id)&boats.built=gte.1991&voyages=is.null
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_5".*), '[]') AS "body"
FROM (
  SELECT "harbours"."id", COALESCE("_2"."c1", '[]') AS "label", COALESCE("_4"."c1", '[]') AS "id"
  FROM "api"."harbours"
  INNER JOIN LATERAL (
    SELECT NULLIF(count(*), 0) AS "v", json_agg("_1"."c1") AS "c1"
    FROM (
      SELECT "boats_1"."label"
      FROM "api"."boats" AS "boats_1"
      WHERE "boats_1"."harbour_id" = "harbours"."id" AND "boats_1"."built" >= $1
    ) AS "_1"("c1")
  ) AS "_2" ON "_2"."v" IS NOT NULL
  LEFT JOIN LATERAL (
    SELECT NULLIF(count(*), 0) AS "v", json_agg("_3"."c1") AS "c1"
    FROM (
      SELECT "voyages_1"."id"
      FROM "api"."voyages" AS "voyages_1"
      WHERE "voyages_1"."to_id" = "harbours"."id"
    ) AS "_3"("c1")
  ) AS "_4" ON TRUE
  WHERE "_4"."v" IS NULL
) AS "_5"
-- $1 = "1991"

-- order by a column of a spread
-- GET /boats?select=label,...harbours(port:name)&order=harbours(port)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."label", "boats_harbours_1"."c1" AS "port"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT "harbours_1"."name"
    FROM "api"."harbours" AS "harbours_1"
    WHERE "harbours_1"."id" = "boats"."harbour_id"
  ) AS "boats_harbours_1"("c1") ON TRUE
  ORDER BY "boats_harbours_1"."c1" OFFSET 0
) AS "_1"

-- an empty spread shows nothing
-- GET /boats?select=id,...harbours()
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_2".*), '[]') AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT
    FROM "api"."harbours" AS "harbours_1"
    WHERE "harbours_1"."id" = "boats"."harbour_id"
  ) AS "_1" ON FALSE
) AS "_2"
