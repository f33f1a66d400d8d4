// Compares what each web role may do with a route: privileges by effect, row-level security and policies.
import { appendTo } from '../../src/catalog/maps.ts';
import {
  columnLettersOf,
  factsOf,
  LETTERS,
  lettersOf,
  type Letter,
  mayUse,
  type Policy,
  PRIVILEGES,
  type RoleAccess,
  supports,
  type TableFacts,
} from './api.ts';
import type { Change } from './change.ts';
import { report } from './compare-columns.ts';
import { renameIn } from './rename-in.ts';
import { newNameOf, reachersOf, type RelationPair, type Sides } from './sides.ts';

export function compareAccess(sides: Sides, pair: RelationPair): readonly Change[] {
  return [
    ...compareCommands(pair, sides),
    ...LETTERS.flatMap((letter) => comparePrivilege(sides, pair, letter)),
    ...comparePolicies(sides, pair),
  ];
}

/** A command that the relation itself no longer supports, such as an insert into a view that became read-only. */
function compareCommands(pair: RelationPair, sides: Sides): readonly Change[] {
  const writes = LETTERS.filter((letter) => letter !== 's');
  const lost = writes.filter((letter) => supports(pair.old, letter) && !supports(pair.new, letter));
  if (writes.every((letter) => !supports(pair.new, letter))) return describeReadOnly(sides, pair, lost, undefined);
  return lost.flatMap((letter) => describeReadOnly(sides, pair, [letter], PRIVILEGES[letter]));
}

/** @param privilege undefined if the relation accepts no writes at all */
function describeReadOnly(
  sides: Sides,
  pair: RelationPair,
  lost: readonly Letter[],
  privilege: string | undefined,
): readonly Change[] {
  const roles = [...sides.old.roles].filter(([, access]) => lost.some((letter) => mayUse(access, pair.old, letter)));
  return report('route-became-read-only', pair, {
    privilege,
    roles: roles.map(([role]) => role),
    message:
      privilege === undefined
        ? 'the route accepts no writes any more'
        : `the route does not support ${privilege} any more`,
    uses: { kind: 'commands', letters: lost.join('') },
  });
}

function comparePrivilege({ old, new: current }: Sides, pair: RelationPair, letter: Letter): readonly Change[] {
  const changed = { lost: [] as string[], gained: [] as string[] };
  const columns = { lost: new Map<string, string[]>(), gained: new Map<string, string[]>() };
  for (const [role, before] of old.roles) {
    const after = current.roles.get(role);
    const had = mayUse(before, pair.old, letter);
    const has = after !== undefined && lettersOf(after, pair.new).includes(letter);
    const couldHave = lettersOf(before, pair.old).includes(letter);
    if (had && !has) changed.lost.push(role);
    if (!couldHave && after !== undefined && mayUse(after, pair.new, letter)) changed.gained.push(role);
    if (!had || !has || letter === 'd') continue;
    for (const [name, isGained] of listColumns(pair, [before, after], letter))
      appendTo(isGained ? columns.gained : columns.lost, name, role);
  }
  return [
    ...describePrivilege(pair, letter, changed),
    ...[...columns.lost].flatMap(([name, lost]) => describePrivilege(pair, letter, { name, lost, gained: [] })),
    ...[...columns.gained].flatMap(([name, gained]) => describePrivilege(pair, letter, { name, lost: [], gained })),
  ];
}

/** Lists the columns whose privilege differs, and whether the role has gained it. */
function listColumns(
  pair: RelationPair,
  [before, after]: readonly [RoleAccess, RoleAccess],
  letter: Letter,
): readonly (readonly [name: string, isGained: boolean])[] {
  return [...pair.old.columns.keys()].flatMap((name) => {
    const found = newNameOf(pair, name);
    const could = columnLettersOf(before, pair.old, name).includes(letter);
    const can = columnLettersOf(after, pair.new, found).includes(letter);
    return pair.new.columns.has(found) && could !== can ? [[name, can] as const] : [];
  });
}

interface PrivilegeChange {
  /** The column; undefined for the whole relation. */
  readonly name?: string;
  /** Roles. */
  readonly lost: readonly string[];
  readonly gained: readonly string[];
}

