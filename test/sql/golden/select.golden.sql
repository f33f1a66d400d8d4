-- {settings} = nullif(current_setting('response.headers', true), '') AS "response_headers", nullif(current_setting('response.status', true), '') AS "response_status"

-- no select gives every column
-- GET /boats
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats".*
  FROM "api"."boats"
) AS "_1"

-- an empty select gives every column as well
-- GET /boats?select=
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats".*
  FROM "api"."boats"
) AS "_1"

-- columns, aliases and casts
-- GET /boats?select=id,name:label,built::text,size:draft::double precision
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."id", "boats"."label" AS "name", CAST("boats"."built" AS text) AS "built", CAST("boats"."draft" AS double precision) AS "size"
  FROM "api"."boats"
) AS "_1"

-- a computed column beside all columns
-- GET /boats?select=*,age
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats".*, "boats"."age"
  FROM "api"."boats"
) AS "_1"

-- JSON paths are named by their last key, indexes by what they index
-- GET /boats?select=meta->>hull,meta->log->1->z,meta->log->0,flags->0,last:flags->-1
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."meta"->>$1 AS "hull", "boats"."meta"->$2->$3::int->$4 AS "z", "boats"."meta"->$5->$6::int AS "log", to_jsonb("boats"."flags")->$7::int AS "flags", to_jsonb("boats"."flags")->$8::int AS "last"
  FROM "api"."boats"
) AS "_1"
-- $1 = "hull"
-- $2 = "log"
-- $3 = "1"
-- $4 = "z"
-- $5 = "log"
-- $6 = "0"
-- $7 = "0"
-- $8 = "-1"

-- a cast applies to the value at the end of the path
-- GET /boats?select=n:meta->>n::int,meta->n::text
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT CAST("boats"."meta"->>$1 AS int) AS "n", CAST("boats"."meta"->$2 AS text) AS "n"
  FROM "api"."boats"
) AS "_1"
-- $1 = "n"
-- $2 = "n"

-- the same path in select and order is the same parameters
-- GET /boats?select=meta->>n&order=meta->>n.desc.nullslast,meta->>n
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."meta"->>$1 AS "n"
  FROM "api"."boats"
  ORDER BY "boats"."meta"->>$1 DESC NULLS LAST, "boats"."meta"->>$1 OFFSET 0
) AS "_1"
-- $1 = "n"

-- parts of composites and arrays of them
-- GET /spots?select=id,loc->>lat,loc->tags->-1
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "spots"."id", to_jsonb("spots"."loc")->>$1 AS "lat", to_jsonb("spots"."loc")->$2->$3::int AS "tags"
  FROM "api"."spots"
) AS "_1"
-- $1 = "lat"
-- $2 = "tags"
-- $3 = "-1"

-- the legacy count of rows
-- GET /boats?select=count
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."count"
  FROM "api"."boats"
) AS "_1"

-- an embed that selects nothing is joined, but not run
-- GET /boats?select=harbours()
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_2".*), '[]') AS "body"
FROM (
  SELECT
  FROM "api"."boats"
  LEFT JOIN LATERAL (
    SELECT
    FROM "api"."harbours" AS "harbours_1"
    WHERE "harbours_1"."id" = "boats"."harbour_id"
  ) AS "_1" ON FALSE
) AS "_2"

-- names with quotes, blanks, dots and letters beyond ASCII
-- GET /oddities?select="dot.comma,colon:(p)","back\\slash","quo\"te","größe",just a name,a-dash,do$lar," spaced "&größe=gt.1&" spaced "=lt.99
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "oddities"."dot.comma,colon:(p)", "oddities"."back\slash", "oddities"."quo""te", "oddities"."größe", "oddities"."just a name", "oddities"."a-dash", "oddities"."do$lar", "oddities"." spaced "
  FROM "api"."oddities"
  WHERE "oddities"."größe" > $1 AND "oddities"." spaced " < $2
) AS "_1"
-- $1 = "1"
-- $2 = "99"

