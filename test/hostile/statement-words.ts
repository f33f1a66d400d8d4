// Finds unknown words in a statement sent to PostgreSQL. Names and literals are quoted, and values are parameters: what
// remains must be a fixed vocabulary of keywords, functions and types.

const STRING_OR_NAME = /"(?:[^"]|"")*"|E?'(?:[^']|'')*'/gu;

/** The only user text that is not quoted: its letters and digits can end neither the type nor the cast. */
const CAST_TYPE = / AS [\p{L}\d_ $]+\)/gu;

const KEYWORDS =
  'ALL AND ANY AS ASC BEGIN BUFFERS BY CASE CAST CLOSE COALESCE COMMIT CONFLICT CONSTRAINTS CROSS DEFAULT DELETE DESC DISCARD DISTINCT DO ' +
  'ELSE END EXCLUDED EXISTS EXPLAIN FALSE FIRST FOR FORMAT FROM GROUP HAVING ILIKE IMMEDIATE INNER INSERT INTO IS ISOLATION JOIN JSON KEY ' +
  'LAST LATERAL LEFT LEVEL LIKE LIMIT LISTEN MATERIALIZED NOT NOTHING NULL NULLIF NULLS OFFSET ON ONLY OR ORDER ORDINALITY OVER PARTITION READ REPEATABLE RESET ' +
  'RETURNING ROLE ROLLBACK ROW ROWS TEMP PLANS SELECT SET SETTINGS SHARE TEXT THEN TRUE UNION UNKNOWN UPDATE USING VALUES VARIADIC VERBOSE WHEN WHERE ' +
  'WITH WITHIN';

const FUNCTIONS =
  'ST_AsGeoJSON array_agg avg bool_and bool_or coalesce count current_setting json_agg json_array_elements json_build_array json_build_object ' +
  'json_object_keys json_strip_nulls json_to_record json_to_recordset jsonb_array_elements jsonb_build_array ' +
  'jsonb_build_object jsonb_to_record jsonb_to_recordset least max min nextval nullif octet_length phraseto_tsquery percentile_cont plainto_tsquery regexp_replace ' +
  'row_number row_to_json concat_ws set_config stddev translate tableoid xmin ctid string_agg substring sum textsend to_json to_jsonb to_tsquery to_tsvector ts_rank_cd unnest variance websearch_to_tsquery';

const TYPES =
  'bigint bit bool boolean bpchar bytea character cidr date double float4 float8 inet int int2 int4 int8 int4range integer interval json jsonb money numeric point ' +
  'precision real regclass regconfig smallint text time timestamp timestamptz timetz tsvector uuid varchar varying with without zone true false settings update ' +
  'candidate api mood pg_catalog';

const VOCABULARY: ReadonlySet<string> = new Set(`${KEYWORDS} ${FUNCTIONS} ${TYPES}`.split(' '));

/** Distinguishes statements of different roles for poolers (`src/postgres/session/statement-cache.ts`). */
const MARK = / \/\*[\w-]+\*\/$/u;

/** The server's introspection statements, which do not depend on requests. */
const CATALOG = /\bpg_[a-z_]+\b|obj_description/u;

/** Removes names, literals and the types of casts. */
export function stripQuoted(text: string): string {
  return text.replace(MARK, '').replaceAll(STRING_OR_NAME, "''").replaceAll(CAST_TYPE, ')');
}

export function findForeignWords(text: string): readonly string[] {
  const bare = stripQuoted(text);
  if (CATALOG.test(bare) && !text.includes('"api"')) return [];
  const words = bare.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? [];
  return words.filter((word) => !VOCABULARY.has(word));
}
