// Runs the output of "Copy as": each text yields the same response as the request itself.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CopiedRequest } from '../../explorer/src/copy/copied-request.ts';
import { renderFetch } from '../../explorer/src/copy/render-fetch.ts';
import { renderPostgrestJs } from '../../explorer/src/copy/render-postgrest-js.ts';
import { renderPython } from '../../explorer/src/copy/render-python.ts';
import { renderCurl, renderHttpie } from '../../explorer/src/copy/render-shell.ts';
import { createDatabase, loadFixture, type TestDatabase } from '../support/database.ts';
import { startServerProcess, type ServerProcess } from '../support/server-process.ts';

const ODD = encodeURIComponent(`odd 'name', "two" (1) $x é`);
const encode = encodeURIComponent;

const URLS: readonly string[] = [
  '/boats',
  '/boats?select=id,name&order=id',
  '/boats?select=id,name&name=eq.Bounty',
  `/boats?name=eq.${encode('dory (small)')}&select=id`,
  `/boats?name=in.("dory (small)",Bounty)&select=id&order=id`,
  '/boats?id=in.(1,3,9)&select=id&order=id.desc',
  `/boats?name=in.(${encode(String.raw`"a\"b"`)},Bounty)&select=id`,
  '/boats?port_id=is.null&is_sold=not.is.true&select=id',
  '/boats?is_sold=is.not_null&is_sold=is.false&select=id',
  '/boats?is_sold=is.unknown&select=id&order=id',
  '/boats?metres=gte.12.5&metres=lt.42&select=id,metres&order=metres.desc.nullslast',
  '/boats?name=like(any).{A*,B*}&select=id&order=id',
  '/boats?name=imatch.^[a-b]&name=not.ilike.*ount*&select=id',
  '/boats?tags=cs.{sail}&tags=cd.{sail,rope}&select=id',
  '/boats?papers->>flag=eq.FR&select=id,papers->crew,flag:papers->>flag',
  '/boats?moored=sl.[2024-02-01,2024-02-02)&select=id',
  '/boats?about=plfts(english).diving&select=id',
  '/boats?words=fts.quick&select=id&order=id',
  '/boats?is_sold=isdistinct.true&select=id&order=id',
  '/boats?or=(id.eq.4,and(metres.gt.20,is_sold.is.false))&select=id&order=id',
  '/boats?and=(id.gt.1,or(id.lt.3,name.eq."dory (small)"))&select=id&order=id',
  '/boats?not.or=(id.eq.1,id.eq.2)&not.and=(id.eq.3,name.like.C*)&select=id',
  '/ports?select=name,boats(id,name)&boats.order=id.desc&boats.limit=1&order=name',
  '/ports?select=name,b:boats!inner(id)&b.is_sold=eq.true&b.or=(metres.lt.20,metres.gt.40)',
  '/ports?select=name,boats(id)&boats.offset=1&boats.order=id&order=id',
  '/boats?select=id,ports(name)&order=ports(name).asc,id&ports=not.is.null',
  '/boats?select=id,...ports(port:name)&order=id',
  '/boats?select=id::text,metres::double precision&order=id&limit=2&offset=1',
  '/boats?order=id&offset=2&select=id',
  '/boats?order=id&limit=0',
  '/boats?select=port_id,count()&order=port_id',
  `/${ODD}?order=id`,
  `/${ODD}?select=${encode('id,"full name","a,b",n:"full name"')}&order=${encode('"a,b".desc.nullsfirst')}`,
  `/${ODD}?select=id,full name&${encode('"a,b"')}=gte.1&full name=like.*(*&order=id`,
  `/${ODD}?${encode(String.raw`"say \"hi\""`)}=eq.${encode('$HOME `id` \\')}`,
  `/${ODD}?${encode(`"it's"`)}=eq.${encode("y's")}&select=id`,
  `/${ODD}?${encode(`"it's"`)}=eq.${encode('two\nlines')}&select=id`,
  `/${ODD}?full name=eq.${encode('ünïcödé 日本 🚤')}&select=id,ports(name)`,
  `/${ODD}?select=${encode(String.raw`id,"say \"hi\""`)}&order=id`,
  `/${encode('50% a/b?#')}`,
  '/rpc/add?a=1&b=2',
  '/rpc/boats_in?port=1&select=id,name&metres=gt.20&order=id',
  '/rpc/count_of?ids={1,2,3}',
  '/rpc/joined?words=a&words=b c&words=d%26',
  `/rpc/say%20it?to%20whom=${encode(`you "&' $x`)}&a%26b=é`,
];

