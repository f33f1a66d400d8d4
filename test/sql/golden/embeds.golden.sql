-- {settings} = nullif(current_setting('response.headers', true), '') AS "response_headers", nullif(current_setting('response.status', true), '') AS "response_status"

-- many-to-one: an object
-- GET /boats?select=id,harbours(name)
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

-- one-to-many: an array
-- GET /harbours?select=name,boats(label)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_3".*), '[]') AS "body"
FROM (
  SELECT "harbours"."name", COALESCE("_2"."v", '[]') AS "boats"
  FROM "api"."harbours"
  LEFT JOIN LATERAL (
    SELECT json_agg("_1".*) AS "v"
    FROM (
      SELECT "boats_1"."label"
      FROM "api"."boats" AS "boats_1"
      WHERE "boats_1"."harbour_id" = "harbours"."id"
    ) AS "_1"
  ) AS "_2" ON TRUE
) AS "_3"

-- one-to-one, from both sides
-- GET /boats?select=id,permits(code,boats(label))
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_3".*), '[]') AS "body"
FROM (
  SELECT "boats"."id", row_to_json("_2".*) AS "permits"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT "permits_1"."code", row_to_json("_1".*) AS "boats"
    FROM "api"."permits" AS "permits_1"
    LEFT JOIN LATERAL (
      SELECT "boats_2"."label"
      FROM "api"."boats" AS "boats_2"
      WHERE "boats_2"."id" = "permits_1"."boat_id"
    ) AS "_1" ON TRUE
    WHERE "permits_1"."boat_id" = "boats"."id"
  ) AS "_2" ON TRUE
) AS "_3"

-- many-to-many: the junction inside
-- GET /boats?select=id,sailors(name)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_4".*), '[]') AS "body"
FROM (
  SELECT "boats"."id", COALESCE("_3"."v", '[]') AS "sailors"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT json_agg("_2".*) AS "v"
    FROM (
      SELECT "sailors_1"."name"
      FROM "api"."sailors" AS "sailors_1"
      INNER JOIN "api"."postings" AS "_1" ON "sailors_1"."id" = "_1"."sailor_id"
      WHERE "_1"."boat_id" = "boats"."id"
    ) AS "_2"
  ) AS "_3" ON TRUE
) AS "_4"

-- a composite key
-- GET /desks?select=id,halls(name)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_2".*), '[]') AS "body"
FROM (
  SELECT "desks"."id", row_to_json("_1".*) AS "halls"
  FROM "api"."desks"
  LEFT JOIN LATERAL (
    SELECT "halls_1"."name"
    FROM "api"."halls" AS "halls_1"
    WHERE "halls_1"."site" = "desks"."site" AND "halls_1"."no" = "desks"."no"
  ) AS "_1" ON TRUE
) AS "_2"

-- a computed relationship to one and to many
-- GET /harbours?select=name,newest_boat(label),visitors(label)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_4".*), '[]') AS "body"
FROM (
  SELECT "harbours"."name", row_to_json("_1".*) AS "newest_boat", COALESCE("_3"."v", '[]') AS "visitors"
  FROM "api"."harbours"
  LEFT JOIN LATERAL (
    SELECT "newest_boat_1"."label"
    FROM (
      SELECT ("(row)"."row").*
      FROM (
        SELECT "(row)" AS "row"
        FROM "api"."newest_boat"(("harbours".*)::"api"."harbours") AS "(row)"
        WHERE '{oid}'::regclass IS NOT NULL
      ) AS "(row)"
    ) AS "newest_boat_1"
  ) AS "_1" ON TRUE
  LEFT JOIN LATERAL (
    SELECT json_agg("_2".*) AS "v"
    FROM (
      SELECT "visitors_1"."label"
      FROM (
        SELECT ("(row)"."row").*
        FROM (
          SELECT "(row)" AS "row"
          FROM "api"."visitors"(("harbours".*)::"api"."harbours") AS "(row)"
          WHERE '{oid}'::regclass IS NOT NULL
        ) AS "(row)"
      ) AS "visitors_1"
    ) AS "_2"
  ) AS "_3" ON TRUE
) AS "_4"

