// Steps besides reads and writes, on the same sessions: calls, rejected requests and clients that disconnect.
import { authorize, expectError, expectJson, expectText, pickToken, type Step, type StepMaker } from './step.ts';
import { SECRET } from './tenant.ts';
import { ROLES } from './tenant-schema.ts';
import { signToken } from '../../../tools/token/issue-token.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Values whose text depends on settings. */
const TEXTS = [0.3333333333333333, '\\x41', '2020-01-02'];

/** Returns role, claims, request and settings as the database sees them. */
const whoami: StepMaker = (scene) => {
  const { random } = scene;
  const method = random.pick(['GET', 'POST']);
  const { role, claims, ...token } = pickToken(scene);
  const mark = `mark ${random.roll(1000)}`;
  const question = {
    method,
    url: '/rpc/whoami',
    headers: { ...authorize({ role, claims, ...token }), ...JSON_TYPE, 'X-Mark': mark },
    body: method === 'POST' ? '{}' : undefined,
  };
  const check: Step['check'] = (answer) => {
    const { trace, ...said } = JSON.parse(answer.body) as { readonly trace: unknown };
    const expected = JSON.stringify({ role, claims, path: '/rpc/whoami', method, mark, texts: TEXTS });
    const isOwn = answer.status === 200 && JSON.stringify(said) === expected && trace === null;
    return isOwn ? undefined : `${answer.status} ${answer.body} instead of ${expected}`;
  };
  return { kind: 'whoami', question, check, isRead: true };
};

const anonymous: StepMaker = ({ random }) => {
  const isAllowed = random.chance(0.5);
  const question = { method: 'GET', url: isAllowed ? '/rpc/whoami' : '/boats?select=id', headers: {} };
  if (!isAllowed) return { kind: 'refusal: anonymous', question, check: expectError(401, '42501'), isRead: true };
  const check: Step['check'] = ({ status, body }) => {
    const { role, claims } = JSON.parse(body) as { readonly role: unknown; readonly claims: unknown };
    const isAnonymous = status === 200 && role === ROLES.anon && JSON.stringify(claims) === `{"role":"${ROLES.anon}"}`;
    return isAnonymous ? undefined : `${status} ${body}`;
  };
  return { kind: 'whoami, anonymous', question, check, isRead: true };
};

const add: StepMaker = (scene) => {
  const { random } = scene;
  const [a, b] = [random.roll(1000), random.roll(1000)];
  const isPosted = random.chance(0.5);
  const headers = { ...authorize(pickToken(scene)), ...JSON_TYPE };
  const question = isPosted
    ? { method: 'POST', url: '/rpc/add', headers, body: JSON.stringify({ a, b }) }
    : { method: 'GET', url: `/rpc/add?a=${a}&b=${b}`, headers };
  return { kind: 'call', question, check: expectJson(200, a + b), isRead: true };
};

/** Sets status, headers and a transaction-local setting. */
const respond: StepMaker = (scene) => {
  const note = scene.tenant.text('note');
  const question = {
    method: 'POST',
    url: '/rpc/respond',
    headers: { ...authorize(pickToken(scene)), ...JSON_TYPE },
    body: JSON.stringify({ note }),
  };
  const check: Step['check'] = ({ status, headers, body }) =>
    status === 202 && headers['x-note'] === note && JSON.parse(body) === note ? undefined : `${status} ${body}`;
  return { kind: 'call that answers', question, check };
};