-- a relation and columns that are reserved words or quotes
-- GET /Weird%20%22T%22%20select?select="select",Group,"a\"b"&Group=eq.g1&order="select".desc
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "Weird ""T"" select"."select", "Weird ""T"" select"."Group", "Weird ""T"" select"."a""b"
  FROM "api"."Weird ""T"" select"
  WHERE "Weird ""T"" select"."Group" = $1
  ORDER BY "Weird ""T"" select"."select" DESC OFFSET 0
) AS "_1"
-- $1 = "g1"

-- columns named like words of the statement
-- GET /page?select=id,t,r,e,e1,count,page,total,body,headers,status&count=eq.c
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "page"."id", "page"."t", "page"."r", "page"."e", "page"."e1", "page"."count", "page"."page", "page"."total", "page"."body", "page"."headers", "page"."status"
  FROM "api"."page"
  WHERE "page"."count" = $1
) AS "_1"
-- $1 = "c"

-- columns named like parameters are filtered by quoting their names
-- GET /reserved?select=id,order,limit,offset,and,or,not&"order"=eq.3&"select"=eq.s1&"and"=eq.a1
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "reserved"."id", "reserved"."order", "reserved"."limit", "reserved"."offset", "reserved"."and", "reserved"."or", "reserved"."not"
  FROM "api"."reserved"
  WHERE "reserved"."order" = $1 AND "reserved"."select" = $2 AND "reserved"."and" = $3
) AS "_1"
-- $1 = "3"
-- $2 = "s1"
-- $3 = "a1"

-- a domain with a conversion to json shows converted, its filters take the text form
-- GET /paints?select=*&hue=eq.#0000ff&hue=in.(#0000ff,#00ff00)&hue=gt(any).{#000001}&order=hue
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "paints"."id", "public"."colour_json"("paints"."hue") AS "hue", "paints"."name"
  FROM "api"."paints"
  WHERE "paints"."hue" = "public"."colour_parse"($1) AND "paints"."hue" = ANY (
    SELECT "public"."colour_parse"(unnest($2::text[]))
  ) AND "paints"."hue" > ANY (
    SELECT "public"."colour_parse"(unnest($3::text[]))
  )
  ORDER BY "paints"."hue" OFFSET 0
) AS "_1"
-- $1 = "#0000ff"
-- $2 = "{\"#0000ff\",\"#00ff00\"}"
-- $3 = "{#000001}"

-- an explicit cast applies after the conversion, and patterns are not converted
-- GET /paints?select=hue::text,as_text:hue&hue=is.not_null&hue=isdistinct.7
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT CAST("public"."colour_json"("paints"."hue") AS text) AS "hue", "public"."colour_json"("paints"."hue") AS "as_text"
  FROM "api"."paints"
  WHERE "paints"."hue" IS NOT NULL AND "paints"."hue" IS DISTINCT FROM $1
) AS "_1"
-- $1 = "7"

-- conversions in embeds and over views
-- GET /walls?select=id,paints(hue),paint_view(*)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_3".*), '[]') AS "body"
FROM (
  SELECT "walls"."id", row_to_json("_1".*) AS "paints", row_to_json("_2".*) AS "paint_view"
  FROM "api"."walls"
  LEFT JOIN LATERAL (
    SELECT "public"."colour_json"("paints_1"."hue") AS "hue"
    FROM "api"."paints" AS "paints_1"
    WHERE "paints_1"."id" = "walls"."paint_id"
  ) AS "_1" ON TRUE
  LEFT JOIN LATERAL (
    SELECT "paint_view_1"."id", "public"."colour_json"("paint_view_1"."hue") AS "hue"
    FROM "api"."paint_view" AS "paint_view_1"
    WHERE "paint_view_1"."id" = "walls"."paint_id"
  ) AS "_2" ON TRUE
) AS "_3"
