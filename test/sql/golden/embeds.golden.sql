-- {settings} = nullif(current_setting('response.headers', true), '') AS "response_headers", nullif(current_setting('response.status', true), '') AS "response_status"

-- many-to-one: an object
-- GET /boats?select=id,harbours(name)
SELECT coalesce(json_agg("_3".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "boats"."id", row_to_json("_2".*) AS "harbours"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT "_1"."name"
    FROM "api"."harbours" AS "_1"
    WHERE "_1"."id" = "boats"."harbour_id"
  ) AS "_2" ON TRUE
) AS "_3"

-- one-to-many: an array
-- GET /harbours?select=name,boats(label)
SELECT coalesce(json_agg("_4".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "harbours"."name", COALESCE("_3"."v", '[]') AS "boats"
  FROM "api"."harbours"
  LEFT JOIN LATERAL (
    SELECT json_agg("_2".*) AS "v"
    FROM (
      SELECT "_1"."label"
      FROM "api"."boats" AS "_1"
      WHERE "_1"."harbour_id" = "harbours"."id"
    ) AS "_2"
  ) AS "_3" ON TRUE
) AS "_4"

-- one-to-one, from both sides
-- GET /boats?select=id,permits(code,boats(label))
SELECT coalesce(json_agg("_5".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "boats"."id", row_to_json("_4".*) AS "permits"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT "_1"."code", row_to_json("_3".*) AS "boats"
    FROM "api"."permits" AS "_1"
    LEFT JOIN LATERAL (
      SELECT "_2"."label"
      FROM "api"."boats" AS "_2"
      WHERE "_2"."id" = "_1"."boat_id"
    ) AS "_3" ON TRUE
    WHERE "_1"."boat_id" = "boats"."id"
  ) AS "_4" ON TRUE
) AS "_5"

-- many-to-many: the junction inside
-- GET /boats?select=id,sailors(name)
SELECT coalesce(json_agg("_5".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "boats"."id", COALESCE("_4"."v", '[]') AS "sailors"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT json_agg("_3".*) AS "v"
    FROM (
      SELECT "_1"."name"
      FROM "api"."sailors" AS "_1"
      INNER JOIN "api"."postings" AS "_2" ON "_1"."id" = "_2"."sailor_id"
      WHERE "_2"."boat_id" = "boats"."id"
    ) AS "_3"
  ) AS "_4" ON TRUE
) AS "_5"

-- a composite key
-- GET /desks?select=id,halls(name)
SELECT coalesce(json_agg("_3".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "desks"."id", row_to_json("_2".*) AS "halls"
  FROM "api"."desks"
  LEFT JOIN LATERAL (
    SELECT "_1"."name"
    FROM "api"."halls" AS "_1"
    WHERE "_1"."site" = "desks"."site" AND "_1"."no" = "desks"."no"
  ) AS "_2" ON TRUE
) AS "_3"

-- a computed relationship to one and to many
-- GET /harbours?select=name,newest_boat(label),visitors(label)
SELECT coalesce(json_agg("_6".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "harbours"."name", row_to_json("_2".*) AS "newest_boat", COALESCE("_5"."v", '[]') AS "visitors"
  FROM "api"."harbours"
  LEFT JOIN LATERAL (
    SELECT "_1"."label"
    FROM "api"."newest_boat"(("harbours".*)::"api"."harbours") AS "_1"
  ) AS "_2" ON TRUE
  LEFT JOIN LATERAL (
    SELECT json_agg("_4".*) AS "v"
    FROM (
      SELECT "_3"."label"
      FROM "api"."visitors"(("harbours".*)::"api"."harbours") AS "_3"
    ) AS "_4"
  ) AS "_5" ON TRUE
) AS "_6"

-- a computed relationship that is not a set
-- GET /boats?select=id,home_port(name)
SELECT coalesce(json_agg("_3".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "boats"."id", row_to_json("_2".*) AS "home_port"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT "_1"."name"
    FROM "api"."home_port"(("boats".*)::"api"."boats") AS "_1"
  ) AS "_2" ON TRUE
) AS "_3"

-- by column, by constraint, by hint, by junction
-- GET /boats?select=a:harbour_id(name),b:boats_harbour_id_fkey(name),c:harbours!harbour_id(name),d:sailors!postings(name)
SELECT coalesce(json_agg("_11".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT row_to_json("_2".*) AS "a", row_to_json("_4".*) AS "b", row_to_json("_6".*) AS "c", COALESCE("_10"."v", '[]') AS "d"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT "_1"."name"
    FROM "api"."harbours" AS "_1"
    WHERE "_1"."id" = "boats"."harbour_id"
  ) AS "_2" ON TRUE
  LEFT JOIN LATERAL (
    SELECT "_3"."name"
    FROM "api"."harbours" AS "_3"
    WHERE "_3"."id" = "boats"."harbour_id"
  ) AS "_4" ON TRUE
  LEFT JOIN LATERAL (
    SELECT "_5"."name"
    FROM "api"."harbours" AS "_5"
    WHERE "_5"."id" = "boats"."harbour_id"
  ) AS "_6" ON TRUE
  LEFT JOIN LATERAL (
    SELECT json_agg("_9".*) AS "v"
    FROM (
      SELECT "_7"."name"
      FROM "api"."sailors" AS "_7"
      INNER JOIN "api"."postings" AS "_8" ON "_7"."id" = "_8"."sailor_id"
      WHERE "_8"."boat_id" = "boats"."id"
    ) AS "_9"
  ) AS "_10" ON TRUE
) AS "_11"

-- a table beside itself: parent and children
-- GET /crates?select=name,parent_id(name,parent_id(name)),kids:crates!parent_id(name)
SELECT coalesce(json_agg("_8".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "crates"."name", row_to_json("_4".*) AS "parent_id", COALESCE("_7"."v", '[]') AS "kids"
  FROM "api"."crates"
  LEFT JOIN LATERAL (
    SELECT "_1"."name", row_to_json("_3".*) AS "parent_id"
    FROM "api"."crates" AS "_1"
    LEFT JOIN LATERAL (
      SELECT "_2"."name"
      FROM "api"."crates" AS "_2"
      WHERE "_2"."id" = "_1"."parent_id"
    ) AS "_3" ON TRUE
    WHERE "_1"."id" = "crates"."parent_id"
  ) AS "_4" ON TRUE
  LEFT JOIN LATERAL (
    SELECT json_agg("_6".*) AS "v"
    FROM (
      SELECT "_5"."name"
      FROM "api"."crates" AS "_5"
      WHERE "_5"."parent_id" = "crates"."id"
    ) AS "_6"
  ) AS "_7" ON TRUE
) AS "_8"

-- a view in place of its table
-- GET /boat_cards?select=no,harbours(name),sailors(name)
SELECT coalesce(json_agg("_7".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "boat_cards"."no", row_to_json("_2".*) AS "harbours", COALESCE("_6"."v", '[]') AS "sailors"
  FROM "api"."boat_cards"
  LEFT JOIN LATERAL (
    SELECT "_1"."name"
    FROM "api"."harbours" AS "_1"
    WHERE "_1"."id" = "boat_cards"."dock_no"
  ) AS "_2" ON TRUE
  LEFT JOIN LATERAL (
    SELECT json_agg("_5".*) AS "v"
    FROM (
      SELECT "_3"."name"
      FROM "api"."sailors" AS "_3"
      INNER JOIN "api"."postings" AS "_4" ON "_3"."id" = "_4"."sailor_id"
      WHERE "_4"."boat_id" = "boat_cards"."no"
    ) AS "_5"
  ) AS "_6" ON TRUE
) AS "_7"

-- all columns of an embed, beside another embed
-- GET /harbours?select=boats(*,permits(*))
SELECT coalesce(json_agg("_6".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT COALESCE("_5"."v", '[]') AS "boats"
  FROM "api"."harbours"
  LEFT JOIN LATERAL (
    SELECT json_agg("_4".*) AS "v"
    FROM (
      SELECT "_1".*, row_to_json("_3".*) AS "permits"
      FROM "api"."boats" AS "_1"
      LEFT JOIN LATERAL (
        SELECT "_2".*
        FROM "api"."permits" AS "_2"
        WHERE "_2"."boat_id" = "_1"."id"
      ) AS "_3" ON TRUE
      WHERE "_1"."harbour_id" = "harbours"."id"
    ) AS "_4"
  ) AS "_5" ON TRUE
) AS "_6"

-- what is addressed to an embed stays in it
-- GET /harbours?select=id,boats(label)&boats.built=gte.1990&boats.or=(draft.gt.1,draft.is.null)&boats.order=draft.desc.nullslast,label&boats.limit=2&boats.offset=1&boats.meta->>hull=eq.steel
SELECT coalesce(json_agg("_4".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "harbours"."id", COALESCE("_3"."v", '[]') AS "boats"
  FROM "api"."harbours"
  LEFT JOIN LATERAL (
    SELECT json_agg("_2".*) AS "v"
    FROM (
      SELECT "_1"."label"
      FROM "api"."boats" AS "_1"
      WHERE "_1"."harbour_id" = "harbours"."id" AND "_1"."built" >= $1 AND "_1"."meta"->>$2 = $3 AND ("_1"."draft" > $4 OR "_1"."draft" IS NULL)
      ORDER BY "_1"."draft" DESC NULLS LAST, "_1"."label"
      LIMIT $5 OFFSET $6
    ) AS "_2"
  ) AS "_3" ON TRUE
) AS "_4"
-- $1 = "1990"
-- $2 = "hull"
-- $3 = "steel"
-- $4 = "1"
-- $5 = "2"
-- $6 = "1"

-- two levels down
-- GET /harbours?select=id,boats(id,permits(code))&boats.permits.code=eq.P-1&boats.permits=not.is.null
SELECT coalesce(json_agg("_6".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "harbours"."id", COALESCE("_5"."v", '[]') AS "boats"
  FROM "api"."harbours"
  LEFT JOIN LATERAL (
    SELECT json_agg("_4".*) AS "v"
    FROM (
      SELECT "_1"."id", row_to_json("_3".*) AS "permits"
      FROM "api"."boats" AS "_1"
      LEFT JOIN LATERAL (
        SELECT "_2"."code"
        FROM "api"."permits" AS "_2"
        WHERE "_2"."boat_id" = "_1"."id" AND "_2"."code" = $1
      ) AS "_3" ON TRUE
      WHERE "_1"."harbour_id" = "harbours"."id" AND ("_3".*) IS DISTINCT FROM NULL
    ) AS "_4"
  ) AS "_5" ON TRUE
) AS "_6"
-- $1 = "P-1"

-- inner joins, nested
-- GET /harbours?select=name,boats!inner(label,permits!inner(code))&boats.draft=gte.1
SELECT coalesce(json_agg("_6".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "harbours"."name", COALESCE("_5"."v", '[]') AS "boats"
  FROM "api"."harbours"
  INNER JOIN LATERAL (
    SELECT json_agg("_4".*) AS "v"
    FROM (
      SELECT "_1"."label", row_to_json("_3".*) AS "permits"
      FROM "api"."boats" AS "_1"
      INNER JOIN LATERAL (
        SELECT "_2"."code"
        FROM "api"."permits" AS "_2"
        WHERE "_2"."boat_id" = "_1"."id"
      ) AS "_3" ON TRUE
      WHERE "_1"."harbour_id" = "harbours"."id" AND "_1"."draft" >= $1
    ) AS "_4"
  ) AS "_5" ON "_5"."v" IS NOT NULL
) AS "_6"
-- $1 = "1"

-- inner to one
-- GET /boats?select=label,harbours!inner(name)&harbours.name=eq.Oslo
SELECT coalesce(json_agg("_3".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "boats"."label", row_to_json("_2".*) AS "harbours"
  FROM "api"."boats"
  INNER JOIN LATERAL (
    SELECT "_1"."name"
    FROM "api"."harbours" AS "_1"
    WHERE "_1"."id" = "boats"."harbour_id" AND "_1"."name" = $1
  ) AS "_2" ON TRUE
) AS "_3"
-- $1 = "Oslo"

-- without rows: an anti-join
-- GET /harbours?select=id,boats()&boats=is.null
SELECT coalesce(json_agg("_2".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "harbours"."id"
  FROM "api"."harbours"
  WHERE NOT EXISTS (
    SELECT
    FROM "api"."boats" AS "_1"
    WHERE "_1"."harbour_id" = "harbours"."id"
  )
) AS "_2"

-- with rows, to one and hidden
-- GET /boats?select=id,harbours()&harbours=not.is.null
SELECT coalesce(json_agg("_2".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  WHERE EXISTS (
    SELECT
    FROM "api"."harbours" AS "_1"
    WHERE "_1"."id" = "boats"."harbour_id"
  )
) AS "_2"

-- an empty inner embed filters and does not show
-- GET /harbours?select=id,boats!inner()&boats.built=eq.1991
SELECT coalesce(json_agg("_2".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "harbours"."id"
  FROM "api"."harbours"
  WHERE EXISTS (
    SELECT
    FROM "api"."boats" AS "_1"
    WHERE "_1"."harbour_id" = "harbours"."id" AND "_1"."built" = $1
  )
) AS "_2"
-- $1 = "1991"

-- nested empty embeds are hidden together
-- GET /boats?select=id,harbours(voyages!voyages_from_fkey())
SELECT coalesce(json_agg("_5".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT
    FROM "api"."harbours" AS "_1"
    LEFT JOIN LATERAL (
      SELECT
      FROM "api"."voyages" AS "_2"
      WHERE "_2"."from_id" = "_1"."id"
    ) AS "_3" ON FALSE
    WHERE "_1"."id" = "boats"."harbour_id"
  ) AS "_4" ON FALSE
) AS "_5"

-- only the nested key shows
-- GET /boats?select=permits(boats(id))
SELECT coalesce(json_agg("_5".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT row_to_json("_4".*) AS "permits"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT row_to_json("_3".*) AS "boats"
    FROM "api"."permits" AS "_1"
    LEFT JOIN LATERAL (
      SELECT "_2"."id"
      FROM "api"."boats" AS "_2"
      WHERE "_2"."id" = "_1"."boat_id"
    ) AS "_3" ON TRUE
    WHERE "_1"."boat_id" = "boats"."id"
  ) AS "_4" ON TRUE
) AS "_5"

-- order by a column of an embed, shown, hidden and by a path
-- GET /boats?select=id,harbours(name),permits()&order=harbours(name).desc.nullslast,permits(code)
SELECT coalesce(json_agg("_5".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "boats"."id", row_to_json("_2".*) AS "harbours"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT "_1"."name"
    FROM "api"."harbours" AS "_1"
    WHERE "_1"."id" = "boats"."harbour_id"
  ) AS "_2" ON TRUE
  LEFT JOIN LATERAL (
    SELECT "_3".*
    FROM "api"."permits" AS "_3"
    WHERE "_3"."boat_id" = "boats"."id"
  ) AS "_4" ON TRUE
  ORDER BY "_2"."name" DESC NULLS LAST, "_4"."code"
) AS "_5"

-- order by an output column of an aliased embed
-- GET /boats?select=id,port:harbours(title:name)&order=port(title)
SELECT coalesce(json_agg("_3".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "boats"."id", row_to_json("_2".*) AS "port"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT "_1"."name" AS "title"
    FROM "api"."harbours" AS "_1"
    WHERE "_1"."id" = "boats"."harbour_id"
  ) AS "_2" ON TRUE
  ORDER BY "_2"."title"
) AS "_3"

-- order inside an embed by an embed of its own
-- GET /harbours?select=id,boats(label,permits(code))&boats.order=permits(code).desc
SELECT coalesce(json_agg("_6".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "harbours"."id", COALESCE("_5"."v", '[]') AS "boats"
  FROM "api"."harbours"
  LEFT JOIN LATERAL (
    SELECT json_agg("_4".*) AS "v"
    FROM (
      SELECT "_1"."label", row_to_json("_3".*) AS "permits"
      FROM "api"."boats" AS "_1"
      LEFT JOIN LATERAL (
        SELECT "_2"."code"
        FROM "api"."permits" AS "_2"
        WHERE "_2"."boat_id" = "_1"."id"
      ) AS "_3" ON TRUE
      WHERE "_1"."harbour_id" = "harbours"."id"
      ORDER BY "_3"."code" DESC
    ) AS "_4"
  ) AS "_5" ON TRUE
) AS "_6"

-- two embeds of one table, filtered apart
-- GET /harbours?select=id,boats(label),old:boats(label)&boats.built=gte.1992&old.built=lt.1992
-- with url-use-legacy-target-names=false
SELECT coalesce(json_agg("_7".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "harbours"."id", COALESCE("_3"."v", '[]') AS "boats", COALESCE("_6"."v", '[]') AS "old"
  FROM "api"."harbours"
  LEFT JOIN LATERAL (
    SELECT json_agg("_2".*) AS "v"
    FROM (
      SELECT "_1"."label"
      FROM "api"."boats" AS "_1"
      WHERE "_1"."harbour_id" = "harbours"."id" AND "_1"."built" >= $1
    ) AS "_2"
  ) AS "_3" ON TRUE
  LEFT JOIN LATERAL (
    SELECT json_agg("_5".*) AS "v"
    FROM (
      SELECT "_4"."label"
      FROM "api"."boats" AS "_4"
      WHERE "_4"."harbour_id" = "harbours"."id" AND "_4"."built" < $2
    ) AS "_5"
  ) AS "_6" ON TRUE
) AS "_7"
-- $1 = "1992"
-- $2 = "1992"

-- a relation named like an alias of the statement
-- GET /total?select=id,page(count,total)
SELECT coalesce(json_agg("_3".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "total"."id", row_to_json("_2".*) AS "page"
  FROM "api"."total"
  LEFT JOIN LATERAL (
    SELECT "_1"."count", "_1"."total"
    FROM "api"."page" AS "_1"
    WHERE "_1"."id" = "total"."page"
  ) AS "_2" ON TRUE
) AS "_3"

-- rows of a function with everything that rows take
-- GET /rpc/boats_since?y=1990&select=label,harbours(name),age&built=lt.1992&order=label.desc&limit=1
-- Prefer: count=exact
WITH "_source" AS (
  SELECT *
  FROM (
    SELECT "boats_since"."age", "boats_since"."built", "boats_since"."harbour_id", "boats_since"."label"
    FROM "api"."boats_since"("y" := $1::integer) AS "boats_since"
  ) AS "boats_since"
)
SELECT coalesce(json_agg("_4".*), '[]') AS "body", count(*) AS "page_rows", (
  SELECT count(*)
  FROM (
    SELECT 1
    FROM "_source" AS "boats_since"
    WHERE "boats_since"."built" < $4
  ) AS "_3"
) AS "total", {settings}
FROM (
  SELECT "boats_since"."label", "boats_since"."age", row_to_json("_2".*) AS "harbours"
  FROM "_source" AS "boats_since"
  LEFT JOIN LATERAL (
    SELECT "_1"."name"
    FROM "api"."harbours" AS "_1"
    WHERE "_1"."id" = "boats_since"."harbour_id"
  ) AS "_2" ON TRUE
  WHERE "boats_since"."built" < $2
  ORDER BY "boats_since"."label" DESC
  LIMIT $3
) AS "_4"
-- $1 = "1990"
-- $2 = "1992"
-- $3 = "1"
-- $4 = "1992"

-- hidden and asked for by nobody: checked by PostgreSQL, but not run
-- GET /boats?select=id,harbours()&harbours.name=eq.Cork&id=gt.1
SELECT coalesce(json_agg("_3".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT
    FROM "api"."harbours" AS "_1"
    WHERE "_1"."id" = "boats"."harbour_id" AND "_1"."name" = $1
  ) AS "_2" ON FALSE
  WHERE "boats"."id" > $2
) AS "_3"
-- $1 = "Cork"
-- $2 = "1"

-- hidden, but its function may repeat the parent
-- GET /boats?select=id,home_port()
SELECT coalesce(json_agg("_3".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT "_1".*
    FROM "api"."home_port"(("boats".*)::"api"."boats") AS "_1"
  ) AS "_2" ON TRUE
) AS "_3"

-- hidden with a window: the test sees the window's rows
-- GET /harbours?select=id,boats()&boats.order=built&boats.offset=1&boats=not.is.null
-- with db-max-rows=5
SELECT coalesce(json_agg("_2".*), '[]') AS "body", count(*) AS "page_rows", NULL::bigint AS "total", {settings}
FROM (
  SELECT "harbours"."id"
  FROM "api"."harbours"
  WHERE EXISTS (
    SELECT
    FROM "api"."boats" AS "_1"
    WHERE "_1"."harbour_id" = "harbours"."id"
    ORDER BY "_1"."built"
    LIMIT ALL OFFSET $1
  )
  LIMIT $2
) AS "_2"
-- $1 = "1"
-- $2 = "5"

-- asked for twice: tested once, also where it is counted
-- GET /harbours?select=id,boats!inner()&boats.built=gte.1991&or=(boats.is.null,id.gt.1)&limit=5
-- Prefer: count=exact
SELECT coalesce(json_agg("_6".*), '[]') AS "body", count(*) AS "page_rows", (
  SELECT count(*)
  FROM (
    SELECT 1
    FROM "api"."harbours"
    CROSS JOIN LATERAL (
      SELECT EXISTS (
        SELECT 1
        FROM "api"."boats" AS "_3"
        WHERE "_3"."harbour_id" = "harbours"."id" AND "_3"."built" >= $4
      ) AS "v" OFFSET 0
    ) AS "_4"
    WHERE (NOT "_4"."v" OR "harbours"."id" > $5) AND "_4"."v"
  ) AS "_5"
) AS "total", {settings}
FROM (
  SELECT "harbours"."id"
  FROM "api"."harbours"
  CROSS JOIN LATERAL (
    SELECT EXISTS (
      SELECT
      FROM "api"."boats" AS "_1"
      WHERE "_1"."harbour_id" = "harbours"."id" AND "_1"."built" >= $1
    ) AS "v" OFFSET 0
  ) AS "_2"
  WHERE "_2"."v" AND (NOT "_2"."v" OR "harbours"."id" > $2)
  LIMIT $3
) AS "_6"
-- $1 = "1991"
-- $2 = "1"
-- $3 = "5"
-- $4 = "1991"
-- $5 = "1"
