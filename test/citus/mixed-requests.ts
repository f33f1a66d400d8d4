// Random requests of tenants, each with what it may write. A request marks the rows that it inserts, so that afterwards one
// can tell whether all of them are there, or none. The tenant of each row is shown, so that no foreign row goes unnoticed.
import type { Random } from '../support/generate/random.ts';

export const TENANTS = 20;

export interface MixedRequest {
  readonly tenant: number;
  /** No other request has it. */
  readonly marker: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Inserted rows that bear the marker of the request, if it succeeds. */
  readonly marked: number;
  /** `refused`: it must fail. Undefined: it succeeds unless a server is away. */
  readonly must?: 'refused';
}

/** What is written by requests of another tenant than that of the row. None of it may ever be stored. */
export const FOREIGN = 'foreign';
export const FOREIGN_NUMBER = -1;

const SHOWN = { Prefer: 'return=representation' };
const BATCH = { 'Content-Type': 'application/vnd.svc.batch+json' };

interface Maker {
  readonly random: Random;
  readonly tenant: number;
  /** Differs from `tenant`. */
  readonly other: number;
  /** Names the request; no other request has it. */
  readonly marker: string;
  /** Not a key of any other request. */
  readonly key: number;
}

type Made = Omit<MixedRequest, 'tenant' | 'marker' | 'marked'> & { readonly marked?: number };

const READS: readonly ((maker: Maker) => Made)[] = [
  ({ random }) => get(`/task?select=tenant_id,task_id,title&order=task_id&limit=${1 + random.roll(30)}`),
  ({ tenant, random }) => get(`/task?tenant_id=eq.${tenant}&task_id=eq.${1 + random.roll(40)}`),
  ({ other, random }) => get(`/task?tenant_id=eq.${other}&task_id=eq.${1 + random.roll(40)}`),
  ({ other, tenant }) => get(`/task?or=(tenant_id.eq.${other},tenant_id.eq.${tenant})&select=tenant_id,title&limit=50`),
  () => get('/project?select=tenant_id,name,task(tenant_id,title,comment(tenant_id,text))&limit=3'),
  () => get('/task?select=tenant_id,title,project(tenant_id,name),label(name)&order=title.desc&limit=5'),
  ({ random }) => get(`/label?select=name,task(tenant_id,task_id)&label_id=lte.${random.roll(21)}&task.order=task_id`),
  ({ random }) => get(`/label?select=name,task!inner(tenant_id)&task.limit=${random.roll(4)}&limit=5`),
  () => get('/label?select=name,...task(tenant_id,title)&limit=4'),
  () => get('/visit?select=tenant_id,visit_id,page&limit=20'),
  () => get('/task?select=tenant_id,count()'),
  () => get('/project?select=tenant_id,name&limit=2', { Prefer: 'count=exact' }),
  ({ other }) => get(`/rpc/tasks_of?tenant=${other}&select=tenant_id,title`),
  ({ tenant }) => get(`/rpc/tasks_of?tenant=${tenant}&select=tenant_id,title&limit=5`),
  () => get('/task?select=tenant_id,title,body&order=task_id', { Accept: 'application/x-ndjson' }),
  () => get('/comment?select=tenant_id,text,task(tenant_id,title)', { Accept: 'application/x-ndjson' }),
  () => batch([inner('GET', '/task?select=tenant_id&limit=3'), inner('GET', '/visit?select=tenant_id&limit=3')]),
];

const WRITES: readonly ((maker: Maker) => Made)[] = [
  ({ tenant, marker }) => post('/note', { tenant_id: tenant, body: marker }, 1, SHOWN),
  ({ tenant, marker }) =>
    post(
      '/note',
      [1, 2, 3].map((n) => ({ tenant_id: tenant, body: marker, n })),
      3,
    ),
  ({ tenant, marker, key }) => post('/visit', visits(tenant, marker, key), 4, SHOWN),
  ({ random }) => patch(`/task?task_id=eq.${3 + random.roll(30)}`, { points: random.roll(100) }, SHOWN),
  ({ random, tenant }) =>
    patch(
      `/task?tenant_id=eq.${tenant}&task_id=eq.3&select=tenant_id,points,project(tenant_id),label(name)`,
      {
        points: random.roll(100),
      },
      SHOWN,
    ),
  ({ random, tenant }) => patch('/task?match=tenant_id,task_id', pair(tenant, random.roll(1000)), SHOWN),
  ({ random, tenant }) => put(`/counter?tenant_id=eq.${tenant}`, { tenant_id: tenant, n: random.roll(100) }),
  ({ random, tenant }) =>
    post('/counter', { tenant_id: tenant, n: random.roll(100) }, 0, {
      Prefer: 'resolution=merge-duplicates,return=representation',
    }),
  ({ tenant, marker, key }) =>
    post('/project', [project(tenant, 1, `Project ${tenant}`), project(tenant, key, marker)], 1, {
      Prefer: 'resolution=merge-duplicates,return=representation,inserted=true',
    }),
  ({ tenant, marker, key }) =>
    post('/comment', [comment(tenant, 1, 'kept'), comment(tenant, key, marker)], 1, {
      Prefer: 'resolution=keep-duplicates,return=representation',
    }),
  ({ random }) => ({ method: 'DELETE', path: `/comment?comment_id=eq.${11 + random.roll(10)}`, headers: SHOWN }),
  ({ tenant, marker }) => batch([insertNote(tenant, marker), insertNote(tenant, marker)], 2),
  ({ tenant, marker, key }) =>
    batch(
      [
        insertNote(tenant, marker),
        inner('POST', '/visit', visits(tenant, marker, key)),
        inner('GET', '/note?select=tenant_id'),
      ],
      5,
    ),
  ({ tenant, marker, key }) =>
    post('/project?select=tenant_id,name,task(tenant_id,title)', withTasks(tenant, marker, key), 4, {
      Prefer: 'nested=write,return=representation',
    }),
];

