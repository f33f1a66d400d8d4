-- {settings} = nullif(current_setting('response.headers', true), '') AS "response_headers", nullif(current_setting('response.status', true), '') AS "response_status"

-- every comparison of ordered values
-- GET /boats?select=id&built=eq.1990&built=neq.1&built=gt.1&built=gte.1&built=lt.9999&built=lte.9999
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  WHERE "boats"."built" = $1 AND "boats"."built" <> $2 AND "boats"."built" > $3 AND "boats"."built" >= $4 AND "boats"."built" < $5 AND "boats"."built" <= $6
) AS "_1"
-- $1 = "1990"
-- $2 = "1"
-- $3 = "1"
-- $4 = "1"
-- $5 = "9999"
-- $6 = "9999"

-- patterns: an asterisk stands for any text, regular expressions stay as they are
-- GET /boats?select=id&label=like.*l*&label=ilike.*L%25&label=match.^A.*a$&label=imatch.^a
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  WHERE "boats"."label" LIKE $1 AND "boats"."label" ILIKE $2 AND "boats"."label" ~ $3 AND "boats"."label" ~* $4
) AS "_1"
-- $1 = "%l%"
-- $2 = "%L%"
-- $3 = "^A.*a$"
-- $4 = "^a"

-- a quoted value of a filter keeps its quotes, an empty one is the empty text
-- GET /boats?select=id&label=neq."Alba"&label=neq.
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  WHERE "boats"."label" <> $1 AND "boats"."label" <> $2
) AS "_1"
-- $1 = "\"Alba\""
-- $2 = ""

-- arrays, ranges and jsonb: containment, overlap, position
-- GET /spans?select=id&tags=cs.{a}&tags=cd.{a,b,c}&nums=ov.{1,9}&span=sl.[9,12)&span=sr.[0,1)&span=nxr.[0,9)&span=nxl.[0,9)&span=adj.[5,7)&data=cs.{"k":1}
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "spans"."id"
  FROM "api"."spans"
  WHERE "spans"."tags" @> $1 AND "spans"."tags" <@ $2 AND "spans"."nums" && $3 AND "spans"."span" << $4 AND "spans"."span" >> $5 AND "spans"."span" &< $6 AND "spans"."span" &> $7 AND "spans"."span" -|- $8 AND "spans"."data" @> $9
) AS "_1"
-- $1 = "{a}"
-- $2 = "{a,b,c}"
-- $3 = "{1,9}"
-- $4 = "[9,12)"
-- $5 = "[0,1)"
-- $6 = "[0,9)"
-- $7 = "[0,9)"
-- $8 = "[5,7)"
-- $9 = "{\"k\":1}"

-- negation stands before the whole comparison
-- GET /boats?select=id&draft=not.gt.2&label=not.like.A*&harbour_id=not.is.null&id=not.in.(7,8)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  WHERE NOT "boats"."draft" > $1 AND NOT "boats"."label" LIKE $2 AND NOT "boats"."harbour_id" IS NULL AND NOT "boats"."id" = ANY ($3)
) AS "_1"
-- $1 = "2"
-- $2 = "A%"
-- $3 = "{\"7\",\"8\"}"

-- a list is one parameter, whatever its length
-- GET /boats?select=id&id=in.(1,2,3)
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  WHERE "boats"."id" = ANY ($1)
) AS "_1"
-- $1 = "{\"1\",\"2\",\"3\"}"

-- list elements keep their quotes, blanks and backslashes as array syntax wants them
-- GET /boats?select=id&label=in.("Brig, II", Dory,a"b,"q\"q\\")
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  WHERE "boats"."label" = ANY ($1)
) AS "_1"
-- $1 = "{\"Brig, II\",\" Dory\",\"a\\\"b\",\"q\\\"q\\\\\"}"

-- an empty list is an empty array
-- GET /boats?select=id&id=in.()&built=not.in.()
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  WHERE "boats"."id" = ANY ($1) AND NOT "boats"."built" = ANY ($2)
) AS "_1"
-- $1 = "{}"
-- $2 = "{}"

