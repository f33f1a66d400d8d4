// Runs the output of "Copy as": each text yields the same response as the request itself.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { CopiedRequest } from '../../explorer/src/copy/copied-request.ts';
import { renderFetch } from '../../explorer/src/copy/render-fetch.ts';
import { renderHttp } from '../../explorer/src/copy/render-http.ts';
import { renderPostgrestJs } from '../../explorer/src/copy/render-postgrest-js.ts';
import { renderPython } from '../../explorer/src/copy/render-python.ts';
import { renderCurl, renderHttpie } from '../../explorer/src/copy/render-shell.ts';
import { createDatabase, loadFixture } from '../support/database.ts';
import { skipped } from '../support/skipped.ts';
import { startServerProcess } from '../support/server-process.ts';
import { use, whenOver } from '../support/use.ts';

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

const folder = fileURLToPath(new URL('../../.rowhouse/copied', import.meta.url));
mkdirSync(folder, { recursive: true });
const database = await use(createDatabase());
await loadFixture(database.uri, fileURLToPath(new URL('../clients/harbour.sql', import.meta.url)));
await loadFixture(database.uri, fileURLToPath(new URL('copy.sql', import.meta.url)));
const server = await use(
  startServerProcess({
    'db-uri': database.uri,
    'db-schemas': 'api,archive',
    'db-anon-role': 'postgres',
    'db-aggregates-enabled': true,
    'db-tx-end': 'commit-allow-override',
    'db-config': false,
  }),
);
whenOver(() => rmSync(folder, { recursive: true }));

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
    expect(await sendHttpFile(renderHttp(request))).toEqual(JSON.parse(expected));
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

  test.skipIf(!hasLibrary).each(URLS)(
    skipped('with the Python library: %s', hasLibrary ? undefined : 'no Python library: pip install postgrest'),
    async (url) => {
      const request = copied(url);
      expect(runPython(renderPython(request))).toEqual(JSON.parse(await answerOf(request)));
    },
  );
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

interface WriteCase {
  readonly method: 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly prefer?: string;
  readonly accept?: string;
  readonly type?: string;
  readonly body?: string;
}

const OBJECT = 'application/vnd.svc.object+json';

const WRITES: readonly WriteCase[] = [
  { method: 'POST', url: '/ports', body: `{"id": 9, "name": "it's \\"é\\" \\\\ $x {{y}}\\n"}` },
  { method: 'POST', url: '/ports', body: '[{"id": 9, "name": "a"}, {"id": 10, "name": "b"}]' },
  { method: 'POST', url: '/ports', prefer: 'missing=default', body: '[{"id": 9, "name": "a"}]' },
  { method: 'POST', url: '/ports', accept: OBJECT, body: '{"id": 9, "name": "a"}' },
  { method: 'POST', url: '/ports?columns=id,name', body: '{"id": 9, "name": "a", "more": 1}' },
  {
    method: 'POST',
    url: '/ports?on_conflict=id',
    prefer: 'resolution=merge-duplicates',
    body: '{"id": 1, "name": "b"}',
  },
  { method: 'POST', url: '/ports', prefer: 'resolution=ignore-duplicates', body: '{"id": 1, "name": "b"}' },
  { method: 'POST', url: '/ports?select=name', type: 'text/csv', body: 'id,name\n9,"a, b"\n10,c' },
  { method: 'PATCH', url: '/boats?id=eq.1&select=id,metres', accept: OBJECT, body: '{"metres": 12.50}' },
  { method: 'PATCH', url: '/ports?id=eq.1&select=id,name', accept: OBJECT, body: '{"name": "new", "depth": 12}' },
  { method: 'PATCH', url: '/ports?id=in.(1,2)&order=id', body: '{"depth": null}' },
  { method: 'PATCH', url: '/boats?id=eq.1&select=metres', body: '{"metres": 9007199254740993}' },
  { method: 'PUT', url: '/ports?id=eq.9', body: '{"id": 9, "name": "put", "depth": 1}' },
  { method: 'DELETE', url: '/boats?id=eq.3&select=id' },
  { method: 'POST', url: '/rpc/add', body: '{"a": 1, "b": 2}' },
  { method: 'POST', url: '/rpc/boats_in?select=id,name&metres=gt.20&order=id', body: '{"port": 1}' },
];

