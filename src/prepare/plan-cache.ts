// Caches plans by request shape, for one configuration and schema cache.
import { type HttpRequest, urlLengthOf } from '../contract/http.ts';
import { ok, type Result } from '../contract/result.ts';
import { runSlicesWithPauses } from '../util/slices.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { PlanContext } from '../plan/actions/plan-context.ts';
import { planRequest } from '../plan/plan-request.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { Payload } from '../request/payload/payload.ts';
import { parseHead, readPayload, type RequestSettings, usesBody } from '../request/parse-request.ts';
import { prepareAction, type PrepareContext, type PreparedRows } from '../sql/render-script.ts';
import { BODY_STAND_IN, fillTemplate, makeTemplate, type PlanTemplate } from './plan-template.ts';
import { type RecentLimits, RecentMap } from '../util/recent-map.ts';
import { type RequestShape, shapeOf } from './request-shape.ts';

export interface Planning {
  readonly settings: RequestSettings;
  readonly context: PlanContext & PrepareContext;
  /** Distinguishes plans that another context makes of the same requests. */
  readonly variant?: string;
}

export type PreparedShape = Result<PreparedRows, ApiError> | undefined;

/** The parsed request of one shape, without its body, and its plans. */
interface CachedShape {
  readonly head: ApiRequest;
  /** By the keys of the body. */
  readonly plans: Map<string, PlanTemplate | 'uncacheable'>;
  /** Characters in the key and in the planned statements. */
  size: number;
}

/** Size, in characters, of an uncacheable shape, for which only the key is stored. */
const UNCACHEABLE_SIZE = 256;
/** Limits of the cache. A plan takes about 12 bytes per character, so the cache takes at most 10 MB. */
const SHAPES: RecentLimits<CachedShape | 'uncacheable'> = {
  entries: 256,
  size: 393_216,
  sizeOf: (known) => (known === 'uncacheable' ? UNCACHEABLE_SIZE : known.size),
};
/** Maximum number of body key sets per shape. */
const MAX_BODY_SHAPES = 8;
/** In characters; longer statements would take too much memory. */
const MAX_STATEMENT_LENGTH = 32_768;
const MAX_BODY_KEY_LENGTH = 4096;

export class PlanCache {
  readonly #known: RecentMap<string, CachedShape | 'uncacheable'> = new RecentMap(SHAPES);

  /**
   * Plans a request by filling its values into the plan of its shape, which is made on the first request of that shape.
   *
   * @returns undefined for a request that must be parsed and planned individually, because its plan or error depends on
   * its values; a promise only if its body takes long to read
   */
  prepare(
    request: HttpRequest,
    planning: Planning,
    pause: () => Promise<unknown>,
  ): PreparedShape | Promise<PreparedShape> {
    const isTooLong = !request.isLongQuery && urlLengthOf(request) > planning.settings.maxUrlLength;
    const usual = isTooLong ? undefined : shapeOf(request);
    const { variant } = planning;
    const shape = variant === undefined ? usual : usual && { ...usual, key: `${variant} ${usual.key}` };
    const known = shape && this.#find(shape, request, planning.settings);
    if (shape === undefined || known === undefined) return undefined;
    const { context } = planning;
    if (!usesBody(known.head.action)) return this.#fill(known, shape, { payload: undefined, context });
    const read = runSlicesWithPauses(readPayload(request, known.head, planning.settings), pause);
    if (read instanceof Promise)
      return read.then((payload) =>
        payload.ok ? this.#fill(known, shape, { payload: payload.value, context }) : payload,
      );
    return read.ok ? this.#fill(known, shape, { payload: read.value, context }) : read;
  }

  #fill(known: CachedShape, shape: RequestShape, source: TemplateSource): PreparedShape {
    const sizeBefore = known.size;
    const template = findTemplate(known, shape, source);
    if (known.size > sizeBefore) this.#known.set(shape.key, known);
    if (template === undefined) return undefined;
    const body = source.payload?.kind === 'json' ? source.payload.bytes : BODY_STAND_IN;
    return ok(fillTemplate(template, { texts: shape.values, body }));
  }

  #find(shape: RequestShape, request: HttpRequest, settings: RequestSettings): CachedShape | undefined {
    let known = this.#known.get(shape.key);
    if (known === undefined) {
      // The plan of a nested write depends on its rows.
      const head = parseHead({ ...request, rawQuery: shape.rawQuery }, settings);
      known =
        head.ok && head.value.preferences.nested === undefined
          ? { head: head.value, plans: new Map(), size: shape.key.length }
          : 'uncacheable';
      this.#known.set(shape.key, known);
    }
    return known === 'uncacheable' ? undefined : known;
  }
}

interface TemplateSource {
  readonly payload: Payload | undefined;
  readonly context: Planning['context'];
}

function findTemplate(known: CachedShape, shape: RequestShape, source: TemplateSource): PlanTemplate | undefined {
  const { head, plans } = known;
  const key = bodyKeyOf(source.payload);
  if (key === undefined) return undefined;
  let template = plans.get(key);
  if (template === undefined) {
    template = planTemplate(head, shape, source) ?? 'uncacheable';
    if (plans.size >= MAX_BODY_SHAPES) {
      known.plans.clear();
      known.size = shape.key.length;
    }
    plans.set(key, template);
    known.size += key.length + (template === 'uncacheable' ? 0 : lengthOf(template));
  }
  return template === 'uncacheable' ? undefined : template;
}

function lengthOf({ prepared: { statements } }: PlanTemplate): number {
  const { main, plannedCount, cost } = statements;
  return main.text.length + (plannedCount?.text.length ?? 0) + (cost.uncounted?.text.length ?? 0);
}

/** @returns undefined for a body whose plans are not cached */
function bodyKeyOf(payload: Payload | undefined): string | undefined {
  if (payload === undefined) return '';
  if (payload.kind !== 'json') return undefined;
  const names = JSON.stringify(payload.keys);
  if (names.length > MAX_BODY_KEY_LENGTH || names.includes('~')) return undefined;
  const key = `${payload.source} ${payload.isArray} ${names}`;
  const { operations, elements } = payload;
  if (operations === undefined && elements === undefined) return key;
  const shape = JSON.stringify([...(operations ?? []), ...(elements?.operations ?? []), ...(elements?.common ?? [])]);
  return shape.length > MAX_BODY_KEY_LENGTH ? undefined : `${key} ${shape}`;
}

function planTemplate(
  head: ApiRequest,
  { values }: RequestShape,
  { payload, context }: TemplateSource,
): PlanTemplate | undefined {
  const abstract = payload?.kind === 'json' ? { ...payload, bytes: BODY_STAND_IN } : payload;
  const planned = planRequest({ ...head, payload: abstract }, context);
  if (!planned.ok) return undefined;
  const prepared = prepareAction(planned.value, context);
  if (prepared.kind !== 'rows' || (prepared.action.kind === 'mutate' && prepared.action.isDivided)) return undefined;
  return prepared.statements.main.text.length > MAX_STATEMENT_LENGTH
    ? undefined
    : makeTemplate(prepared, values.length);
}
