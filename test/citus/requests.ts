// Requests of all kinds to the tenants, each of which leaves the rows as they are.
import { bearer, type RequestParts } from '../support/local-server.ts';

export interface SentRequest extends RequestParts {
  readonly path: string;
  /** The method, the path, and what tells the request from others of the same path. */
  readonly name: string;
}

type Headers = Readonly<Record<string, string>>;

const NDJSON: Headers = { Accept: 'application/x-ndjson' };
const CSV: Headers = { Accept: 'text/csv' };
const SINGULAR: Headers = { Accept: 'application/vnd.svc.object+json' };
const COUNTED: Headers = { Prefer: 'count=exact' };
const AS_TENANT: Headers = bearer({ role: 'app_user', tenant_id: 3 });

function read(path: string, label = '', headers: Headers = {}): SentRequest {
  return { path: encodeURI(path), name: `GET ${path}${label && ` ${label}`}`, headers };
}

function inForms(path: string): readonly SentRequest[] {
  return [read(path), read(path, 'as lines', NDJSON), read(path, 'as CSV', CSV), read(path, 'counted', COUNTED)];
}

const LISTS: readonly string[] = [
  '/tenant?order=tenant_id.desc',
  '/tenant?order=name&limit=5&offset=3',
  '/label?order=name.desc',
  '/setting?order=name',
  '/project?tenant_id=in.(2,5)&order=tenant_id,project_id.desc',
  '/task?select=tenant_id,task_id,title&order=task_id.desc,tenant_id&limit=30',
  '/task?tenant_id=eq.4&order=task_id',
  '/task?tenant_id=eq.4&points=gt.5&done=is.false&order=points.desc,task_id&limit=7',
  '/task?select=tenant_id,task_id,body,tags&body->>k=eq.7&order=tenant_id',
  '/open_task?tenant_id=eq.4&order=task_id.desc&limit=5',
  '/visit?order=visit_id&limit=12&offset=80',
];

const FILTERS: readonly string[] = [
  '/task?select=task_id&tenant_id=eq.1&title=like.*1&order=task_id',
  '/task?select=task_id&tenant_id=eq.1&title=ilike.task 2*&order=task_id',
  '/task?select=task_id&tenant_id=eq.1&or=(points.eq.1,and(done.is.true,points.gt.8))&order=task_id',
  '/task?select=task_id&tenant_id=eq.1&not.or=(points.lt.10,done.is.true)&order=task_id',
  '/task?select=task_id&tenant_id=eq.1&tags=cs.{b1}&order=task_id',
  '/task?select=task_id&tenant_id=eq.1&tags=ov.{b1,b2}&order=task_id&limit=3',
  '/task?select=task_id&tenant_id=eq.1&body=cs.{"k":3}',
  '/task?select=task_id&tenant_id=eq.1&points=in.(1,2,3)&order=task_id',
  '/task?select=task_id&tenant_id=eq.1&label_id=is.null',
  '/task?select=task_id&tenant_id=eq.1&title=fts.task&order=task_id&limit=2',
  '/task?select=task_id&tenant_id=eq.1&created_at=gte.2024-01-01&order=task_id&limit=2',
  '/task?select=tenant_id,task_id&title=eq.Task 40&order=tenant_id',
  '/task?select=tenant_id,task_id&and=(tenant_id.gte.3,tenant_id.lt.5,task_id.lte.2)&order=tenant_id,task_id',
  '/task?select=id:task_id,when:created_at,points::text&tenant_id=eq.2&task_id=eq.5',
  '/task?select=body->k,one:body->>k,body->more,tags->0&tenant_id=eq.2&order=task_id&limit=2',
  '/task?tenant_id=eq.99',
  '/task?tenant_id=eq.1&task_id=eq.1&select=*',
  '/task?tenant_id=eq.1&offset=100',
  '/task?tenant_id=eq.1&points=eq.many',
  '/task?tenant_id=eq.1&nothing=eq.1',
  '/comment?select=text&tenant_id=eq.2&order=comment_id&limit=2',
  '/counter?n=eq.0&select=tenant_id&order=tenant_id.desc&limit=4',
];