let modules = 0;
let folder: string;
let database: TestDatabase;
let server: ServerProcess;

beforeAll(async () => {
  folder = fileURLToPath(new URL('../../.rowhouse/copied', import.meta.url));
  mkdirSync(folder, { recursive: true });
  database = await createDatabase();
  await loadFixture(database.uri, fileURLToPath(new URL('../clients/harbour.sql', import.meta.url)));
  await loadFixture(database.uri, fileURLToPath(new URL('copy.sql', import.meta.url)));
  server = await startServerProcess({
    'db-uri': database.uri,
    'db-schemas': 'api,archive',
    'db-anon-role': 'postgres',
    'db-aggregates-enabled': true,
    'db-config': false,
  });
});
afterAll(async () => {
  await server?.stop();
  await database?.drop();
  rmSync(folder, { recursive: true });
});

function copied(url: string, more: Partial<CopiedRequest> = {}): CopiedRequest {
  return {
    base: `http://127.0.0.1:${server.port}/`,
    request: { method: 'GET', url, headers: [['Accept', 'application/json']], body: undefined },
    schema: undefined,
    defaultSchema: 'api',
    token: { kind: 'none' },
    ...more,
  };
}

async function answerOf({ base, request, schema }: CopiedRequest): Promise<string> {
  const profile = schema === undefined ? [] : [['Accept-Profile', schema]];
  const response = await fetch(new URL(`.${request.url}`, base), { headers: [...request.headers, ...profile] as [] });
  expect({ url: request.url, status: response.status }).toEqual({ url: request.url, status: 200 });
  return await response.text();
}

