-- {settings} = nullif(current_setting('response.headers', true), '') AS "response_headers", nullif(current_setting('response.status', true), '') AS "response_status"

-- a group is ANDed with the plain filters
-- GET /boats?select=id&built=gte.1990&or=(label.eq.Alba,draft.gt.2)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  WHERE "boats"."built" >= $1 AND ("boats"."label" = $2 OR "boats"."draft" > $3)
) AS "_1"
-- $1 = "1990"
-- $2 = "Alba"
-- $3 = "2"

-- nested and negated groups
-- GET /boats?select=id&or=(built.eq.1990,and(built.gte.1992,not.or(draft.is.null,label.like.X*)))
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  WHERE ("boats"."built" = $1 OR ("boats"."built" >= $2 AND NOT ("boats"."draft" IS NULL OR "boats"."label" LIKE $3)))
) AS "_1"
-- $1 = "1990"
-- $2 = "1992"
-- $3 = "X%"

-- a negated parameter negates its group
-- GET /boats?select=id&not.and=(id.gte.2,built.lt.1992)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  WHERE NOT ("boats"."id" >= $1 AND "boats"."built" < $2)
) AS "_1"
-- $1 = "2"
-- $2 = "1992"

-- several groups, one of them of one member
-- GET /boats?select=id&or=(id.eq.1,id.eq.2)&or=(built.eq.1991)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  WHERE ("boats"."id" = $1 OR "boats"."id" = $2) AND ("boats"."built" = $3)
) AS "_1"
-- $1 = "1"
-- $2 = "2"
-- $3 = "1991"

-- everything filters take, trees take
-- GET /notes?select=id&or=(body.fts(english).fox,data->>t.ilike.*dog*,id.in.(4,5),shout.match.^A,tsv.not.wfts.x,body.isdistinct.null)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "notes"."id"
  FROM "api"."notes"
  WHERE (to_tsvector($1::regconfig, "notes"."body") @@ to_tsquery($1::regconfig, $2) OR "notes"."data"->>$3 ILIKE $4 OR "notes"."id" = ANY ($5) OR "notes"."shout" ~ $6 OR NOT "notes"."tsv" @@ websearch_to_tsquery($7) OR "notes"."body" IS DISTINCT FROM $8)
) AS "_1"
-- $1 = "english"
-- $2 = "fox"
-- $3 = "t"
-- $4 = "%dog%"
-- $5 = "{\"4\",\"5\"}"
-- $6 = "^A"
-- $7 = "x"
-- $8 = "null"

-- values: quoted, braced, raw
-- GET /spans?select=id&or=(tags.cs.{a,b},span.ov."[1,3)",id.eq.3 )
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "spans"."id"
  FROM "api"."spans"
  WHERE ("spans"."tags" @> $1 OR "spans"."span" && $2 OR "spans"."id" = $3)
) AS "_1"
-- $1 = "{a,b}"
-- $2 = "[1,3)"
-- $3 = "3 "

-- across embeds by their presence
-- GET /boats?select=id,harbours(),permits()&harbours.name=eq.Cork&permits.code=eq.P-1&or=(harbours.not.is.null,permits.not.is.null)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  WHERE (EXISTS (
    SELECT
    FROM "api"."harbours" AS "harbours_1"
    WHERE "harbours_1"."id" = "boats"."harbour_id" AND "harbours_1"."name" = $1
  ) OR EXISTS (
    SELECT
    FROM "api"."permits" AS "permits_1"
    WHERE "permits_1"."boat_id" = "boats"."id" AND "permits_1"."code" = $2
  ))
) AS "_1"
-- $1 = "Cork"
-- $2 = "P-1"