-- a computed relationship that is not a set
-- GET /boats?select=id,home_port(name)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_2".*), '[]') AS "body"
FROM (
  SELECT "boats"."id", row_to_json("_1".*) AS "home_port"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT "home_port_1"."name"
    FROM (
      SELECT ("(row)"."row").*
      FROM (
        SELECT "(row)" AS "row"
        FROM "api"."home_port"(("boats".*)::"api"."boats") AS "(row)"
        WHERE '{oid}'::regclass IS NOT NULL
      ) AS "(row)"
    ) AS "home_port_1"
  ) AS "_1" ON TRUE
) AS "_2"

-- by column, by constraint, by hint, by junction
-- GET /boats?select=a:harbour_id(name),b:boats_harbour_id_fkey(name),c:harbours!harbour_id(name),d:sailors!postings(name)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_7".*), '[]') AS "body"
FROM (
  SELECT row_to_json("_1".*) AS "a", row_to_json("_2".*) AS "b", row_to_json("_3".*) AS "c", COALESCE("_6"."v", '[]') AS "d"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT "harbours_1"."name"
    FROM "api"."harbours" AS "harbours_1"
    WHERE "harbours_1"."id" = "boats"."harbour_id"
  ) AS "_1" ON TRUE
  LEFT JOIN LATERAL (
    SELECT "harbours_1"."name"
    FROM "api"."harbours" AS "harbours_1"
    WHERE "harbours_1"."id" = "boats"."harbour_id"
  ) AS "_2" ON TRUE
  LEFT JOIN LATERAL (
    SELECT "harbours_1"."name"
    FROM "api"."harbours" AS "harbours_1"
    WHERE "harbours_1"."id" = "boats"."harbour_id"
  ) AS "_3" ON TRUE
  LEFT JOIN LATERAL (
    SELECT json_agg("_5".*) AS "v"
    FROM (
      SELECT "sailors_1"."name"
      FROM "api"."sailors" AS "sailors_1"
      INNER JOIN "api"."postings" AS "_4" ON "sailors_1"."id" = "_4"."sailor_id"
      WHERE "_4"."boat_id" = "boats"."id"
    ) AS "_5"
  ) AS "_6" ON TRUE
) AS "_7"

-- a table beside itself: parent and children
-- GET /crates?select=name,parent_id(name,parent_id(name)),kids:crates!parent_id(name)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_5".*), '[]') AS "body"
FROM (
  SELECT "crates"."name", row_to_json("_2".*) AS "parent_id", COALESCE("_4"."v", '[]') AS "kids"
  FROM "api"."crates"
  LEFT JOIN LATERAL (
    SELECT "crates_1"."name", row_to_json("_1".*) AS "parent_id"
    FROM "api"."crates" AS "crates_1"
    LEFT JOIN LATERAL (
      SELECT "crates_2"."name"
      FROM "api"."crates" AS "crates_2"
      WHERE "crates_2"."id" = "crates_1"."parent_id"
    ) AS "_1" ON TRUE
    WHERE "crates_1"."id" = "crates"."parent_id"
  ) AS "_2" ON TRUE
  LEFT JOIN LATERAL (
    SELECT json_agg("_3".*) AS "v"
    FROM (
      SELECT "crates_1"."name"
      FROM "api"."crates" AS "crates_1"
      WHERE "crates_1"."parent_id" = "crates"."id"
    ) AS "_3"
  ) AS "_4" ON TRUE
) AS "_5"

-- a view in place of its table
-- GET /boat_cards?select=no,harbours(name),sailors(name)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_5".*), '[]') AS "body"
FROM (
  SELECT "boat_cards"."no", row_to_json("_1".*) AS "harbours", COALESCE("_4"."v", '[]') AS "sailors"
  FROM "api"."boat_cards"
  LEFT JOIN LATERAL (
    SELECT "harbours_1"."name"
    FROM "api"."harbours" AS "harbours_1"
    WHERE "harbours_1"."id" = "boat_cards"."dock_no"
  ) AS "_1" ON TRUE
  LEFT JOIN LATERAL (
    SELECT json_agg("_3".*) AS "v"
    FROM (
      SELECT "sailors_1"."name"
      FROM "api"."sailors" AS "sailors_1"
      INNER JOIN "api"."postings" AS "_2" ON "sailors_1"."id" = "_2"."sailor_id"
      WHERE "_2"."boat_id" = "boat_cards"."no"
    ) AS "_3"
  ) AS "_4" ON TRUE
) AS "_5"