/** Sets session settings in a function: no other request may observe them. */
const leave: StepMaker = (scene) => {
  const note = scene.tenant.text('left');
  const [setting, value] = scene.random.pick([
    ['app.trace', note],
    ['response.headers', JSON.stringify([{ 'X-Note': note }])],
    ['response.status', '203'],
    ['extra_float_digits', '-10'],
    ['bytea_output', 'escape'],
    ['datestyle', 'German'],
    ['default_transaction_read_only', 'on'],
    ['statement_timeout', '1'],
    ['search_path', 'labs'],
    ['role', ROLES.member],
    ['request.jwt.claims', '{"tenant":"t0"}'],
  ] as const);
  const question = {
    method: 'POST',
    url: '/rpc/leave',
    headers: { ...authorize(pickToken(scene)), ...JSON_TYPE },
    body: JSON.stringify({ setting, value }),
  };
  const status = setting === 'response.status' ? 203 : 200;
  const check: Step['check'] = ({ status: got, headers, body }) => {
    const isNoted = headers['x-note'] === (setting === 'response.headers' ? note : undefined);
    return got === status && isNoted ? undefined : `${got} ${JSON.stringify(headers)} ${body}`;
  };
  return { kind: 'call that leaves settings', question, check };
};

/** Creates a temporary table that would outlive the request: a second call in the same session would fail. */
const leaveTable: StepMaker = (scene) => ({
  kind: 'call that leaves a table',
  question: {
    method: 'POST',
    url: '/rpc/leave_table',
    headers: { ...authorize(pickToken(scene)), ...JSON_TYPE },
    body: '{}',
  },
  check: expectText(204, ''),
});

/** Prepares a statement in a function. The session may keep it, and then reports the duplicate. */
const prepare: StepMaker = (scene) => ({
  kind: 'call that prepares',
  question: {
    method: 'POST',
    url: '/rpc/prepare',
    headers: { ...authorize(pickToken(scene)), ...JSON_TYPE },
    body: '{}',
  },
  check: (answer) => (answer.status === 204 ? undefined : expectError(400, '42P05')(answer)),
});

/** Calls a function that relies on the search path to find its table. */
const countSailors: StepMaker = (scene) => ({
  kind: 'call that finds a table',
  question: { method: 'GET', url: '/rpc/count_sailors', headers: authorize(pickToken(scene)) },
  check: expectJson(200, scene.tenant.rows('sailors').length),
  isRead: true,
});

const RAISED: readonly (readonly [sqlstate: string, status: number])[] = [
  ['P0001', 400],
  ['PT402', 402],
  ['22012', 400],
  ['23505', 409],
  ['40001', 500],
  ['55000', 500],
  ['57014', 500],
  ['42P05', 400],
  ['26000', 400],
  ['0A000', 400],
  ['08P01', 503],
  ['53100', 503],
  ['57P01', 503],
  ['XX000', 500],
];

const raised: StepMaker = (scene) => {
  const [code, status] = scene.random.pick(RAISED);
  const question = {
    method: 'POST',
    url: '/rpc/fail',
    headers: { ...authorize(pickToken(scene)), ...JSON_TYPE },
    body: JSON.stringify({ code, note: scene.tenant.text('raised') }),
  };
  return { kind: 'refusal: raised', question, check: expectError(status, code) };
};

const timedOut: StepMaker = (scene) => ({
  kind: 'refusal: statement timeout',
  question: {
    method: 'POST',
    url: '/rpc/short_nap',
    headers: { ...authorize(pickToken(scene)), ...JSON_TYPE },
    body: '{}',
  },
  check: expectError(500, '57014'),
});

/** Sends tokens that must be rejected, each for another reason. */
const badToken: StepMaker = ({ random, tenant, dialect: { errorPrefix } }) => {
  const claims = { role: ROLES.member, tenant: tenant.name, sub: tenant.text('stranger') };
  const [token, status, code] = random.pick([
    [signToken({ ...claims, exp: 1_000_000_000 }, SECRET), 401, `${errorPrefix}303`],
    [signToken(claims, `another-${SECRET}`), 401, `${errorPrefix}301`],
    [`${random.pick(tenant.members).text}x`, 401, `${errorPrefix}301`],
    ['a.b', 401, `${errorPrefix}301`],
    [signToken({ ...claims, role: 'fuzz_nobody' }, SECRET), 401, '22023'],
    [signToken({ ...claims, role: ROLES.closed }, SECRET), 403, '42501'],
  ] as const);
  const question = { method: 'GET', url: '/boats?select=id', headers: { Authorization: `Bearer ${token}` } };
  return { kind: 'refusal: token', question, check: expectError(status, code), isRead: true };
};

