// Plans the computed column `score` of a level (`beyond.md` §1.10).
import type { Column, Relation, SchemaCache } from '../../catalog/schema-cache.ts';
import { DISTANCE_MEASURES, type DistanceMeasure, type FullTextOperator } from '../../contract/operators.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Field, Score } from '../../request/query/query-params.ts';
import { SCORE } from '../../request/query/score.ts';
import type { FieldPlan, ScorePlan } from './read-plan.ts';

interface Distance {
  readonly operator: string;
  /** Undefined: the type of the field decides. */
  readonly extension: string | undefined;
}

const DISTANCES: Readonly<Record<DistanceMeasure, Distance>> = {
  l2: { operator: '<->', extension: 'vector' },
  cosine: { operator: '<=>', extension: 'vector' },
  l1: { operator: '<+>', extension: 'vector' },
  ip: { operator: '<#>', extension: 'vector' },
  trgm: { operator: '<->', extension: 'pg_trgm' },
  distance: { operator: '<->', extension: undefined },
};
/** Types without their schema. */
const VECTORS: ReadonlySet<string> = new Set(['vector', 'halfvec', 'sparsevec']);
const TEXTS: ReadonlySet<string> = new Set(['text', 'character varying', 'character']);
/** Of `tools.vector(3)`, `tools.geometry(Point,4326)`; a quoted name that ends like one ends with a quote. */
const MODIFIER = /\([^()"]*\)$/u;
/** Types that `to_tsvector` accepts, and its result. */
const SEARCHABLE: ReadonlySet<string> = new Set([...TEXTS, 'citext', 'json', 'jsonb', 'tsvector']);

export function isScore({ column, path }: Field): boolean {
  return column === SCORE && path.length === 0;
}

export function planLevelField(
  field: Field,
  { relation, score }: { readonly relation: Relation; readonly score?: FieldPlan | undefined },
): FieldPlan {
  if (score !== undefined && isScore(field)) return score;
  return planField(field, relation.columns.get(field.column));
}

export function planScore(score: Score, cache: SchemaCache, relation: Relation): Result<FieldPlan, ApiError> {
  if (relation.columns.has(SCORE))
    return fail({ kind: 'notImplemented', feature: `'${relation.name.name}' has a column named '${SCORE}'.` });
  const field = planField(score.field, relation.columns.get(score.field.column));
  const type = typeOf(field, relation.columns.get(field.column));
  const { measure } = score;
  const plan = isDistance(measure) ? planDistance(measure, type, score, cache) : planRank(measure, type, score);
  if (plan !== undefined) return ok({ ...field, score: plan });
  const extension = isDistance(measure) ? DISTANCES[measure].extension : undefined;
  return fail({ kind: 'measureUnavailable', measure, field: field.column, extension });
}

function isDistance(measure: Score['measure']): measure is DistanceMeasure {
  return DISTANCE_MEASURES.some((name) => name === measure);
}

/** Undefined for a computed column, whose type is not known. */
function typeOf({ path }: FieldPlan, column: Column | undefined): string | undefined {
  const arrow = path.at(-1)?.arrow;
  if (arrow === undefined) return column?.type;
  return arrow === '->>' ? 'text' : column?.type === 'json' ? 'json' : 'jsonb';
}

function planRank(
  operator: FullTextOperator,
  type: string | undefined,
  { language, value }: Score,
): ScorePlan | undefined {
  const toTsvector = type !== undefined && type !== 'tsvector';
  const isSearchable = type === undefined || SEARCHABLE.has(withoutSchema(type));
  return isSearchable ? { kind: 'rank', operator, language, value, toTsvector } : undefined;
}

function planDistance(
  measure: DistanceMeasure,
  type: string | undefined,
  score: Score,
  cache: SchemaCache,
): ScorePlan | undefined {
  if (type === undefined) return undefined;
  const { operator } = DISTANCES[measure];
  const compared = TEXTS.has(type) ? 'text' : type.replace(MODIFIER, '');
  const found = cache.distances.get(operator)?.get(compared);
  return found !== undefined && isMeasuredBy(measure, found.type)
    ? { kind: 'distance', operator, ...found, value: score.value }
    : undefined;
}

function isMeasuredBy(measure: DistanceMeasure, type: string): boolean {
  if (measure === 'trgm') return TEXTS.has(type);
  if (measure === 'distance') return !TEXTS.has(type);
  return VECTORS.has(withoutSchema(type));
}

function withoutSchema(type: string): string {
  return type.slice(type.lastIndexOf('.') + 1);
}

/** Plans a column with an optional path into its value. */
export function planField(field: Field, column: Column | undefined): FieldPlan {
  const isJson = column?.type === 'json' || column?.type === 'jsonb';
  return { column: field.column, path: field.path, toJson: field.path.length > 0 && !isJson };
}