-- all columns of an embed, beside another embed
-- GET /harbours?select=boats(*,permits(*))
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_4".*), '[]') AS "body"
FROM (
  SELECT COALESCE("_3"."v", '[]') AS "boats"
  FROM "api"."harbours"
  LEFT JOIN LATERAL (
    SELECT json_agg("_2".*) AS "v"
    FROM (
      SELECT "boats_1".*, row_to_json("_1".*) AS "permits"
      FROM "api"."boats" AS "boats_1"
      LEFT JOIN LATERAL (
        SELECT "permits_2".*
        FROM "api"."permits" AS "permits_2"
        WHERE "permits_2"."boat_id" = "boats_1"."id"
      ) AS "_1" ON TRUE
      WHERE "boats_1"."harbour_id" = "harbours"."id"
    ) AS "_2"
  ) AS "_3" ON TRUE
) AS "_4"

-- what is addressed to an embed stays in it
-- GET /harbours?select=id,boats(label)&boats.built=gte.1990&boats.or=(draft.gt.1,draft.is.null)&boats.order=draft.desc.nullslast,label&boats.limit=2&boats.offset=1&boats.meta->>hull=eq.steel
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_3".*), '[]') AS "body"
FROM (
  SELECT "harbours"."id", COALESCE("_2"."v", '[]') AS "boats"
  FROM "api"."harbours"
  LEFT JOIN LATERAL (
    SELECT json_agg("_1".*) AS "v"
    FROM (
      SELECT "boats_1"."label"
      FROM "api"."boats" AS "boats_1"
      WHERE "boats_1"."harbour_id" = "harbours"."id" AND "boats_1"."built" >= $1 AND "boats_1"."meta"->>$2 = $3 AND ("boats_1"."draft" > $4 OR "boats_1"."draft" IS NULL)
      ORDER BY "boats_1"."draft" DESC NULLS LAST, "boats_1"."label"
      LIMIT $5 OFFSET $6
    ) AS "_1"
  ) AS "_2" ON TRUE
) AS "_3"
-- $1 = "1990"
-- $2 = "hull"
-- $3 = "steel"
-- $4 = "1"
-- $5 = "2"
-- $6 = "1"

-- two levels down
-- GET /harbours?select=id,boats(id,permits(code))&boats.permits.code=eq.P-1&boats.permits=not.is.null
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_4".*), '[]') AS "body"
FROM (
  SELECT "harbours"."id", COALESCE("_3"."v", '[]') AS "boats"
  FROM "api"."harbours"
  LEFT JOIN LATERAL (
    SELECT json_agg("_2".*) AS "v"
    FROM (
      SELECT "boats_1"."id", row_to_json("_1".*) AS "permits"
      FROM "api"."boats" AS "boats_1"
      LEFT JOIN LATERAL (
        SELECT "permits_2"."code"
        FROM "api"."permits" AS "permits_2"
        WHERE "permits_2"."boat_id" = "boats_1"."id" AND "permits_2"."code" = $1
      ) AS "_1" ON TRUE
      WHERE "boats_1"."harbour_id" = "harbours"."id" AND ("_1".*) IS DISTINCT FROM NULL
    ) AS "_2"
  ) AS "_3" ON TRUE
) AS "_4"
-- $1 = "P-1"