-- the tests of is, in any case
-- GET /kinds?select=id&lit=is.TRUE&lit=not.is.false&lit=is.unknown&day=is.null&day=is.not_null
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "kinds"."id"
  FROM "api"."kinds"
  WHERE "kinds"."lit" IS TRUE AND NOT "kinds"."lit" IS FALSE AND "kinds"."lit" IS UNKNOWN AND "kinds"."day" IS NULL AND "kinds"."day" IS NOT NULL
) AS "_1"

-- a distinct value counts null as one
-- GET /boats?select=id&draft=isdistinct.2.50&built=not.isdistinct.1990
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  WHERE "boats"."draft" IS DISTINCT FROM $1 AND NOT "boats"."built" IS DISTINCT FROM $2
) AS "_1"
-- $1 = "2.50"
-- $2 = "1990"

-- quantified comparisons take an array literal
-- GET /boats?select=id&built=gt(all).{1989,1991}&label=like(any).{A*,D*}&label=not.eq(any).{Alba,"Brig, II"}&label=imatch(any).{^a,^b}
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  WHERE "boats"."built" > ALL ($1) AND "boats"."label" LIKE ANY ($2) AND NOT "boats"."label" = ANY ($3) AND "boats"."label" ~* ANY ($4)
) AS "_1"
-- $1 = "{1989,1991}"
-- $2 = "{A%,D%}"
-- $3 = "{Alba,\"Brig, II\"}"
-- $4 = "{^a,^b}"

-- full-text search converts what is no tsvector, with its language on both sides
-- GET /notes?select=id&body=fts(english).fox&data=plfts(simple).wild fox&body=phfts.the fox
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "notes"."id"
  FROM "api"."notes"
  WHERE to_tsvector($1::regconfig, "notes"."body") @@ to_tsquery($1::regconfig, $2) AND to_tsvector($3::regconfig, "notes"."data") @@ plainto_tsquery($3::regconfig, $4) AND to_tsvector("notes"."body") @@ phraseto_tsquery($5)
) AS "_1"
-- $1 = "english"
-- $2 = "fox"
-- $3 = "simple"
-- $4 = "wild fox"
-- $5 = "the fox"

-- full-text search leaves tsvectors, domains over them and computed columns as they are
-- GET /notes?select=id&tsv=wfts(english).fox or dog&words=fts.fox&terms=fts.fox
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "notes"."id"
  FROM "api"."notes"
  WHERE "notes"."tsv" @@ websearch_to_tsquery($1::regconfig, $2) AND "notes"."words" @@ to_tsquery($3) AND "notes"."terms" @@ to_tsquery($4)
) AS "_1"
-- $1 = "english"
-- $2 = "fox or dog"
-- $3 = "fox"
-- $4 = "fox"

-- full-text search in a JSON path and negated
-- GET /notes?select=id&data->>t=fts(english).fox&body=not.plfts(english).dog
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "notes"."id"
  FROM "api"."notes"
  WHERE to_tsvector($2::regconfig, "notes"."data"->>$1) @@ to_tsquery($2::regconfig, $3) AND NOT to_tsvector($4::regconfig, "notes"."body") @@ plainto_tsquery($4::regconfig, $5)
) AS "_1"
-- $1 = "t"
-- $2 = "english"
-- $3 = "fox"
-- $4 = "english"
-- $5 = "dog"

-- computed columns filter like columns
-- GET /boats?select=id&age=gte.9&initial=eq.A
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  WHERE "boats"."age" >= $1 AND "boats"."initial" = $2
) AS "_1"
-- $1 = "9"
-- $2 = "A"

