// Cache of plans by the shape of the requests, for one configuration and schema cache.
import { type HttpRequest, urlLengthOf } from '../contract/http.ts';
import { ok, type Result } from '../contract/result.ts';
import type { Slices } from '../util/slices.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { PlanContext } from '../plan/actions/plan-context.ts';
import { planRequest } from '../plan/plan-request.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { Payload } from '../request/payload/payload.ts';
import { parseHead, readPayload, type RequestSettings } from '../request/parse-request.ts';
import { prepareAction, type PreparedRows } from '../sql/render-script.ts';
import { BODY_STAND_IN, fillTemplate, makeTemplate, type PlanTemplate } from './plan-template.ts';
import { type RecentLimits, RecentMap } from '../util/recent-map.ts';
import { type RequestShape, shapeOf } from './request-shape.ts';

export interface Planning {
  readonly settings: RequestSettings;
  readonly context: PlanContext;
}

/** Of a request without its body. */
interface Known {
  readonly head: ApiRequest;
  /** By the keys of the body. */
  readonly plans: Map<string, PlanTemplate | 'uncacheable'>;
  /** Characters of the shape's key and of what was planned. */
  size: number;
}

/** Size, in characters, of a shape of which only the key is kept. */
const UNCACHEABLE_SIZE = 256;
/** Cached shapes; a plan takes about 12 bytes per character, so the cache takes 10 MB at most. */
const SHAPES: RecentLimits<Known | 'uncacheable'> = {
  entries: 256,
  size: 393_216,
  sizeOf: (known) => (known === 'uncacheable' ? UNCACHEABLE_SIZE : known.size),
};
/** Different sets of body keys per shape. */
const MAX_BODY_SHAPES = 8;
/** Characters; longer texts would take too much memory. */
const MAX_STATEMENT_LENGTH = 32_768;
const MAX_BODY_KEY_LENGTH = 4096;

export class PlanCache {
  readonly #known: RecentMap<string, Known | 'uncacheable'> = new RecentMap(SHAPES);

  /**
   * Plans a request by filling its values into the plan of its shape, which is made at the first request of the shape.
   *
   * @returns undefined for a request that must be parsed and planned individually, because its values decide about the plan
   * or the error
   */
  *prepare(request: HttpRequest, planning: Planning): Slices<Result<PreparedRows, ApiError> | undefined> {
    const shape = urlLengthOf(request) > planning.settings.maxUrlLength ? undefined : shapeOf(request);
    const known = shape && this.#find(shape, request, planning.settings);
    if (shape === undefined || known === undefined) return undefined;
    const payload = yield* readPayload(request, known.head, planning.settings);
    if (!payload.ok) return payload;
    const sizeBefore = known.size;
    const template = findTemplate(known, shape, { payload: payload.value, context: planning.context });
    if (known.size > sizeBefore) this.#known.set(shape.key, known);
    if (template === undefined) return undefined;
    const body = payload.value?.kind === 'json' ? payload.value.bytes : BODY_STAND_IN;
    return ok(fillTemplate(template, { texts: shape.values, body }));
  }

  #find(shape: RequestShape, request: HttpRequest, settings: RequestSettings): Known | undefined {
    let known = this.#known.get(shape.key);
    if (known === undefined) {
      const head = parseHead({ ...request, rawQuery: shape.rawQuery }, settings);
      known = head.ok ? { head: head.value, plans: new Map(), size: shape.key.length } : 'uncacheable';
      this.#known.set(shape.key, known);
    }
    return known === 'uncacheable' ? undefined : known;
  }
}

interface TemplateSource {
  readonly payload: Payload | undefined;
  readonly context: PlanContext;
}

function findTemplate(known: Known, shape: RequestShape, source: TemplateSource): PlanTemplate | undefined {
  const { head, plans } = known;
  const key = bodyKeyOf(source.payload);
  if (key === undefined) return undefined;
  let template = plans.get(key);
  if (template === undefined) {
    template = planTemplate(head, shape, source) ?? 'uncacheable';
    if (plans.size >= MAX_BODY_SHAPES) forgetPlans(known, shape);
    plans.set(key, template);
    known.size += key.length + (template === 'uncacheable' ? 0 : lengthOf(template));
  }
  return template === 'uncacheable' ? undefined : template;
}

function forgetPlans(known: Known, { key }: RequestShape): void {
  known.plans.clear();
  known.size = key.length;
}

function lengthOf({ prepared: { statements } }: PlanTemplate): number {
  return statements.main.text.length + (statements.plannedCount?.text.length ?? 0);
}

/** @returns undefined for a body whose plans are not cached */
function bodyKeyOf(payload: Payload | undefined): string | undefined {
  if (payload === undefined) return '';
  if (payload.kind !== 'json') return undefined;
  const names = JSON.stringify(payload.keys);
  if (names.length > MAX_BODY_KEY_LENGTH || names.includes('~')) return undefined;
  return `${payload.source} ${payload.isArray} ${names}`;
}

function planTemplate(
  head: ApiRequest,
  { values }: RequestShape,
  { payload, context }: TemplateSource,
): PlanTemplate | undefined {
  const abstract = payload?.kind === 'json' ? { ...payload, bytes: BODY_STAND_IN } : payload;
  const planned = planRequest({ ...head, payload: abstract }, context);
  if (!planned.ok) return undefined;
  const prepared = prepareAction(planned.value, context.dialect);
  if (prepared.kind !== 'rows') return undefined;
  return prepared.statements.main.text.length > MAX_STATEMENT_LENGTH
    ? undefined
    : makeTemplate(prepared, values.length);
}