const EMBEDS: readonly string[] = [
  '/task?tenant_id=eq.3&select=task_id,project(name)&order=task_id&limit=4',
  '/task?tenant_id=eq.3&select=task_id,label(name)&order=task_id&limit=4',
  '/task?tenant_id=eq.3&select=task_id,comment(comment_id,text)&order=task_id&limit=4&comment.order=comment_id',
  '/task?tenant_id=eq.3&select=task_id,project(name,tenant(name)),comment(text)&order=task_id&limit=4',
  '/task?tenant_id=eq.3&select=task_id,project!inner(name)&project.name=eq.Project 2&order=task_id',
  '/task?tenant_id=eq.3&select=task_id,comment!inner(text)&comment.text=like.*9&order=task_id',
  '/task?tenant_id=eq.3&select=task_id,...project(project_name:name)&order=task_id&limit=3',
  '/task?tenant_id=eq.3&select=task_id,project()&project=not.is.null&order=task_id&limit=3',
  '/task?tenant_id=eq.3&select=task_id,comment(count)&order=task_id&limit=3',
  '/task?tenant_id=eq.3&select=task_id&order=project(name).desc,task_id&limit=5',
  '/project?tenant_id=eq.3&select=name,task(title)&order=project_id&task.order=task_id.desc&task.limit=2',
  '/project?select=tenant_id,name,task(task_id)&project_id=eq.1&order=tenant_id&task.order=task_id',
  '/tenant?select=name,project(name,task(title,comment(text)))&tenant_id=eq.6&project.order=project_id&project.task.order=task_id',
  '/tenant?select=name,project(count)&order=tenant_id',
  '/tenant?select=name,project(name)&order=tenant_id&project.order=project_id&project.limit=1&limit=4',
  '/label?select=name,task(title)&label_id=eq.2&task.tenant_id=eq.3&task.order=task_id',
  '/label?select=name,task(tenant_id,task_id)&label_id=lte.2&order=label_id&task.order=tenant_id,task_id&task.limit=3',
  '/comment?tenant_id=eq.3&select=text,task(title,label(name))&order=comment_id&limit=3',
];

const AGGREGATES: readonly string[] = [
  '/task?select=count()',
  '/task?select=done,count()&order=done',
  '/task?tenant_id=eq.3&select=project_id,points.sum(),points.max()&order=project_id',
  '/task?select=tenant_id,points.avg()&tenant_id=lte.3&order=tenant_id',
  '/project?tenant_id=eq.3&select=name,task(points.sum())&order=project_id',
];

const CALLS: readonly SentRequest[] = [
  read('/rpc/add_them?a=1&b=2'),
  read('/rpc/tasks_of?tenant=2&select=task_id,title&limit=3'),
  read('/rpc/tasks_of?tenant=2&task_id=lte.3&select=task_id,project(name)&order=task_id.desc'),
  read('/rpc/tasks_of?tenant=2', 'counted', { Prefer: 'count=exact', Range: '0-1' }),
  read('/rpc/tasks_by_sql?tenant=2&select=task_id,title&order=task_id&limit=3'),
  read('/rpc/tenant_id', 'as a tenant', AS_TENANT),
  { path: '/rpc/add_them', name: 'POST /rpc/add_them', ...withBody('POST', { a: 3, b: 4 }) },
  { path: '/rpc/tasks_of?select=task_id&limit=2', name: 'POST /rpc/tasks_of', ...withBody('POST', { tenant: 7 }) },
];

const HEADERS: readonly SentRequest[] = [
  read('/task?tenant_id=eq.3&task_id=eq.2', 'singular', SINGULAR),
  read('/task?tenant_id=eq.3', 'singular, too many', SINGULAR),
  read('/task?tenant_id=eq.3&order=task_id', 'with a range', { Range: '5-9', Prefer: 'count=exact' }),
  read('/task?order=tenant_id,task_id&limit=2', 'planned count', { Prefer: 'count=planned' }),
  read('/task?order=tenant_id,task_id&limit=2', 'estimated count', { Prefer: 'count=estimated' }),
  read('/task?tenant_id=eq.3&task_id=eq.2&select=created_at', 'in a time zone', { Prefer: 'timezone=Asia/Tokyo' }),
  read('/task?select=created_at&limit=1', 'in a time zone', { Prefer: 'timezone=Asia/Tokyo' }),
  read('/task?tenant_id=eq.3&order=task_id&limit=2', 'without nulls', {
    Accept: 'application/vnd.svc.array+json;nulls=stripped',
  }),
  { path: '/task?tenant_id=eq.3&order=task_id', name: 'HEAD /task', method: 'HEAD', headers: COUNTED },
  { path: '/task', name: 'OPTIONS /task', method: 'OPTIONS' },
  { path: '/nothing', name: 'GET /nothing' },
  ...['/task?order=task_id', '/note', '/comment?order=comment_id', '/task?tenant_id=eq.4', '/task?select=count()'].map(
    (path) => read(path, 'as a tenant', AS_TENANT),
  ),
  ...[
    '/task?select=task_id,comment(text),project(name)&order=task_id&limit=3',
    '/project?tenant_id=eq.3&select=name,task(title)&order=project_id&task.order=task_id',
  ].map((path) => read(path, 'as a tenant', AS_TENANT)),
  read('/task?order=task_id', 'of a tenant without rows', bearer({ role: 'app_user', tenant_id: 77 })),
  read('/task?order=task_id', 'of a token without a tenant', bearer({ role: 'app_user' })),
];

