// Turns a plan whose values are stand-ins into a template, and fills templates with the values of a request.
import type { ParameterValue, Pieces, Statement } from '../contract/transaction.ts';
import type { PreparedRows } from '../sql/render-script.ts';
import { hasStandIn, splitAtStandIns, standInFor } from './request-shape.ts';

/** Replaces the body of a request. */
export const BODY_STAND_IN: Pieces = [new Uint8Array()];

export interface PlanTemplate {
  readonly prepared: PreparedRows;
  readonly mainSlots: readonly Slot[];
  readonly countSlots: readonly Slot[];
  /** Of the main statement without its count. */
  readonly uncountedSlots: readonly Slot[];
  /** `Content-Location`, split by `splitAtStandIns`. */
  readonly location: readonly string[];
  /** The query string of links to other pages, split likewise. */
  readonly links: readonly string[];
}

/** A parameter taken from the request. */
interface Slot {
  readonly parameter: number;
  readonly source: number | 'body';
}

export interface RequestValues {
  readonly texts: readonly string[];
  readonly body: Pieces;
}

/**
 * @param count number of stand-ins
 * @returns undefined if a value did not become a parameter unchanged, because plans of this shape then depend on their
 * values
 */
export function makeTemplate(prepared: PreparedRows, count: number): PlanTemplate | undefined {
  const { main, plannedCount, cost } = prepared.statements;
  const mainSlots = findSlots(main, count);
  const countSlots = plannedCount === undefined ? [] : findSlots(plannedCount, count);
  const uncountedSlots = cost.uncounted === undefined ? [] : findSlots(cost.uncounted, count);
  if (mainSlots === undefined || countSlots === undefined || uncountedSlots === undefined) return undefined;
  const found = new Set(mainSlots.map(({ source }) => source));
  for (let value = 0; value < count; value += 1) if (!found.has(value)) return undefined;
  return {
    prepared,
    mainSlots,
    countSlots,
    uncountedSlots,
    location: splitAtStandIns(prepared.contentLocation ?? ''),
    links: splitAtStandIns(prepared.linkQuery ?? ''),
  };
}

function findSlots({ text, parameters }: Statement, count: number): readonly Slot[] | undefined {
  if (hasStandIn(text)) return undefined;
  const numbers = new Map(Array.from({ length: count }, (_, value) => [standInFor(value), value]));
  const slots: Slot[] = [];
  for (const [index, parameter] of parameters.entries()) {
    if (parameter === null) continue;
    if (typeof parameter === 'string') {
      const value = numbers.get(parameter);
      if (value !== undefined) slots.push({ parameter: index, source: value });
      else if (hasStandIn(parameter)) return undefined;
    } else if (parameter === BODY_STAND_IN) slots.push({ parameter: index, source: 'body' });
    else return undefined;
  }
  return slots;
}

export function fillTemplate(template: PlanTemplate, values: RequestValues): PreparedRows {
  const { prepared, mainSlots, location, links } = template;
  const { action, statements, profile, contentLocation, linkQuery } = prepared;
  const { main, payloadParameter, plannedCount, cost } = statements;
  return {
    kind: 'rows',
    action,
    statements: {
      main: fillStatement(main, mainSlots, values),
      payloadParameter,
      plannedCount: plannedCount && fillStatement(plannedCount, template.countSlots, values),
      cost:
        cost.uncounted === undefined
          ? cost
          : { ...cost, uncounted: fillStatement(cost.uncounted, template.uncountedSlots, values) },
    },
    profile,
    contentLocation: location.length === 1 ? contentLocation : fillText(location, values.texts),
    linkQuery: links.length === 1 ? linkQuery : fillText(links, values.texts),
  };
}

function fillStatement<S extends Statement>(statement: S, slots: readonly Slot[], values: RequestValues): S {
  return slots.length === 0 ? statement : { ...statement, parameters: fillParameters(statement, slots, values) };
}

function fillParameters(
  { parameters }: Statement,
  slots: readonly Slot[],
  { texts, body }: RequestValues,
): readonly ParameterValue[] {
  const filled = parameters.slice();
  for (const { parameter, source } of slots) filled[parameter] = source === 'body' ? body : (texts[source] ?? '');
  return filled;
}

/** @param parts the text between values at even indexes, the numbers of values at odd ones */
function fillText(parts: readonly string[], texts: readonly string[]): string {
  let filled = parts[0] ?? '';
  for (let index = 1; index < parts.length; index += 2)
    filled += (texts[Number(parts[index])] ?? '') + (parts[index + 1] ?? '');
  return filled;
}
