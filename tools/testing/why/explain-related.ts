// Which rows of embedded relations the policies hid, level by level, and of the relations that conditions look into.
import { countPresenceTests, type Condition, type ReadPlan } from '../../../src/plan/levels/read-plan.ts';
import type { QualifiedName } from '../../../src/contract/identifiers.ts';
import { decide } from './decide-rows.ts';
import { countRows, describePolicies, listDenied } from './describe-policies.ts';
import type { Probe, Question } from './probe.ts';
import { findRelated, type Root, splitStep, type Step } from './related-rows.ts';
import type { Report } from './report.ts';
import { findReturned } from './returned-rows.ts';
import { conditionOn, MAX_ROWS } from './row-statements.ts';
import { findTargets, type Target } from './targets.ts';

interface Place {
  readonly role: string;
  readonly probe: Probe;
}

/** The way to rows. */
interface Way {
  readonly root: Root;
  readonly steps: readonly Step[];
}

/** A level of a read, and the way to its rows. */
interface Level extends Way {
  readonly read: ReadPlan;
}

const READING: Question = { command: 'select', clause: 'using' };
/** Further levels are not looked at. */
const MAX_LEVELS = 20;

/** @param root the rows of the top level that the role sees */
export async function explainEmbeds(root: Root, read: ReadPlan, place: Place): Promise<readonly string[]> {
  const lines = new Set<string>();
  const levels: Level[] = [{ root, steps: [], read }];
  for (const level of levels) {
    const tested = countPresenceTests(level.read.where);
    for (const [index, { relationship, read: inner, join }] of level.read.embeds.entries()) {
      const table = inner.relation.name;
      if (relationship.kind === 'computed') {
        lines.add(`The rows of ${table} come from the function ${relationship.routine.name}, and were not looked at.`);
        continue;
      }
      if (levels.length > MAX_LEVELS) {
        lines.add(`Only ${MAX_LEVELS} of the embedded relations were looked at.`);
        continue;
      }
      const found = await explainSteps(level, { relationship, where: inner.where }, place);
      for (const line of found.lines) lines.add(line);
      if (found.isHiding && (join === 'inner' || tested.has(index)))
        lines.add(`Rows of ${level.read.relation.name} are shown or left out depending on their rows of ${table}.`);
      if (found.hasRows) levels.push({ root, steps: found.steps, read: inner });
    }
  }
  return [...lines];
}

interface ReturnedLevel {
  readonly relation: QualifiedName;
  readonly read: ReadPlan;
  /** As the response shows it. */
  readonly key: readonly string[];
}

export const NOT_LOOKED = 'The rows of embedded relations were not looked at';

/** Explains the rows below those of a response that an insert or a function has returned. */
export async function explainBelowReturned(
  { relation, read, key }: ReturnedLevel,
  { role, report }: { readonly role: string; readonly report: Report },
  probe: Probe,
): Promise<readonly string[]> {
  const rows = findReturned(report.body, read, key);
  if (rows === undefined) {
    const advice = key.length === 0 ? '' : ` Select ${key.join(', ')} too, as JSON.`;
    return [`${NOT_LOOKED}, because the response does not contain the key of ${relation.name}.${advice}`];
  }
  if (rows.length === 0) return [];
  const where = [conditionOn(key, rows.slice(0, MAX_ROWS))];
  return explainEmbeds({ relation, source: undefined, where }, read, { role, probe });
}

/** Explains the rows that conditions look for, starting from rows that the role sees. */
export async function explainConditions(
  root: Root,
  conditions: readonly Condition[],
  place: Place,
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const condition of conditions) {
    if (condition.kind === 'group') lines.push(...(await explainConditions(root, condition.members, place)));
    if (condition.kind !== 'related' || condition.relationship.kind === 'computed') continue;
    const { relationship, member } = condition;
    const found = await explainSteps({ root, steps: [] }, { relationship, where: [member] }, place);
    if (found.isHiding) lines.push(...found.lines);
  }
  return lines;
}

interface RelatedFindings {
  readonly lines: readonly string[];
  readonly isHiding: boolean;
  /** Whether the role sees any. */
  readonly hasRows: boolean;
  /** To the rows that the role sees. */
  readonly steps: readonly Step[];
}

async function explainSteps(way: Way, next: Step, { role, probe }: Place): Promise<RelatedFindings> {
  const lines: string[] = [];
  const steps = [...way.steps];
  let isHiding = false;
  for (const step of splitStep(next)) {
    const facts = await probe.readFacts(step.relationship.target, role);
    steps.push(step);
    if (facts === undefined) return { lines, isHiding, hasRows: false, steps };
    const { notes, targets } = await findTargets(facts, probe);
    lines.push(...notes);
    const found: Reached[] = [];
    for (const target of targets) found.push(await explainReached({ ...way, steps }, target, probe));
    lines.push(...found.flatMap((each) => each.lines));
    isHiding ||= found.some((each) => each.isHiding);
    steps[steps.length - 1] = { ...step, where: [...step.where, ...found.flatMap((each) => each.kept)] };
    if (found.some(({ hasRows }) => !hasRows)) return { lines, isHiding, hasRows: false, steps };
  }
  return { lines, isHiding, hasRows: true, steps };
}

interface Reached extends Omit<RelatedFindings, 'steps'> {
  /** Holds for the rows that the role sees. */
  readonly kept: readonly Condition[];
}

async function explainReached({ root, steps }: Way, target: Target, probe: Probe): Promise<Reached> {
  const { name } = target.facts.name;
  const found = await findRelated(root, steps, { target, probe });
  if (!found.ok)
    return {
      lines: [`The rows of ${name} cannot be looked up: ${found.error}.`],
      isHiding: false,
      hasRows: false,
      kept: [],
    };
  const rows = found.value.slice(0, MAX_ROWS);
  const isPartial = found.value.length > MAX_ROWS;
  const decided = await decide(rows, { target, probe, question: READING, effect: 'hid', noun: 'row', isPartial });
  const denied = new Set(listDenied(decided));
  const seen = [...rows.keys()].filter((row) => !denied.has(row));
  const lines = [...describePolicies(decided)];
  if (rows.length === 0) lines.push(`No row of ${name} belongs to them, whatever the policies are.`);
  else if (denied.size === 0) lines.push(`No policy hid a row of ${name}: they have ${countRows(seen, decided)}.`);
  if (isPartial) lines.push(`Only ${MAX_ROWS} rows of ${name} were looked at.`);
  const isKeyed = target.source === undefined && target.shown.length > 0;
  const kept = isKeyed
    ? [
        conditionOn(
          target.shown,
          seen.flatMap((row) => rows[row] ?? []),
        ),
      ]
    : [];
  return { lines, isHiding: denied.size > 0, hasRows: seen.length > 0, kept };
}