function withBody(method: string, body: unknown, prefer = 'return=representation', more: Headers = {}): RequestParts {
  const headers = { 'Content-Type': 'application/json', Prefer: `tx=rollback, ${prefer}`, ...more };
  return { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
}

function write(method: string, path: string, body?: unknown, prefer?: string, more?: Headers): SentRequest {
  const parts = withBody(method, body, prefer, more);
  return {
    path,
    name: [method, path, JSON.stringify(body), prefer, more && 'as another'].filter(Boolean).join(' '),
    ...parts,
  };
}

const MERGE = 'resolution=merge-duplicates, return=representation';
const IGNORE = 'resolution=ignore-duplicates, return=representation';
const KEEP = 'resolution=keep-duplicates, return=representation';
const NEW_TASK = { tenant_id: 3, task_id: 900, project_id: 1, title: 'New' };
const NESTED = 'nested=write, return=representation';

const WRITES: readonly SentRequest[] = [
  // Inserts.
  write('POST', '/task', NEW_TASK),
  write('POST', '/task', NEW_TASK, 'return=minimal'),
  write('POST', '/task', NEW_TASK, 'return=headers-only'),
  write('POST', '/task?select=task_id,title,done', NEW_TASK),
  write('POST', '/task?select=task_id,project(name)', NEW_TASK),
  write('POST', '/task?select=task_id,comment(text)', NEW_TASK),
  write('POST', '/task', { ...NEW_TASK, body: { deep: [1, null] }, tags: ['x', 'y'] }),
  write('POST', '/task?columns=tenant_id,task_id,project_id,title', { ...NEW_TASK, points: 4 }),
  write('POST', '/task?order=task_id', [NEW_TASK, { ...NEW_TASK, task_id: 901, title: 'Newer' }]),
  write(
    'POST',
    '/counter?order=tenant_id',
    [40, 41, 42].map((tenant_id) => ({ tenant_id, n: 1 })),
  ),
  write('POST', '/counter', [{ tenant_id: 40, n: 1 }], 'missing=default, return=representation'),
  write('POST', '/note?select=tenant_id,body', { tenant_id: 3, body: 'a note' }),
  write('POST', '/label', { label_id: 50, name: 'new' }),
  write('POST', '/setting', { name: 'shape', value: 'round' }),
  write('POST', '/visit', { visit_id: 500, tenant_id: 3, page: '/new' }),
  write('POST', '/task', []),
  // Inserts that fail.
  write('POST', '/task', { ...NEW_TASK, task_id: 1 }),
  write('POST', '/task', { ...NEW_TASK, title: 'Task 1' }),
  write('POST', '/task', { ...NEW_TASK, title: '' }),
  write('POST', '/task', { ...NEW_TASK, title: null }),
  write('POST', '/task', { ...NEW_TASK, project_id: 99 }),
  write('POST', '/task', { ...NEW_TASK, label_id: 99 }),
  write('POST', '/task', { ...NEW_TASK, points: 'many' }),
  write('POST', '/label', { label_id: 1, name: 'again' }),
  write('POST', '/counter', [
    { tenant_id: 40, n: 1 },
    { tenant_id: 1, n: 1 },
  ]),
  // Upserts.
  write('POST', '/counter', { tenant_id: 1, n: 5 }, MERGE),
  write(
    'POST',
    '/counter?order=tenant_id',
    [
      { tenant_id: 1, n: 5 },
      { tenant_id: 40, n: 6 },
    ],
    MERGE,
  ),
  write('POST', '/counter', { tenant_id: 1, n: 5 }, IGNORE),
  write(
    'POST',
    '/counter?order=tenant_id',
    [
      { tenant_id: 1, n: 5 },
      { tenant_id: 40, n: 6 },
    ],
    IGNORE,
  ),
  write(
    'POST',
    '/counter?order=tenant_id',
    [
      { tenant_id: 1, n: 5 },
      { tenant_id: 40, n: 6 },
    ],
    KEEP,
  ),
  write('POST', '/task?on_conflict=tenant_id,title', { ...NEW_TASK, title: 'Task 1', points: 77 }, MERGE),
  write('POST', '/label?on_conflict=name', { label_id: 60, name: 'label 1' }, IGNORE),
  write('POST', '/label', { label_id: 1, name: 'first' }, MERGE),
  write('PUT', '/counter?tenant_id=eq.1', { tenant_id: 1, n: 9 }),
  write('PUT', '/counter?tenant_id=eq.43', { tenant_id: 43, n: 9 }),
  write('PUT', '/task?tenant_id=eq.3&task_id=eq.1', { ...NEW_TASK, task_id: 1, title: 'Put' }),
  // Updates.
  write('PATCH', '/task?tenant_id=eq.3&task_id=eq.1', { points: 1000 }),
  write('PATCH', '/task?tenant_id=eq.3&task_id=eq.1', { points: 1000 }, 'return=minimal'),
  write('PATCH', '/task?tenant_id=eq.3&task_id=eq.1', { body: { a: 1 }, tags: ['z'] }, 'return=minimal, count=exact'),
  write('PATCH', '/task?tenant_id=eq.3&points=gt.10&order=task_id', { points: 0, done: true }),
  write('PATCH', '/task?tenant_id=eq.3&task_id=eq.1&select=task_id,project(name),label(name)', { project_id: 4 }),
  write('PATCH', '/task?tenant_id=eq.3&task_id=eq.2&select=task_id,comment(text)', { points: 3 }),
  write('PATCH', '/task?task_id=eq.1&order=tenant_id&select=tenant_id,points', { points: 8 }),
  write('PATCH', '/label?label_id=eq.3', { name: 'third' }),
  write('PATCH', '/setting?name=eq.color', { value: 'blue' }),
  write('PATCH', '/task?tenant_id=eq.3&task_id=eq.999', { points: 1 }),
  write('PATCH', '/task?tenant_id=eq.3&task_id=eq.1', { title: 'Task 2' }),
  write('PATCH', '/task?tenant_id=eq.3&task_id=eq.1', { tenant_id: 4 }),
  write('PATCH', '/task?tenant_id=eq.3', { done: true }, 'handling=strict, max-affected=5, return=representation'),
  write('PATCH', '/task?tenant_id=eq.3&order=task_id&limit=2&select=task_id,points', { points: 6 }),
  write('PATCH', '/counter?match=tenant_id', [
    { tenant_id: 2, n: 3 },
    { tenant_id: 1, n: 4 },
  ]),
  write('PATCH', '/task?match=tenant_id,task_id&select=task_id,points,done', [
    { tenant_id: 3, task_id: 1, points: 4 },
    { tenant_id: 3, task_id: 2, done: true },
  ]),
  write('PATCH', '/counter?tenant_id=eq.1', { n: { $add: 5 } }, undefined, {
    'Content-Type': 'application/vnd.svc.patch+json',
  }),
  write('PATCH', '/task?tenant_id=eq.3&task_id=eq.1&select=body', { body: { more: 1 } }, undefined, {
    'Content-Type': 'application/merge-patch+json',
  }),
  write(
    'PATCH',
    '/task?tenant_id=eq.3&task_id=eq.1&columns=label_id,points&select=label_id,points,done',
    {},
    'missing=default, return=representation',
  ),
  // Deletes.
  write('DELETE', '/comment?tenant_id=eq.3&comment_id=eq.1'),
  write('DELETE', '/comment?tenant_id=eq.3&order=comment_id&select=comment_id'),
  write('DELETE', '/comment?comment_id=eq.1&order=tenant_id', undefined, 'return=representation, count=exact'),
  write('DELETE', '/comment?tenant_id=eq.3&comment_id=eq.2&select=text,task(title)'),
  write('DELETE', '/project?tenant_id=eq.3&project_id=eq.1'),
  write('DELETE', '/visit?tenant_id=eq.3&order=visit_id'),
  write('DELETE', '/setting?name=eq.size'),
  // Rows with related rows.
  write(
    'POST',
    '/project?select=name,task(title)&task.order=task_id',
    {
      tenant_id: 3,
      project_id: 50,
      name: 'Nested',
      task: [
        { task_id: 910, title: 'One' },
        { task_id: 911, title: 'Two' },
      ],
    },
    NESTED,
  ),
  write(
    'POST',
    '/task?select=title,project(name)',
    { task_id: 912, title: 'Up', project: { tenant_id: 3, project_id: 51, name: 'Above' } },
    NESTED,
  ),
  // Policies.
  ...[3, 4].map((tenant_id) => write('POST', '/task', { ...NEW_TASK, tenant_id }, 'return=representation', AS_TENANT)),
  write('PATCH', '/task?task_id=eq.1&order=tenant_id', { points: 2 }, 'return=representation', AS_TENANT),
  write('DELETE', '/comment?comment_id=eq.1', undefined, 'return=representation', AS_TENANT),
];

export const REQUESTS: readonly SentRequest[] = [
  ...LISTS.flatMap(inForms),
  ...[...FILTERS, ...AGGREGATES].map((path) => read(path)),
  ...EMBEDS.flatMap((path) => [read(path), read(path, 'as lines', NDJSON)]),
  ...CALLS,
  ...HEADERS,
  ...WRITES,
];
