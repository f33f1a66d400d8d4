// Describes a mutant that no test has noticed, with the tests that use the same relation as the same role.
import { parseJsonObject } from '../../../src/util/json-object.ts';
import type { Use } from '../../testing/cluster/mutation-run.ts';
import { type Finding, MUTANT_SURVIVED } from '../lints/finding.ts';
import type { Mutant } from './mutant.ts';

const MAX_TESTS = 5;
/** Compares line numbers as numbers. */
const { compare } = new Intl.Collator('en', { numeric: true });

/** @param lines that tests have written, each a `Use` */
export function readUses(lines: string): readonly Use[] {
  return lines.split('\n').flatMap((line) => {
    const { role = null, schema, name, test } = parseJsonObject(line) ?? {};
    const isKnown = typeof schema === 'string' && typeof name === 'string' && typeof test === 'string';
    return isKnown ? [{ role: typeof role === 'string' ? role : null, schema, name, test }] : [];
  });
}

export function describeSurvivor(mutant: Mutant, uses: readonly Use[]): Finding {
  const { object, roles, place, change } = mutant;
  const [role, ...others] = roles;
  return {
    lint: MUTANT_SURVIVED,
    level: 'warning',
    object,
    role: others.length === 0 ? role : null,
    place,
    isProved: false,
    message: `No test fails if ${change}. ${describeUses(mutant, uses)}`,
    fix: null,
  };
}

function describeUses({ object, schema, name, roles }: Mutant, uses: readonly Use[]): string {
  const subject = `${object} as ${roles.join(' or ')}`;
  const isMeant = (use: Use): boolean =>
    use.schema === schema && use.name === name && (use.role === null || roles.includes(use.role));
  const tests = [...new Set(uses.filter(isMeant).map(({ test }) => test))].sort(compare);
  if (tests.length === 0) return `No test names ${subject}.`;
  const more = tests.length > MAX_TESTS ? `, and ${tests.length - MAX_TESTS} more` : '';
  return `Tests of ${subject}: ${tests.slice(0, MAX_TESTS).join(', ')}${more}.`;
}