/** Reads as a user without a tenant, who must see nothing. */
const outsider: StepMaker = ({ random }) => {
  const headers = {
    Authorization: `Bearer ${signToken({ role: ROLES.member, sub: `outsider ${random.roll(9)}` }, SECRET)}`,
  };
  const question = { method: 'GET', url: '/boats?select=*,harbours(*),voyages(*)', headers };
  return { kind: 'no tenant', question, check: expectJson(200, []), isRead: true };
};

const badRequest: StepMaker = (scene) => {
  const { random, tenant, dialect } = scene;
  const own = dialect.errorPrefix;
  const [url, status, code] = random.pick([
    ['/nosuch?id=eq.1', 404, `${own}205`],
    ['/rpc/nosuch', 404, `${own}202`],
    ['/boats?nosuch=eq.1', 400, '42703'],
    ['/boats?select=nosuch', 400, '42703'],
    ['/boats?id=eq.x', 400, '22P02'],
    ['/boats?id=nosuch.1', 400, `${own}100`],
    ['/boats?select=id,', 400, `${own}100`],
    ['/boats?select=*,crates(*)', 400, `${own}200`],
    ['/harbours?select=*,voyages(*)', 300, `${own}201`],
    [`/boats?id=eq.${tenant.canary}`, 400, '22P02'],
  ] as const);
  const headers = authorize(pickToken(scene));
  return { kind: 'refusal: bad read', question: { method: 'GET', url, headers }, check: expectError(status, code) };
};

const badWrite: StepMaker = (scene) => {
  const { random, tenant, dialect } = scene;
  const other = tenant.name === 't0' ? 't1' : 't0';
  const row = { id: 1, name: tenant.text('bad') };
  const [body, status, code, token] = random.pick([
    [JSON.stringify({ ...row, tenant: other }), 403, '42501', random.pick(tenant.members)],
    [JSON.stringify(row), 403, '42501', random.pick(tenant.readers)],
    [JSON.stringify({ ...row, id: null }), 400, '23502', random.pick(tenant.members)],
    [JSON.stringify({ ...row, id: tenant.text('x') }), 400, '22P02', random.pick(tenant.members)],
    [JSON.stringify({ ...row, nosuch: 1 }), 400, `${dialect.errorPrefix}204`, random.pick(tenant.members)],
    ['{', 400, `${dialect.errorPrefix}102`, random.pick(tenant.members)],
  ] as const);
  const question = { method: 'POST', url: '/sailors', headers: { ...authorize(token), ...JSON_TYPE }, body };
  return { kind: 'refusal: bad write', question, check: expectError(status, code) };
};

/**
 * Disconnects during a write that may or may not complete, a call that must be cancelled, half a head, or half a body.
 */
const abandoned: StepMaker = (scene) => {
  const { random, tenant } = scene;
  const headers = { ...authorize(random.pick(tenant.members)), ...JSON_TYPE };
  const nap = { method: 'POST', url: '/rpc/nap', headers, body: '{"seconds":0.05}' };
  const note = { method: 'POST', url: '/lost_notes', headers, body: JSON.stringify({ note: tenant.text('lost') }) };
  const [question, length, pause] = random.pick([
    [nap, undefined, 2 + random.roll(20)],
    [note, undefined, random.roll(3)],
    [note, 20 + random.roll(100), 1],
    [note, Buffer.byteLength(note.body) + 200, 1],
  ] as const);
  return {
    kind: 'client left',
    question,
    check: () => undefined,
    abandoned: { pause, ...(length === undefined ? {} : { length }) },
  };
};

export const OTHERS: readonly (readonly [weight: number, StepMaker])[] = [
  [60, whoami],
  [10, anonymous],
  [40, add],
  [10, respond],
  [6, leave],
  [3, leaveTable],
  [3, prepare],
  [12, countSailors],
  [12, raised],
  [2, timedOut],
  [15, badToken],
  [10, outsider],
  [30, badRequest],
  [20, badWrite],
  [5, abandoned],
];