function describePrivilege(
  pair: RelationPair,
  letter: Letter,
  { name, lost, gained }: PrivilegeChange,
): readonly Change[] {
  const privilege = PRIVILEGES[letter];
  const subject = name === undefined ? privilege : `${privilege} of ${name}`;
  const uses = { kind: name === undefined ? 'commands' : 'column', letters: letter } as const;
  return [
    ...report(name === undefined ? 'privilege-lost' : 'column-privilege-lost', pair, {
      name,
      privilege,
      roles: lost,
      message: `${subject} is not allowed any more`,
      uses,
    }),
    ...report(name === undefined ? 'privilege-gained' : 'column-privilege-gained', pair, {
      name,
      privilege,
      roles: gained,
      message: `${subject} is allowed now`,
      uses: { kind: 'nothing' },
    }),
  ];
}

function comparePolicies(sides: Sides, pair: RelationPair): readonly Change[] {
  const [before, after] = [factsOf(sides.old, pair.old), factsOf(sides.new, pair.new)];
  const [freed, restricted]: [string[], string[]] = [[], []];
  const changed = new Map<string, string[]>();
  for (const role of reachersOf(sides, pair)) {
    const [was, is] = [before.restricted.has(role), after.restricted.has(role)];
    if (was && !is) freed.push(role);
    if (!was && is) restricted.push(role);
    if (was && is) for (const name of listChanged(sides, pair, role)) appendTo(changed, name, role);
  }
  const uses = { kind: 'any' } as const;
  return [
    ...report('policy-changed', pair, { roles: freed, message: 'row-level security does not apply any more', uses }),
    ...report('policy-changed', pair, { roles: restricted, message: 'row-level security applies now', uses }),
    ...[...changed].flatMap(([name, roles]) =>
      report('policy-changed', pair, { name, roles, message: describePolicy(name, before, after), uses }),
    ),
  ];
}

function describePolicy(name: string, before: TableFacts, after: TableFacts): string {
  const isIn = ({ policies }: TableFacts): boolean => policies.some((policy) => policy.name === name);
  if (!isIn(after)) return `policy ${name} is gone`;
  return isIn(before) ? `policy ${name} decides differently` : `policy ${name} is new`;
}

/** Names the policies whose effect on the role differs. A policy that only has another name has the same effect. */
function listChanged(sides: Sides, pair: RelationPair, role: string): readonly string[] {
  const [before, after] = [factsOf(sides.old, pair.old), factsOf(sides.new, pair.new)];
  const letters = LETTERS.filter((letter) =>
    [sides.old, sides.new].some((api) => {
      const access = api.roles.get(role);
      return access !== undefined && (mayUse(access, pair.old, letter) || mayUse(access, pair.new, letter));
    }),
  );
  const rename = (text: string): string => renameIn(text, pair.newNames);
  const old = listEffects(before.policies, role, letters, rename);
  const current = listEffects(after.policies, role, letters, (text) => text);
  const names = [...old, ...current].filter(([key]) => old.has(key) !== current.has(key)).map(([, name]) => name);
  return [...new Set(names)];
}

const POLICY_COMMANDS: Readonly<Record<Letter, string>> = { s: 'r', i: 'a', u: 'w', d: 'd' };

/** Maps what each policy decides for each command to the name of the policy. */
function listEffects(
  policies: readonly Policy[],
  role: string,
  letters: readonly Letter[],
  rename: (text: string) => string,
): ReadonlyMap<string, string> {
  const effects = new Map<string, string>();
  for (const { name, command, isPermissive, roles, using, check } of policies) {
    if (!roles.includes(role)) continue;
    for (const letter of letters) {
      if (command !== '*' && command !== POLICY_COMMANDS[letter]) continue;
      const sees = letter === 'i' ? undefined : using;
      const accepts = letter === 'i' || letter === 'u' ? (check ?? using) : undefined;
      const texts = [sees, accepts].map((text) => (text === undefined ? undefined : rename(text)));
      effects.set(JSON.stringify([letter, isPermissive, texts]), name);
    }
  }
  return effects;
}