/** Splits a command into words, like a shell. */
function wordsOf(command: string, script: string): readonly string[] {
  const recorded = `${command}() { printf '%s\\0' "$@"; }\nTOKEN=secret\n${script}`;
  return execFileSync('bash', ['-c', recorded], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

function runCurl(script: string): string {
  return execFileSync('bash', ['-c', `curl() { command curl -s "$@"; }\n${script}`], { encoding: 'utf8' });
}

/** Runs code as a module whose imports resolve from this file. */
async function runModule(script: string): Promise<unknown> {
  const file = path.join(folder, `${(modules += 1)}.mjs`);
  writeFileSync(file, `${script}\nexport { data };\n`);
  const { data } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { readonly data: unknown };
  return data;
}

const PYTHON = process.env['PYTHON'] ?? 'python3';
const hasLibrary = spawnSync(PYTHON, ['-c', 'import postgrest']).status === 0;

function runPython(script: string): unknown {
  const program = script.replace('print(response.data)', 'import json; print(json.dumps(response.data))');
  return JSON.parse(execFileSync(PYTHON, ['-c', program], { encoding: 'utf8' })) as unknown;
}

describe('the response is the same', () => {
  test.each(URLS)('for %s', async (url) => {
    const request = copied(url);
    const expected = await answerOf(request);
    expect(runCurl(renderCurl(request))).toBe(expected);
    expect(await runModule(renderFetch(request))).toEqual(JSON.parse(expected));
    expect(await runModule(renderPostgrestJs(request))).toEqual(JSON.parse(expected));
    expect(wordsOf('http', renderHttpie(request))).toEqual([new URL(`.${url}`, request.base).href]);
  });

  test('for another schema', async () => {
    const request = copied('/boats', { schema: 'archive' });
    expect(await answerOf(request)).toBe('[{"id":1,"name":"Argo"}]');
    expect(runCurl(renderCurl(request))).toBe('[{"id":1,"name":"Argo"}]');
    expect(await runModule(renderFetch(request))).toEqual([{ id: 1, name: 'Argo' }]);
    expect(await runModule(renderPostgrestJs(request))).toEqual([{ id: 1, name: 'Argo' }]);
    expect(wordsOf('http', renderHttpie(request)).slice(1)).toEqual(['Accept-Profile:archive']);
  });

  test('as CSV', async () => {
    const url = '/ports?select=id,name&order=id';
    const headers = [['Accept', 'text/csv']] as const;
    const request = copied(url, { request: { method: 'GET', url, headers, body: undefined } });
    const expected = 'id,name\n1,Haven\n2,"Quay, east"';
    expect(runCurl(renderCurl(request))).toBe(expected);
    expect(await runModule(renderFetch(request))).toBe(expected);
    expect(await runModule(renderPostgrestJs(request))).toBe(expected);
    expect(wordsOf('http', renderHttpie(request)).slice(1)).toEqual(['Accept:text/csv']);
  });
});

describe('Python', () => {
  test('any text is quoted as a valid literal', () => {
    const scripts = URLS.map((url) => renderPython(copied(url, { token: { kind: 'variable' } })));
    const program = 'import ast, json, sys\nfor text in json.load(sys.stdin): ast.parse(text)';
    expect(() => execFileSync(PYTHON, ['-c', program], { input: JSON.stringify(scripts) })).not.toThrow();
  });

  test.skipIf(!hasLibrary).each(URLS)('with the Python library, if installed: %s', async (url) => {
    const request = copied(url);
    expect(runPython(renderPython(request))).toEqual(JSON.parse(await answerOf(request)));
  });
});

describe('a token', () => {
  const url = '/boats?id=eq.1';
  const token = { kind: 'text', text: `a.b-c_$x'"` } as const;

  test('is a variable by default', () => {
    const request = copied(url, { token: { kind: 'variable' } });
    expect(wordsOf('curl', renderCurl(request)).slice(1)).toEqual(['-H', 'Authorization: Bearer secret']);
    expect(wordsOf('http', renderHttpie(request)).slice(1)).toEqual(['Authorization:Bearer secret']);
    expect(renderFetch(request)).toContain('headers: { Authorization: `Bearer ${TOKEN}` },');
    expect(renderPostgrestJs(request)).toContain('{ headers: { Authorization: `Bearer ${TOKEN}` } }');
    expect(renderPython(request)).toContain(`headers={"Authorization": f"Bearer {os.environ['TOKEN']}"})`);
  });

  test('is included on request', () => {
    const request = copied(url, { token });
    expect(wordsOf('curl', renderCurl(request)).slice(1)).toEqual(['-H', `Authorization: Bearer ${token.text}`]);
    expect(wordsOf('http', renderHttpie(request)).slice(1)).toEqual([`Authorization:Bearer ${token.text}`]);
    expect(renderFetch(request)).toContain(`{ Authorization: 'Bearer a.b-c_$x\\'"' }`);
    expect(renderPython(request)).toContain(String.raw`{"Authorization": "Bearer a.b-c_$x'\""}`);
  });
});

describe('a write', () => {
  test('is copied with its method, type and body', async () => {
    const body = `{"id": 9, "name": "it's"}`;
    const headers = [
      ['Content-Type', 'application/json'],
      ['Prefer', 'return=representation, tx=rollback'],
    ] as const;
    const request = copied('/ports', { request: { method: 'POST', url: '/ports', headers, body } });
    const words = ['-X', 'POST', `${request.base}ports`, '-H', 'Content-Type: application/json'];
    const more = ['-H', 'Prefer: return=representation, tx=rollback', '--data-raw', body];
    expect(wordsOf('curl', renderCurl(request))).toEqual([...words, ...more]);
    expect(wordsOf('http', renderHttpie(request)).slice(-2)).toEqual(['--raw', body]);
    expect(await runModule(renderPostgrestJs(request))).toEqual([{ id: 9, name: "it's", depth: null }]);
  });
});

test('the postgrest-js code uses the methods of the library', () => {
  const url =
    '/ports?select=name,boats(id)&boats.metres=gte.12.5&boats.order=id.desc.nullslast&name=in.(a,b)&or=(id.eq.1,id.eq.2)&limit=3';
  expect(renderPostgrestJs(copied(url)).split('await client\n')[1]).toBe(`  .from('ports')
  .select('name,boats(id)')
  .gte('boats.metres', '12.5')
  .in('name', ['a', 'b'])
  .or('id.eq.1,id.eq.2')
  .order('id', { ascending: false, nullsFirst: false, referencedTable: 'boats' })
  .limit(3);
`);
});
