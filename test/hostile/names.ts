// Hostile names, and every place of a request that contains a name.
import type { Question } from '../support/http-client.ts';
import { encode, toSendable } from './encode.ts';

export const HOSTILE_NAMES: readonly string[] = [
  `things"; drop table api.things; --`,
  `things'; select pg_sleep(9); --`,
  `"`,
  `""`,
  `'`,
  `\\`,
  `\\'`,
  `$1`,
  `$$`,
  `;`,
  `--`,
  `/*`,
  `*/`,
  `\0`,
  `a\0b`,
  `\n`,
  `\r\nX-Injected: yes`,
  `\u2028`,
  `\ud800`,
  `\ufeff`,
  `\u202e`,
  `é`.normalize('NFD'),
  `ſelect`,
  `ﬀ`,
  `%00`,
  `%`,
  `%2e%2e%2f`,
  `../../etc/passwd`,
  `__proto__`,
  `constructor`,
  `prototype`,
  `toString`,
  `hasOwnProperty`,
  `x`.repeat(63),
  `x`.repeat(64),
  `x`.repeat(5000),
  `😀`.repeat(16),
  `pg_catalog.pg_authid`,
  `pg_authid`,
  `information_schema`,
  `vault.vault_code`,
  `concealed`,
  `conceled`,
  `ctid`,
  `tableoid`,
  `xmin`,
  `current_user`,
  `rpc`,
  `null`,
  `undefined`,
  `NaN`,
  `select`,
  `...`,
  `!inner`,
  `*`,
  `count`,
  `(`,
  `)`,
  `((((`,
  `{`,
  `}`,
  `,`,
  `.`,
  `:`,
  `::`,
  `->`,
  `->>`,
  ` `,
  ``,
];

interface Place {
  readonly name: string;
  readonly question: (name: string) => Question;
}

function get(url: string, headers: Readonly<Record<string, string>> = {}): Question {
  return { method: 'GET', url, headers };
}

function write(method: string, url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Question {
  return { method, url, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

/** Header values cannot contain control characters here; raw ones are sent over sockets. */
const inHeader = (name: string): string => encodeURI(toSendable(name));

export const NAME_PLACES: readonly Place[] = [
  { name: 'relation', question: (n) => get(`/${encode(n)}`) },
  { name: 'relation to write', question: (n) => write('POST', `/${encode(n)}`, { id: 9 }) },
  { name: 'function', question: (n) => get(`/rpc/${encode(n)}`) },
  { name: 'function called by POST', question: (n) => write('POST', `/rpc/${encode(n)}`, {}) },
  { name: 'argument', question: (n) => get(`/rpc/add?a=1&${encode(n)}=2`) },
  { name: 'argument in a body', question: (n) => write('POST', '/rpc/add', { a: 1, [n]: 2 }) },
  { name: 'column', question: (n) => get(`/things?select=${encode(n)}`) },
  { name: 'quoted column', question: (n) => get(`/things?select=${encode(`"${n}"`)}`) },
  { name: 'alias', question: (n) => get(`/things?select=${encode(`${n}:id`)}`) },
  { name: 'quoted alias', question: (n) => get(`/things?select=${encode(`"${n}":id`)}`) },
  { name: 'cast', question: (n) => get(`/things?select=${encode(`id::${n}`)}`) },
  { name: 'aggregate', question: (n) => get(`/things?select=${encode(`id.${n}()`)}`) },
  { name: 'JSON key', question: (n) => get(`/things?select=${encode(`doc->>${n}`)}`) },
  { name: 'quoted JSON key', question: (n) => get(`/things?select=${encode(`doc->>"${n}"`)}`) },
  { name: 'embed', question: (n) => get(`/things?select=${encode(`id,${n}(*)`)}`) },
  { name: 'hint of an embed', question: (n) => get(`/things?select=${encode(`id,parts!${n}(*)`)}`) },
  { name: 'spread', question: (n) => get(`/parts?select=${encode(`id,...${n}(*)`)}`) },
  { name: 'filter', question: (n) => get(`/things?${encode(n)}=eq.1`) },
  { name: 'filter of an embed', question: (n) => get(`/things?select=id,parts(id)&parts.${encode(n)}=eq.1`) },
  { name: 'path of a filter', question: (n) => get(`/things?select=id,parts(id)&${encode(n)}.id=eq.1`) },
  { name: 'member of a tree', question: (n) => get(`/things?or=${encode(`(${n}.eq.1,id.eq.1)`)}`) },
  { name: 'operator', question: (n) => get(`/things?id=${encode(`${n}.1`)}`) },
  { name: 'configuration of a search', question: (n) => get(`/things?name=${encode(`fts(${n}).x`)}`) },
  { name: 'order', question: (n) => get(`/things?order=${encode(n)}`) },
  { name: 'direction', question: (n) => get(`/things?order=${encode(`id.${n}`)}`) },
  { name: 'related order', question: (n) => get(`/parts?select=id,things(id)&order=${encode(`things(${n})`)}`) },
  { name: 'columns', question: (n) => write('POST', `/notes?columns=${encode(n)}`, [{ body: 'x' }], ROLLBACK) },
  { name: 'on_conflict', question: (n) => write('POST', `/notes?on_conflict=${encode(n)}`, [{ body: 'x' }], UPSERT) },
  { name: 'key of a body', question: (n) => write('POST', '/notes', { [n]: 'x' }, ROLLBACK) },
  { name: 'key of a patch', question: (n) => write('PATCH', '/notes?id=eq.0', { [n]: 'x' }, ROLLBACK) },
  { name: 'head of CSV', question: (n) => csv(`${n}\nx\n`) },
  { name: 'quoted head of CSV', question: (n) => csv(`"${n}"\nx\n`) },
  { name: 'name of a form', question: (n) => form(`${encode(n)}=x`) },
  { name: 'profile', question: (n) => get('/things', { 'Accept-Profile': inHeader(n) }) },
  { name: 'profile to write', question: (n) => write('POST', '/notes', {}, { 'Content-Profile': inHeader(n) }) },
  { name: 'time zone', question: (n) => get('/things?select=id', { Prefer: `timezone=${inHeader(n)}` }) },
  { name: 'preference', question: (n) => get('/things?select=id', { Prefer: inHeader(n) }) },
  { name: 'media type', question: (n) => get('/things?select=id', { Accept: inHeader(n) }) },
];

const ROLLBACK = { Prefer: 'tx=rollback' };
const UPSERT = { Prefer: 'resolution=merge-duplicates' };

function csv(body: string): Question {
  return { method: 'POST', url: '/notes', headers: { 'Content-Type': 'text/csv', ...ROLLBACK }, body };
}

function form(body: string): Question {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', ...ROLLBACK };
  return { method: 'POST', url: '/notes', headers, body };
}