-- inner joins, nested
-- GET /harbours?select=name,boats!inner(label,permits!inner(code))&boats.draft=gte.1
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_4".*), '[]') AS "body"
FROM (
  SELECT "harbours"."name", COALESCE("_3"."v", '[]') AS "boats"
  FROM "api"."harbours"
  INNER JOIN LATERAL (
    SELECT json_agg("_2".*) AS "v"
    FROM (
      SELECT "boats_1"."label", row_to_json("_1".*) AS "permits"
      FROM "api"."boats" AS "boats_1"
      INNER JOIN LATERAL (
        SELECT "permits_2"."code"
        FROM "api"."permits" AS "permits_2"
        WHERE "permits_2"."boat_id" = "boats_1"."id"
      ) AS "_1" ON TRUE
      WHERE "boats_1"."harbour_id" = "harbours"."id" AND "boats_1"."draft" >= $1
    ) AS "_2"
  ) AS "_3" ON "_3"."v" IS NOT NULL
) AS "_4"
-- $1 = "1"

-- inner to one
-- GET /boats?select=label,harbours!inner(name)&harbours.name=eq.Oslo
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_2".*), '[]') AS "body"
FROM (
  SELECT "boats"."label", row_to_json("_1".*) AS "harbours"
  FROM "api"."boats"
  INNER JOIN LATERAL (
    SELECT "harbours_1"."name"
    FROM "api"."harbours" AS "harbours_1"
    WHERE "harbours_1"."id" = "boats"."harbour_id" AND "harbours_1"."name" = $1
  ) AS "_1" ON TRUE
) AS "_2"
-- $1 = "Oslo"

-- without rows: an anti-join
-- GET /harbours?select=id,boats()&boats=is.null
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "harbours"."id"
  FROM "api"."harbours"
  WHERE NOT EXISTS (
    SELECT
    FROM "api"."boats" AS "boats_1"
    WHERE "boats_1"."harbour_id" = "harbours"."id"
  )
) AS "_1"

-- with rows, to one and hidden
-- GET /boats?select=id,harbours()&harbours=not.is.null
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  WHERE EXISTS (
    SELECT
    FROM "api"."harbours" AS "harbours_1"
    WHERE "harbours_1"."id" = "boats"."harbour_id"
  )
) AS "_1"

-- an empty inner embed filters and does not show
-- GET /harbours?select=id,boats!inner()&boats.built=eq.1991
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "harbours"."id"
  FROM "api"."harbours"
  WHERE EXISTS (
    SELECT
    FROM "api"."boats" AS "boats_1"
    WHERE "boats_1"."harbour_id" = "harbours"."id" AND "boats_1"."built" = $1
  )
) AS "_1"
-- $1 = "1991"

-- nested empty embeds are hidden together
-- GET /boats?select=id,harbours(voyages!voyages_from_fkey())
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_3".*), '[]') AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT
    FROM "api"."harbours" AS "harbours_1"
    LEFT JOIN LATERAL (
      SELECT
      FROM "api"."voyages" AS "voyages_2"
      WHERE "voyages_2"."from_id" = "harbours_1"."id"
    ) AS "_1" ON FALSE
    WHERE "harbours_1"."id" = "boats"."harbour_id"
  ) AS "_2" ON FALSE
) AS "_3"

-- only the nested key shows
-- GET /boats?select=permits(boats(id))
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_3".*), '[]') AS "body"
FROM (
  SELECT row_to_json("_2".*) AS "permits"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT row_to_json("_1".*) AS "boats"
    FROM "api"."permits" AS "permits_1"
    LEFT JOIN LATERAL (
      SELECT "boats_2"."id"
      FROM "api"."boats" AS "boats_2"
      WHERE "boats_2"."id" = "permits_1"."boat_id"
    ) AS "_1" ON TRUE
    WHERE "permits_1"."boat_id" = "boats"."id"
  ) AS "_2" ON TRUE
) AS "_3"

-- order by a column of an embed, shown, hidden and by a path
-- GET /boats?select=id,harbours(name),permits()&order=harbours(name).desc.nullslast,permits(code)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."id", row_to_json("boats_harbours_1".*) AS "harbours"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT "harbours_1"."name"
    FROM "api"."harbours" AS "harbours_1"
    WHERE "harbours_1"."id" = "boats"."harbour_id"
  ) AS "boats_harbours_1" ON TRUE
  LEFT JOIN LATERAL (
    SELECT "permits_1".*
    FROM "api"."permits" AS "permits_1"
    WHERE "permits_1"."boat_id" = "boats"."id"
  ) AS "boats_permits_1" ON TRUE
  ORDER BY "boats_harbours_1"."name" DESC NULLS LAST, "boats_permits_1"."code" OFFSET 0
) AS "_1"

