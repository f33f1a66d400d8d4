// Takes apart the expression of a policy, as `pg_get_expr` prints it with all its parentheses: which parts an AND combines,
// and which values a part names.
import { splitOutside, stripParentheses } from '../../support/boolean-expression.ts';

/** Splits at each AND of the top level, and removes the parentheses around each part. */
export function splitConjuncts(expression: string): readonly string[] {
  return splitAtAnd(expression).map(stripParentheses);
}

/**
 * Splits at each AND of the top level. PostgreSQL puts every other one between parentheses.
 *
 * @returns the expression itself if there is none
 */
export function splitAtAnd(expression: string): readonly string[] {
  const parts = splitOutside(stripParentheses(expression), /^\sAND\s/u);
  return parts.length === 1 ? [expression] : parts.map((part) => part.trim());
}

/** A value that a part of a policy depends on. */
export interface Term {
  /** As people call it: `owner`, `claim sub`. */
  readonly name: string;
  /** An expression of SQL. */
  readonly expression: string;
  /** The keys of a claim, outermost first, in the JSON that the expression gives. */
  readonly path?: ClaimPath;
}

/** What the policy depends on, according to the catalog. Names are quoted where SQL needs it. */
export interface PolicyReferences {
  readonly columns: readonly string[];
  /** Calls of functions without parameters. */
  readonly calls: readonly string[];
}

const SETTING = /\bcurrent_setting\('(?<name>(?:[^']|'')*)'/gu;
const CLAIMS = 'request.jwt.claims';
/** A quoted name, which a column may have, or a literal. */
const QUOTED = /("(?:[^"]|"")*")|\bE'(?:[^'\\]|\\[^]|'')*'|'(?:[^']|'')*'/gu;
const ROLE_WORDS = /\b(?:CURRENT_USER|CURRENT_ROLE|SESSION_USER)\b/gu;

/** @param table the quoted name of the table, by which the part may call the row */
export function listTerms(part: string, { columns, calls }: PolicyReferences, table: string): readonly Term[] {
  const bare = part.replaceAll(QUOTED, '$1');
  const terms = new Map<string, Term>();
  const add = (term: Term): void => void terms.set(term.name, term);
  for (const name of columns)
    if (contains(bare, name)) add({ name: name.replaceAll(/^"|"$/gu, ''), expression: `${table}.${name}` });
  for (const { groups, index } of part.matchAll(SETTING)) {
    const name = (groups?.['name'] ?? '').replaceAll("''", "'");
    const expression = `pg_catalog.current_setting('${name.replaceAll("'", "''")}', true)`;
    const path = name === CLAIMS ? listClaimPaths(part.slice(index))[0] : undefined;
    if (path === undefined) add({ name, expression });
    else add({ name: `claim ${path.join('.')}`, expression, path });
  }
  for (const call of calls) if (bare.includes(call)) add({ name: call, expression: call });
  for (const [word] of bare.matchAll(ROLE_WORDS)) add({ name: word, expression: word });
  return [...terms.values()];
}

function contains(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const isWhole = !/[\w$"]/u.test(text.charAt(at - 1)) && !/[\w$"(]/u.test(text.charAt(at + name.length));
    if (isWhole) return true;
  }
  return false;
}

/** The keys of a claim, outermost first. */
export type ClaimPath = readonly [string, ...string[]];

const STEP = /->(?<isText>>?)\s*'(?<key>(?:[^']|'')*)'/gu;

/** Returns the paths that an expression reads from JSON as texts. */
export function listClaimPaths(expression: string): readonly ClaimPath[] {
  const paths: ClaimPath[] = [];
  let outer: readonly string[] = [];
  for (const { groups } of expression.matchAll(STEP)) {
    const path = [...outer, (groups?.['key'] ?? '').replaceAll("''", "'")];
    const [first, ...rest] = path;
    outer = groups?.['isText'] === '' ? path : [];
    if (outer.length === 0 && first !== undefined) paths.push([first, ...rest]);
  }
  return paths;
}
