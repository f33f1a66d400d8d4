// Read steps: reads with all features, rows by key, other schemas, and data of other tenants.
import { urlOf } from '../../support/http-client.ts';
import { answerRead } from '../oracle/answer-read.ts';
import { compareRows, checkRead, showColumns } from '../oracle/check-read.ts';
import { printRead } from '../oracle/print-read.ts';
import type { Level } from '../oracle/read-model.ts';
import { authorize, expectError, expectJson, pickToken, type Scene, type Step, type StepMaker } from './step.ts';
import { canaryOf } from './tenant.ts';
import { ROLES } from './tenant-schema.ts';

const COLUMNS = 'id,label,built,harbour_id';

/** Reads with all features. */
const anything: StepMaker = (scene) => {
  const { random, tenant, shapes } = scene;
  const level = shapes.pick(random, tenant);
  const method = random.chance(0.05) ? 'HEAD' : 'GET';
  return readStep(scene, { kind: 'read', level, url: urlOf(level.relation, printRead(level)), method });
};

/** Reads the rows of a function with all features. */
const called: StepMaker = (scene) => {
  const { random, tenant, shapes } = scene;
  const plain = shapes.pick(random, tenant);
  if (plain.relation !== 'boats' && plain.relation !== 'crates') return anything(scene);
  const level = showColumns(plain, tenant.tables);
  const url = `/rpc/${urlOf(`all_${level.relation}`, printRead(level)).slice(1)}`;
  return readStep(scene, { kind: 'read of a function', level, url, method: random.pick(['GET', 'POST']) });
};

interface Read {
  readonly kind: string;
  readonly level: Level;
  readonly url: string;
  readonly method: string;
}

function readStep(scene: Scene, { kind, level, url, method }: Read): Step {
  const { random, tenant } = scene;
  const isCounted = random.chance(0.5);
  const count = isCounted ? { Prefer: 'count=exact' } : {};
  const check: Step['check'] = (answer) => {
    const { tables } = tenant;
    if (method === 'HEAD') return answer.status < 300 || answer.status === 416 ? undefined : `${answer.status}`;
    if (isCounted) return checkRead(level, answer, tables);
    if (answer.status !== 200) return `${answer.status} ${answer.body}`;
    return compareRows(level, answer, answerRead(level, { tables, isWindowed: true }));
  };
  const body = method === 'POST' ? '{}' : undefined;
  const type = method === 'POST' ? { 'Content-Type': 'application/json' } : {};
  const question = { method, url, headers: { ...authorize(pickToken(scene)), ...count, ...type }, body };
  return { kind, question, check, isRead: true };
}

const byKey: StepMaker = (scene) => {
  const { random, tenant, dialect } = scene;
  const { id, label, built, harbour_id } = random.pick(tenant.rows('boats'));
  const row = { id, label, built, harbour_id };
  const isSingle = random.chance(0.3);
  const accept = isSingle ? { Accept: `application/vnd.${dialect.mediaVendor}.object+json` } : {};
  const question = {
    method: 'GET',
    url: `/boats?select=${COLUMNS}&id=eq.${id}`,
    headers: { ...authorize(pickToken(scene)), ...accept },
  };
  return { kind: 'row by key', question, check: expectJson(200, isSingle ? row : [row]), isRead: true };
};

const csv: StepMaker = (scene) => {
  const { tenant } = scene;
  const lines = tenant.rows('sailors').map(({ id, name }) => `${id},${name}`);
  const question = {
    method: 'GET',
    url: '/sailors?select=id,name&order=id',
    headers: { ...authorize(pickToken(scene)), Accept: 'text/csv' },
  };
  const check: Step['check'] = ({ status, body }) =>
    status === 200 && body.replaceAll('"', '').trimEnd() === ['id,name', ...lines].join('\n')
      ? undefined
      : `${status} ${body}`;
  return { kind: 'CSV', question, check, isRead: true };
};

/** Reads a table that has the same name in another schema. */
const otherSchema: StepMaker = (scene) => {
  const { tenant } = scene;
  const headers = { ...authorize(pickToken(scene)), 'Accept-Profile': 'labs' };
  const question = { method: 'GET', url: '/crates?select=id,name&order=id', headers };
  return { kind: 'other schema', question, check: expectJson(200, tenant.labs.crates), isRead: true };
};

/** Reads data that only one of two roles may read, alternately on the same sessions. */
const privileged: StepMaker = (scene) => {
  const { random, tenant } = scene;
  const token = pickToken(scene);
  const isAllowed = token.role === ROLES.member;
  const [url, rows] = random.pick([
    ['/vault?select=id,secret_note&order=id', tenant.labs.vault.map(({ id, secret_note }) => ({ id, secret_note }))],
    ['/vault?secret_note=like.*&select=id&order=id', tenant.labs.vault.map(({ id }) => ({ id }))],
    [
      '/boats?select=id,bonus&order=id&limit=2',
      tenant
        .rows('boats')
        .map(({ id }) => ({ id, bonus: 42 }))
        .toSorted((left, right) => Number(left.id) - Number(right.id))
        .slice(0, 2),
    ],
    ['/rpc/bonus', 42],
  ] as const);
  const profile = url.startsWith('/vault') ? { 'Accept-Profile': 'labs' } : {};
  return {
    kind: isAllowed ? 'privilege' : 'refusal: privilege',
    question: { method: 'GET', url, headers: { ...authorize(token), ...profile } },
    check: isAllowed ? expectJson(200, rows) : expectError(403, '42501'),
    isRead: true,
  };
};

/** Requests data of another tenant, by key, by name and by text. */
const foreign: StepMaker = (scene) => {
  const { random, tenant } = scene;
  const other = random.pick([0, 1, 2, 3].filter((number) => `t${number}` !== tenant.name));
  const url = random.pick([
    `/boats?id=eq.${(other + 1) * 10_000_000 + 1}`,
    `/boats?tenant=eq.t${other}`,
    `/boats?or=(tenant.eq.t${other},and(id.gt.0,tenant.neq.${tenant.name}))`,
    `/sailors?select=*,boats(*)&name=like.*${canaryOf(other).slice(6)}*`,
    `/rpc/all_boats?tenant=neq.${tenant.name}`,
    `/rpc/all_crates?tenant=neq.${tenant.name}`,
  ]);
  const question = { method: 'GET', url, headers: authorize(pickToken(scene)) };
  return { kind: "somebody else's rows", question, check: expectJson(200, []), isRead: true };
};

export const READS: readonly (readonly [weight: number, StepMaker])[] = [
  [230, anything],
  [40, called],
  [290, byKey],
  [20, csv],
  [30, otherSchema],
  [40, privileged],
  [30, foreign],
];