-- order by an output column of an aliased embed
-- GET /boats?select=id,port:harbours(title:name)&order=port(title)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."id", row_to_json("boats_port_1".*) AS "port"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT "harbours_1"."name" AS "title"
    FROM "api"."harbours" AS "harbours_1"
    WHERE "harbours_1"."id" = "boats"."harbour_id"
  ) AS "boats_port_1" ON TRUE
  ORDER BY "boats_port_1"."title" OFFSET 0
) AS "_1"

-- order inside an embed by an embed of its own
-- GET /harbours?select=id,boats(label,permits(code))&boats.order=permits(code).desc
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_3".*), '[]') AS "body"
FROM (
  SELECT "harbours"."id", COALESCE("_2"."v", '[]') AS "boats"
  FROM "api"."harbours"
  LEFT JOIN LATERAL (
    SELECT json_agg("_1".*) AS "v"
    FROM (
      SELECT "boats_1"."label", row_to_json("boats_permits_2".*) AS "permits"
      FROM "api"."boats" AS "boats_1"
      LEFT JOIN LATERAL (
        SELECT "permits_2"."code"
        FROM "api"."permits" AS "permits_2"
        WHERE "permits_2"."boat_id" = "boats_1"."id"
      ) AS "boats_permits_2" ON TRUE
      WHERE "boats_1"."harbour_id" = "harbours"."id"
      ORDER BY "boats_permits_2"."code" DESC OFFSET 0
    ) AS "_1"
  ) AS "_2" ON TRUE
) AS "_3"

-- two embeds of one table, filtered apart
-- GET /harbours?select=id,boats(label),old:boats(label)&boats.built=gte.1992&old.built=lt.1992
-- with url-use-legacy-target-names=false
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_5".*), '[]') AS "body"
FROM (
  SELECT "harbours"."id", COALESCE("_2"."v", '[]') AS "boats", COALESCE("_4"."v", '[]') AS "old"
  FROM "api"."harbours"
  LEFT JOIN LATERAL (
    SELECT json_agg("_1".*) AS "v"
    FROM (
      SELECT "boats_1"."label"
      FROM "api"."boats" AS "boats_1"
      WHERE "boats_1"."harbour_id" = "harbours"."id" AND "boats_1"."built" >= $1
    ) AS "_1"
  ) AS "_2" ON TRUE
  LEFT JOIN LATERAL (
    SELECT json_agg("_3".*) AS "v"
    FROM (
      SELECT "boats_1"."label"
      FROM "api"."boats" AS "boats_1"
      WHERE "boats_1"."harbour_id" = "harbours"."id" AND "boats_1"."built" < $2
    ) AS "_3"
  ) AS "_4" ON TRUE
) AS "_5"
-- $1 = "1992"
-- $2 = "1992"

-- a relation named like an alias of the statement
-- GET /total?select=id,page(count,total)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_2".*), '[]') AS "body"
FROM (
  SELECT "total"."id", row_to_json("_1".*) AS "page"
  FROM "api"."total"
  LEFT JOIN LATERAL (
    SELECT "page_1"."count", "page_1"."total"
    FROM "api"."page" AS "page_1"
    WHERE "page_1"."id" = "total"."page"
  ) AS "_1" ON TRUE
) AS "_2"

