// Which rows of embedded relations the policies hid, level by level, and of the relations that conditions look into.
import { countPresenceTests, type Condition, type ReadPlan } from '../../../src/plan/levels/read-plan.ts';
import type { QualifiedName } from '../../../src/contract/identifiers.ts';
import { isJsonObject } from '../../../src/util/json-object.ts';
import { countRows, findVisible, READING } from './decide-rows.ts';
import type { FoundRow, Probe } from './probe.ts';
import type { ExplainedRequest } from './failed-request.ts';
import { conditionOn, MAX_ROWS, splitStep, type Step, type Way } from './row-statements.ts';
import { findRows, findTargets } from './targets.ts';

export interface Place {
  readonly role: string;
  readonly probe: Probe;
}

export const NOT_LOOKED = 'The rows of embedded relations were not looked at';
/** Further levels are not looked at. */
const MAX_LEVELS = 20;

/** @param way to the rows of the top level that the role sees */
export async function explainEmbeds(way: Way, read: ReadPlan, place: Place): Promise<readonly string[]> {
  const lines = new Set<string>();
  const levels = [{ way, read }];
  for (const level of levels) {
    const tested = countPresenceTests(level.read.where);
    for (const [index, { relationship, read: inner, join }] of level.read.embeds.entries()) {
      const table = inner.relation.name;
      if (relationship.kind === 'computed')
        lines.add(`The rows of ${table} come from the function ${relationship.routine.name}, and were not looked at.`);
      else if (levels.length > MAX_LEVELS) lines.add(`Only ${MAX_LEVELS} of the embedded relations were looked at.`);
      else {
        const found = await explainStep(level.way, { relationship, where: inner.where }, place);
        for (const line of found.lines) lines.add(line);
        if (found.isHiding && (join === 'inner' || tested.has(index)))
          lines.add(`Rows of ${level.read.relation.name} are shown or left out depending on their rows of ${table}.`);
        if (found.hasRows) levels.push({ way: found.way, read: inner });
      }
    }
  }
  return [...lines];
}

/** Explains the rows below those of a response that an insert or a function has returned. @param key as it shows it */
export async function explainBelowReturned(
  relation: QualifiedName,
  { read, key }: { readonly read: ReadPlan; readonly key: readonly string[] },
  { role, report }: Pick<ExplainedRequest, 'role' | 'report'>,
  probe: Probe,
): Promise<readonly string[]> {
  const rows = findReturned(report.body, read, key);
  if (rows === undefined) {
    const advice = key.length === 0 ? '' : ` Select ${key.join(', ')} too, as JSON.`;
    return [`${NOT_LOOKED}, because the response does not contain the key of ${relation.name}.${advice}`];
  }
  if (rows.length === 0) return [];
  const where = [conditionOn(key, rows.slice(0, MAX_ROWS))];
  return explainEmbeds({ root: { relation, where }, steps: [] }, read, { role, probe });
}

/** @returns undefined if the response does not contain the key of each row */
function findReturned(
  body: unknown,
  { select }: Pick<ReadPlan, 'select'>,
  key: readonly string[],
): readonly FoundRow[] | undefined {
  const rows = Array.isArray(body) ? body.filter(isJsonObject) : isJsonObject(body) ? [body] : undefined;
  if (rows === undefined || key.length === 0) return undefined;
  const shown = key.map((column) => {
    for (const item of select)
      if (item.kind === 'column' && item.field.column === column && item.field.path.length === 0) return item.key;
    return select.some(({ kind }) => kind === 'all') ? column : '';
  });
  const found = rows.map((row) => shown.map((name) => row[name]));
  if (found.flat().includes(undefined)) return undefined;
  return found.map((values) => ({
    literal: '',
    key: values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
  }));
}

/** Explains the rows that conditions look for, starting from rows that the role sees. */
export async function explainConditions(
  way: Way,
  conditions: readonly Condition[],
  place: Place,
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const condition of conditions) {
    if (condition.kind === 'group') lines.push(...(await explainConditions(way, condition.members, place)));
    if (condition.kind !== 'related' || condition.relationship.kind === 'computed') continue;
    const { relationship, member } = condition;
    const found = await explainStep(way, { relationship, where: [member] }, place);
    if (found.isHiding) lines.push(...found.lines);
  }
  return lines;
}

interface StepFindings {
  readonly lines: readonly string[];
  readonly isHiding: boolean;
  /** Whether the role sees any rows. */
  readonly hasRows: boolean;
  /** To the rows that the role sees. */
  readonly way: Way;
}

async function explainStep(start: Way, next: Step, { role, probe }: Place): Promise<StepFindings> {
  const lines: string[] = [];
  const steps = [...start.steps];
  const way = { ...start, steps };
  let isHiding = false;
  for (const step of splitStep(next)) {
    steps.push(step);
    const facts = await probe.readFacts(step.relationship.target, role);
    if (facts === undefined) return { lines, isHiding, hasRows: false, way };
    const { notes, targets } = await findTargets(facts, probe);
    lines.push(...notes);
    const kept: Condition[] = [];
    let hasRows = true;
    for (const target of targets) {
      const { name } = target.facts.name;
      const found = await findRows(way, target, probe);
      if (!found.ok) lines.push(`The rows of ${name} cannot be looked up: ${found.error}.`);
      const all = found.ok ? found.value : [];
      const visible = await findVisible(all, [READING], { target, probe });
      lines.push(...visible.lines);
      if (found.ok && all.length === 0) lines.push(`No row of ${name} belongs to them, whatever the policies are.`);
      else if (found.ok && !visible.isHiding)
        lines.push(`No policy hid a row of ${name}: they have ${countRows(visible.rows, visible)}.`);
      if (visible.isPartial) lines.push(`Only ${MAX_ROWS} rows of ${name} were looked at.`);
      if (target.source === undefined && target.shown.length > 0) kept.push(conditionOn(target.shown, visible.rows));
      isHiding ||= visible.isHiding;
      hasRows &&= visible.rows.length > 0;
    }
    steps[steps.length - 1] = { ...step, where: [...step.where, ...kept] };
    if (!hasRows) return { lines, isHiding, hasRows, way };
  }
  return { lines, isHiding, hasRows: true, way };
}
