// Turns a plan whose values are stand-ins into a template, and fills templates with the values of a request.
import type { Pieces, Statement } from '../contract/transaction.ts';
import type { PlannedRows } from '../plan/actions/action-plan.ts';
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
  const { action } = prepared;
  return {
    prepared,
    mainSlots,
    countSlots,
    uncountedSlots,
    location: action.kind === 'read' ? splitAtStandIns(action.contentLocation ?? '') : [],
    links: action.kind === 'read' ? splitAtStandIns(action.paging?.linkQuery ?? '') : [],
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
  const { action, statements } = template.prepared;
  const { main, plannedCount, cost } = statements;
  return {
    kind: 'rows',
    action: fillAction(action, template, values.texts),
    statements: {
      ...statements,
      main: fillStatement(main, template.mainSlots, values),
      plannedCount: plannedCount && fillStatement(plannedCount, template.countSlots, values),
      cost:
        cost.uncounted === undefined
          ? cost
          : { ...cost, uncounted: fillStatement(cost.uncounted, template.uncountedSlots, values) },
    },
  };
}

function fillStatement<S extends Statement>(statement: S, slots: readonly Slot[], { texts, body }: RequestValues): S {
  if (slots.length === 0) return statement;
  const parameters = [...statement.parameters];
  for (const { parameter, source } of slots) parameters[parameter] = source === 'body' ? body : (texts[source] ?? '');
  return { ...statement, parameters };
}

type FilledTexts = Pick<PlanTemplate, 'location' | 'links'>;

function fillAction(action: PlannedRows, { location, links }: FilledTexts, texts: readonly string[]): PlannedRows {
  if (action.kind !== 'read' || location.length === 1) return action;
  const { paging } = action;
  return {
    ...action,
    contentLocation: fillText(location, texts),
    paging: links.length === 1 ? paging : paging && { ...paging, linkQuery: fillText(links, texts) },
  };
}

function fillText(parts: readonly string[], texts: readonly string[]): string {
  let filled = '';
  for (const [index, part] of parts.entries()) filled += index % 2 === 0 ? part : (texts[Number(part)] ?? '');
  return filled;
}
