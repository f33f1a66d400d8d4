// Sends the settings of a request on to the servers that run parts of its statements, and fills in the tenant.
import type { ShardFacts } from '../../catalog/schema-cache.ts';
import { generalForm, type MainStatement, type Statement } from '../../contract/transaction.ts';
import type { ActionSettings, SenderSettings, Setting } from '../../sql/text/settings.ts';
import type { Segment } from '../../sql/transaction-script.ts';
import { CLAIM_VALUE, readClaim } from './claims.ts';

interface SegmentContext {
  readonly sender: SenderSettings;
  readonly shards: ShardFacts;
  /** Name of the claim that names the tenant. */
  readonly claim: string | undefined;
}

export function completeSegment(segment: Segment, settings: ActionSettings, context: SegmentContext): Segment {
  const passed = listPassed(settings, segment, context);
  const { claim, sender } = context;
  const tenant = claim === undefined ? undefined : readClaim(sender.claims, claim);
  const formed = needsGeneralForm(segment.main, sender) ? { ...segment, main: generalForm(segment.main) } : segment;
  const filled = tenant === undefined ? formed : fillIn(formed, tenant);
  return {
    ...filled,
    ...(passed.length > 0 && { passed: passed.map((text) => ({ text, parameters: [] })) }),
    ...(filled.preRequest !== undefined && { preRequest: withSettings(filled.preRequest), returnsSettings: true }),
  };
}

/** In bytes. A direct write reads the body once for each column. */
const MAX_DIRECT_BODY = 65_536;

/** Whether the statement cannot be one whose values the server writes, or that reads its body several times. */
function needsGeneralForm({ general, parameters }: MainStatement, { roleSettings }: SenderSettings): boolean {
  if (general === undefined) return false;
  if (roleSettings.some(([name]) => name.toLowerCase() === 'datestyle')) return true;
  return parameters.some(
    (value) => Array.isArray(value) && value.reduce((sum, { byteLength }) => sum + byteLength, 0) > MAX_DIRECT_BODY,
  );
}

/** Returns the statements that set what other servers need; empty: they need nothing. */
function listPassed(
  { timezone }: ActionSettings,
  { request }: Segment,
  { sender, shards }: SegmentContext,
): readonly string[] {
  const { claims, method, path, headers, cookies, appSettings } = sender;
  const named: readonly Setting[] = [
    ['request.jwt.claims', claims],
    ['request.method', method],
    ['request.path', path],
    ['request.headers', headers],
    ['request.cookies', cookies],
  ];
  const texts = named.flatMap(([name, value]) => (shards.settings.has(name) ? [renderSet(name, value)] : []));
  if (shards.settings.has('app.settings'))
    texts.push(...appSettings.map(([name, value]) => renderSet(`app.settings.${name}`, value)));
  if (timezone !== undefined) texts.push(renderSet('timezone', timezone));
  // The request before it in a batch may have set another one.
  else if (request !== undefined) texts.push('SET LOCAL timezone TO DEFAULT');
  if (texts.length === 0) return texts;
  // A copied table that others refer to can be changed only if no request before it has used several connections to a node.
  const sequential = request === undefined ? [] : [`SET LOCAL citus.multi_shard_modify_mode TO 'sequential'`];
  return [...sequential, `SET LOCAL citus.propagate_set_commands TO 'local'`, ...texts];
}

/** SET takes no parameters. Citus repeats the text of the statement to each server that takes part. */
function renderSet(name: string, value: string): string {
  return `SET LOCAL "${name.replaceAll('"', '""')}" TO ${renderLiteral(value)}`;
}

/** Letters, digits and what JSON and paths consist of. Neither a quote nor a backslash is left as it is. */
const UNSAFE = /[^\w \-.:,;/{}[\]"@+=()<>|!?#%&*~^$]/gu;

/** Whatever `standard_conforming_strings` says, nothing in the value can end the literal, since only escapes are left of it. */
function renderLiteral(value: string): string {
  const escaped = value.replaceAll(UNSAFE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
  return `E'${escaped}'`;
}

/** Without OFFSET, PostgreSQL might read the settings before it calls the function. */
function withSettings({ text, parameters }: Statement): Statement {
  const read = ['response.headers', 'response.status'].map((name) => `nullif(current_setting('${name}', true), '')`);
  return { text: `SELECT "called".*, ${read.join(', ')} FROM (${text} AS "result" OFFSET 0) AS "called"`, parameters };
}

function fillIn(segment: Segment, tenant: string): Segment {
  const { main, plannedCount, budget } = segment;
  const uncounted = budget?.uncounted;
  return {
    ...segment,
    main: fillStatement(main, tenant),
    plannedCount: plannedCount && fillStatement(plannedCount, tenant),
    budget: budget && { ...budget, uncounted: uncounted && fillStatement(uncounted, tenant) },
  };
}

function fillStatement<S extends Statement | MainStatement>(statement: S, tenant: string): S {
  if (!statement.parameters.includes(CLAIM_VALUE)) return statement;
  return { ...statement, parameters: statement.parameters.map((value) => (value === CLAIM_VALUE ? tenant : value)) };
}