function copiedWrite({ method, url, prefer, accept, type = 'application/json', body }: WriteCase): CopiedRequest {
  const preferences = ['return=representation', ...(prefer === undefined ? [] : [prefer]), 'tx=rollback'];
  const headers = [
    ...(body === undefined ? [] : [['Content-Type', type] as const]),
    ['Accept', accept ?? 'application/json'],
    ['Prefer', (url.startsWith('/rpc') ? preferences.slice(1) : preferences).join(', ')],
  ] as const;
  return copied(url, { request: { method, url, headers, body } });
}

async function sendHttpFile(text: string): Promise<unknown> {
  const [head = '', ...rest] = text.trimEnd().split('\n\n');
  const [first = '', ...lines] = head.split('\n');
  const [method = '', url = ''] = first.split(' ');
  const headers = lines.map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)] as const);
  const body = rest.length === 0 ? null : rest.join('\n\n');
  const response = await fetch(url, { method, headers: headers as [], body });
  return await response.json();
}

describe('a write', () => {
  test.each(WRITES.map((one) => [one.method, one.url, one.body, one] as const))('%s %s %s', async (_m, _u, _b, one) => {
    const write = copiedWrite(one);
    const { method, headers, url, body } = write.request;
    const direct = await fetch(new URL(`.${url}`, write.base), {
      method,
      headers: headers as never,
      body: body ?? null,
    });
    const expected: unknown = await direct.json();
    expect([url, direct.ok]).toEqual([url, true]);
    expect(JSON.parse(runCurl(renderCurl(write)))).toEqual(expected);
    expect(await runModule(renderFetch(write))).toEqual(expected);
    expect(await runModule(renderPostgrestJs(write))).toEqual(expected);
    expect(await sendHttpFile(renderHttp(write))).toEqual(expected);
    const words = wordsOf('http', renderHttpie(write));
    expect(words.slice(0, 2)).toEqual([method, new URL(`.${url}`, write.base).href]);
    expect(words.slice(-2)).toEqual(body === undefined ? words.slice(-2) : ['--raw', body]);
  });

  test('is valid Python', () => {
    const scripts = WRITES.map((one) => renderPython(copiedWrite(one)));
    const program = 'import ast, json, sys\nfor text in json.load(sys.stdin): ast.parse(text)';
    expect(() => execFileSync(PYTHON, ['-c', program], { input: JSON.stringify(scripts) })).not.toThrow();
  });

  test('uses the methods of the libraries', () => {
    const headers = [
      ['Content-Type', 'application/json'],
      ['Prefer', 'resolution=merge-duplicates, return=representation'],
    ] as const;
    const body = '{"id": 1, "name": "b", "depth": null}';
    const write = copied('', { request: { method: 'POST', url: '/ports?on_conflict=id', headers, body } });
    expect(renderPostgrestJs(write).split('await client\n')[1]).toBe(`  .from('ports')
  .upsert({ id: 1, name: 'b', depth: null }, { onConflict: 'id' })
  .select();
`);
    expect(renderPython(write).split('client\n')[1]).toBe(`    .from_("ports")
    .upsert({"id": 1, "name": "b", "depth": None}, on_conflict="id")
    .execute()
)
print(response.data)
`);
  });

  test('has the token as a variable in an HTTP file, and a warning where editors may replace text', () => {
    const request = { method: 'POST', url: '/rpc/note', headers: [], body: '{{x}}\ny' } as const;
    expect(renderHttp(copied('', { request, token: { kind: 'variable' } })).replace(/127\.0\.0\.1:\d+/u, 'host')).toBe(
      `# Define the variable TOKEN in your environment.
# Editors may replace parts of this body. If they do, use another format.
POST http://host/rpc/note
Authorization: Bearer {{TOKEN}}

{{x}}
y
`,
    );
  });

  test.each([
    '> {%\n client.global.clear() %}',
    'a\n> {% x %}',
    '< {% x %}',
    '< /etc/passwd',
    'a\n>> b',
    '### \nGET x',
  ])('leaves a body out of an HTTP file if editors would run or send a line of it: %j', (body) => {
    const request = { method: 'POST', url: '/rpc/note', headers: [], body } as const;
    expect(renderHttp(copied('', { request })).replace(/127\.0\.0\.1:\d+/u, 'host')).toBe(
      `# The body is left out: editors would run or send some of its lines. Use another format.
POST http://host/rpc/note
`,
    );
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