-- JSON paths: keys and indexes are parameters, negative indexes count from the end
-- GET /boats?select=id&meta->>hull=eq.steel&meta->log->1->z=eq.5&meta->log->-1->>z=eq.5
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  WHERE "boats"."meta"->>$1 = $2 AND "boats"."meta"->$3->$4::int->$5 = $6 AND "boats"."meta"->$7->$8::int->>$9 = $10
) AS "_1"
-- $1 = "hull"
-- $2 = "steel"
-- $3 = "log"
-- $4 = "1"
-- $5 = "z"
-- $6 = "5"
-- $7 = "log"
-- $8 = "-1"
-- $9 = "z"
-- $10 = "5"

-- quoted keys, keys that look like numbers
-- GET /papers?select=id&data->>"a.b"=eq.dotted&data->>"0"=eq.zero&data->>0a=eq.key&data->>a-b=eq.dash
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "papers"."id"
  FROM "api"."papers"
  WHERE "papers"."data"->>$1 = $2 AND "papers"."data"->>$3 = $4 AND "papers"."data"->>$5 = $6 AND "papers"."data"->>$7 = $8
) AS "_1"
-- $1 = "a.b"
-- $2 = "dotted"
-- $3 = "0"
-- $4 = "zero"
-- $5 = "0a"
-- $6 = "key"
-- $7 = "a-b"
-- $8 = "dash"

-- arrays, composites and unknown columns become jsonb under a path
-- GET /spots?select=id&loc->>lat=gt.5&loc->tags->>0=eq.north
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "spots"."id"
  FROM "api"."spots"
  WHERE to_jsonb("spots"."loc")->>$1 > $2 AND to_jsonb("spots"."loc")->$3->>$4::int = $5
) AS "_1"
-- $1 = "lat"
-- $2 = "5"
-- $3 = "tags"
-- $4 = "0"
-- $5 = "north"

-- the array itself compares as an array, its element as jsonb or text
-- GET /boats?select=id&flags=cs.{red}&flags->0=eq."red"&flags->>-1=eq.white
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  WHERE "boats"."flags" @> $1 AND to_jsonb("boats"."flags")->$2::int = $3 AND to_jsonb("boats"."flags")->>$4::int = $5
) AS "_1"
-- $1 = "{red}"
-- $2 = "0"
-- $3 = "\"red\""
-- $4 = "-1"
-- $5 = "white"

-- the same column twice is filtered twice
-- GET /boats?select=id&built=gte.1990&built=lt.1992
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  WHERE "boats"."built" >= $1 AND "boats"."built" < $2
) AS "_1"
-- $1 = "1990"
-- $2 = "1992"

-- literal text: wildcards are escaped, several texts by PostgreSQL
-- GET /boats?select=id&label=has.100%25_\&label=istarts.*a&label=not.ends(any).{a%25,b}
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  WHERE "boats"."label" LIKE $1::text AND "boats"."label" ILIKE $2::text AND NOT "boats"."label" LIKE ANY (
    SELECT '%' || regexp_replace(unnest($3::text[]), '([\\%_])', '\\\1', 'g') || ''
  )
) AS "_1"
-- $1 = "%100\\%\\_\\\\%"
-- $2 = "*a%"
-- $3 = "{a%,b}"

-- another column, and in an embed a column of the row above
-- GET /boats?select=id,harbours!inner()&built=gt(column).age&meta->n=not.isdistinct(column).meta->draft&harbours.name=like(parent).label
SELECT count(*) AS "page_rows", NULL::bigint AS "total", {settings}, coalesce(json_agg("_1".*), '[]') AS "body"
FROM (
  SELECT "boats"."id"
  FROM "api"."boats"
  WHERE EXISTS (
    SELECT
    FROM "api"."harbours" AS "harbours_1"
    WHERE "harbours_1"."id" = "boats"."harbour_id" AND "harbours_1"."name" LIKE "boats"."label"
  ) AND "boats"."built" > "boats"."age" AND NOT "boats"."meta"->$1 IS DISTINCT FROM "boats"."meta"->$2
) AS "_1"
-- $1 = "n"
-- $2 = "draft"