-- rows of a function with everything that rows take
-- GET /rpc/boats_since?y=1990&select=label,harbours(name),age&built=lt.1992&order=label.desc&limit=1
-- Prefer: count=exact
WITH "_source" AS (
  SELECT *
  FROM (
    SELECT ("(row)"."row")."age", ("(row)"."row")."built", ("(row)"."row")."harbour_id", ("(row)"."row")."label"
    FROM (
      SELECT "(row)" AS "row"
      FROM "api"."boats_since"("y" := $1::integer) AS "(row)"
      WHERE '{oid}'::regclass IS NOT NULL
    ) AS "(row)"
  ) AS "boats_since"
)
SELECT count(*) AS "page_rows", (
  SELECT count(*)
  FROM (
    SELECT 1
    FROM "_source" AS "boats_since"
    WHERE "boats_since"."built" < $4
  ) AS "_2"
) AS "total", {settings}, coalesce(json_agg("_3".*), '[]') AS "body"
FROM (
  SELECT "boats_since"."label", "boats_since"."age", row_to_json("_1".*) AS "harbours"
  FROM "_source" AS "boats_since"
  LEFT JOIN LATERAL (
    SELECT "harbours_1"."name"
    FROM "api"."harbours" AS "harbours_1"
    WHERE "harbours_1"."id" = "boats_since"."harbour_id"
  ) AS "_1" ON TRUE
  WHERE "boats_since"."built" < $2
  ORDER BY "boats_since"."label" DESC
  LIMIT $3
) AS "_3"
-- $1 = "1990"
-- $2 = "1992"
-- $3 = "1"
-- $4 = "1992"

-- hidden and asked for by nobody: checked by PostgreSQL, but not run
-- GET /boats?select=id,harbours()&harbours.name=eq.Cork&id=gt.1
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_2".*), '[]') AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT
    FROM "api"."harbours" AS "harbours_1"
    WHERE "harbours_1"."id" = "boats"."harbour_id" AND "harbours_1"."name" = $1
  ) AS "_1" ON FALSE
  WHERE "boats"."id" > $2
) AS "_2"
-- $1 = "Cork"
-- $2 = "1"

-- hidden, but its function may repeat the parent
-- GET /boats?select=id,home_port()
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_2".*), '[]') AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT "home_port_1".*
    FROM (
      SELECT ("(row)"."row").*
      FROM (
        SELECT "(row)" AS "row"
        FROM "api"."home_port"(("boats".*)::"api"."boats") AS "(row)"
        WHERE '{oid}'::regclass IS NOT NULL
      ) AS "(row)"
    ) AS "home_port_1"
  ) AS "_1" ON TRUE
) AS "_2"

-- hidden with a window: the test sees the window's rows
-- GET /harbours?select=id,boats()&boats.order=built&boats.offset=1&boats=not.is.null
-- with db-max-rows=5
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "harbours"."id"
  FROM "api"."harbours"
  WHERE EXISTS (
    SELECT
    FROM "api"."boats" AS "boats_1"
    WHERE "boats_1"."harbour_id" = "harbours"."id"
    ORDER BY "boats_1"."built"
    LIMIT ALL OFFSET $1
  )
  LIMIT $2
) AS "_1"
-- $1 = "1"
-- $2 = "5"

-- asked for twice: tested once, also where it is counted
-- GET /harbours?select=id,boats!inner()&boats.built=gte.1991&or=(boats.is.null,id.gt.1)&limit=5
-- Prefer: count=exact
SELECT count(*) AS "page_rows", (
  SELECT count(*)
  FROM (
    SELECT 1
    FROM "api"."harbours"
    CROSS JOIN LATERAL (
      SELECT EXISTS (
        SELECT 1
        FROM "api"."boats" AS "boats_1"
        WHERE "boats_1"."harbour_id" = "harbours"."id" AND "boats_1"."built" >= $4
      ) AS "v" OFFSET 0
    ) AS "_2"
    WHERE (NOT "_2"."v" OR "harbours"."id" > $5) AND "_2"."v"
  ) AS "_3"
) AS "total", {settings}, coalesce(json_agg("_4".*), '[]') AS "body"
FROM (
  SELECT "harbours"."id"
  FROM "api"."harbours"
  CROSS JOIN LATERAL (
    SELECT EXISTS (
      SELECT
      FROM "api"."boats" AS "boats_1"
      WHERE "boats_1"."harbour_id" = "harbours"."id" AND "boats_1"."built" >= $1
    ) AS "v" OFFSET 0
  ) AS "_1"
  WHERE "_1"."v" AND (NOT "_1"."v" OR "harbours"."id" > $2)
  LIMIT $3
) AS "_4"
-- $1 = "1991"
-- $2 = "1"
-- $3 = "5"
-- $4 = "1991"
-- $5 = "1"