const REFUSED: readonly ((maker: Maker) => Made)[] = [
  ({ other }) => post('/note', { tenant_id: other, body: FOREIGN }),
  ({ tenant, other, marker }) =>
    post(
      '/note',
      [tenant, other].map((tenant_id) => ({ tenant_id, body: marker })),
    ),
  ({ other, key }) => post('/visit', visits(other, FOREIGN, key)),
  ({ tenant, other, marker, key }) =>
    post('/visit', [...visits(tenant, marker, key), ...visits(other, FOREIGN, key + 4)]),
  ({ other }) => put(`/counter?tenant_id=eq.${other}`, { tenant_id: other, n: FOREIGN_NUMBER }),
  ({ other }) => post('/project', project(other, 1, FOREIGN), 0, { Prefer: 'resolution=merge-duplicates' }),
  ({ tenant, other, marker }) => batch([insertNote(tenant, marker), insertNote(other, FOREIGN)]),
  ({ tenant, marker, key }) =>
    batch([
      inner('POST', '/visit', visits(tenant, marker, key)),
      insertNote(tenant, marker),
      inner('PATCH', '/task?task_id=eq.1', { title: '' }),
    ]),
  ({ tenant, marker, key }) => {
    const { task, ...row } = withTasks(tenant, marker, key);
    return post('/project', { ...row, task: [...task, { task_id: key + 3, title: '' }] }, 0, {
      Prefer: 'nested=write',
    });
  },
  ({ other, key }) => post('/project', withTasks(other, FOREIGN, key), 0, { Prefer: 'nested=write' }),
  ({ tenant, other }) => patch(`/visit?visit_id=eq.${1000 + tenant}`, { tenant_id: other, page: FOREIGN }),
  ({ other }) => post('/comment', comment(other, 1, FOREIGN), 0, { Prefer: 'resolution=keep-duplicates' }),
];

/** They change nothing, since no row of the tenant fulfils their conditions. */
const VAIN: readonly ((maker: Maker) => Made)[] = [
  ({ other }) => patch(`/task?tenant_id=eq.${other}`, { points: FOREIGN_NUMBER }, SHOWN),
  ({ other }) => patch('/task?match=tenant_id,task_id', pair(other, FOREIGN_NUMBER), SHOWN),
  ({ other }) => ({ method: 'DELETE', path: `/task?tenant_id=eq.${other}`, headers: SHOWN }),
  ({ other }) => ({ method: 'DELETE', path: `/comment?tenant_id=eq.${other}&comment_id=lte.10`, headers: SHOWN }),
  ({ other }) => patch(`/visit?tenant_id=eq.${other}`, { page: FOREIGN }, SHOWN),
];

export function mixedRequest(random: Random, index: number): MixedRequest {
  const tenant = 1 + random.roll(TENANTS);
  const other = 1 + ((tenant + random.roll(TENANTS - 1)) % TENANTS);
  const marker = `m${index}`;
  const maker = { random, tenant, other, marker, key: 10_000 + index * 10 };
  const kinds = random.pick([READS, READS, READS, WRITES, WRITES, WRITES, REFUSED, VAIN]);
  const made = random.pick(kinds)(maker);
  return { marked: 0, ...made, tenant, marker, ...(kinds === REFUSED && { must: 'refused' }) };
}

function get(path: string, headers?: MixedRequest['headers']): Made {
  return { method: 'GET', path, ...(headers && { headers }) };
}

function post(path: string, body: unknown, marked = 0, headers: MixedRequest['headers'] = {}): Made {
  return { method: 'POST', path, body, marked, headers };
}

function patch(path: string, body: unknown, headers: MixedRequest['headers'] = {}): Made {
  return { method: 'PATCH', path, body, headers };
}

function put(path: string, body: unknown): Made {
  return { method: 'PUT', path, body, headers: SHOWN };
}

function batch(requests: readonly object[], marked = 0): Made {
  return { method: 'POST', path: '/', body: requests, marked, headers: BATCH };
}

function inner(method: string, path: string, body?: unknown): object {
  return { method, path, ...(body !== undefined && { body }) };
}

function insertNote(tenant_id: number, body: string): object {
  return inner('POST', '/note', { tenant_id, body });
}

/** Their keys belong to several shards. */
function visits(tenant_id: number, page: string, key: number): readonly object[] {
  return [0, 1, 2, 3].map((offset) => ({ visit_id: key + offset, tenant_id, page }));
}

function project(tenant_id: number, project_id: number, name: string): object {
  return { tenant_id, project_id, name };
}

function comment(tenant_id: number, comment_id: number, text: string): object {
  return { tenant_id, comment_id, task_id: 1, text };
}

function withTasks(
  tenant_id: number,
  name: string,
  key: number,
): Readonly<Record<string, unknown>> & { readonly task: readonly object[] } {
  const task = [0, 1, 2].map((offset) => ({ task_id: key + offset, title: `${name}.${offset}` }));
  return { tenant_id, project_id: key, name, task };
}

/** No other request writes the points of the first two tasks, so they are equal. */
function pair(tenant_id: number, points: number): readonly object[] {
  return [1, 2].map((task_id) => ({ tenant_id, task_id, points }));
}
