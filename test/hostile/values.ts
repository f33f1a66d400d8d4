// Hostile values for every operator and every type, as arguments and in bodies.
import type { Question } from '../support/http-client.ts';
import { encode, toSendable } from './encode.ts';

export const HOSTILE_VALUES: readonly string[] = [
  `1; drop table api.things`,
  `1' or '1'='1`,
  `") or true --`,
  `$1`,
  `\\`,
  `\0`,
  `\ud800`,
  `%`,
  `*`,
  `(`,
  `)`,
  `()`,
  `(1`,
  `(,)`,
  `{`,
  `{{{{`,
  `{1,2`,
  `{"a":`,
  `{"__proto__":{"x":1}}`,
  `[`,
  `[1,`,
  `[9,1]`,
  `""`,
  `"`,
  `null`,
  `NaN`,
  `Infinity`,
  `-Infinity`,
  `1e309`,
  `9223372036854775808`,
  `-9223372036854775809`,
  `0x1F`,
  `1_000`,
  '9'.repeat(5000),
  `0.${'0'.repeat(5000)}1`,
  `epoch`,
  `tomorrow`,
  `294277-01-01`,
  `0001-01-01 BC`,
  `24:00:00`,
  `178956970 years`,
  `(((a`,
  `a{1,255}{1,255}`,
  `(a*)*b`,
  '(a|'.repeat(500),
  `[[.`,
  `\\1`,
  `${'!'.repeat(2000)}a`,
  `${'('.repeat(2000)}a`,
  `a & & b`,
  `a <-> b <999999> c`,
  `::1/129`,
  `not-a-uuid`,
  `00000000-0000-0000-0000-00000000000g`,
  `\\xzz`,
  `(1,2,3)`,
  `x`.repeat(20_000),
  ``,
  ` `,
];

const OPERATORS =
  'eq neq gt gte lt lte like ilike match imatch is isdistinct in cs cd ov starts ends ihas sl sr nxr nxl adj fts plfts phfts wfts ' +
  'eq(any) like(all) has(any) not.eq not.in not.fts fts(english)';

export const OPERATOR_NAMES: readonly string[] = OPERATORS.split(' ');

export const COLUMNS: readonly string[] = (
  'id name small large exact rough flag day moment span doc docb tags grid uid raw addr period mood words letter flags ' +
  'place cost'
).split(' ');

export function filterOf(column: string, operator: string, value: string): Question {
  const url = `/things?select=id&${column}=${encode(`${operator}.${value}`)}`;
  return { method: 'GET', url, headers: {} };
}

interface Place {
  readonly name: string;
  readonly question: (value: string) => Question;
}

const JSON_BODY = { 'Content-Type': 'application/json', Prefer: 'tx=rollback' };

function get(url: string, headers: Readonly<Record<string, string>> = {}): Question {
  return { method: 'GET', url, headers };
}

export const VALUE_PLACES: readonly Place[] = [
  { name: 'in a list', question: (v) => get(`/things?id=${encode(`in.(${v})`)}`) },
  { name: 'in a quoted list', question: (v) => get(`/things?name=${encode(`in.("${v}")`)}`) },
  { name: 'in a tree', question: (v) => get(`/things?or=${encode(`(id.eq.${v},name.eq."${v}")`)}`) },
  { name: 'of an argument', question: (v) => get(`/rpc/add?a=${encode(v)}&b=1`) },
  { name: 'of an array argument', question: (v) => get(`/rpc/total?items=${encode(v)}`) },
  { name: 'of a JSON argument', question: (v) => get(`/rpc/same?doc=${encode(v)}`) },
  { name: 'limit', question: (v) => get(`/things?limit=${encode(v)}`) },
  { name: 'offset', question: (v) => get(`/things?offset=${encode(v)}`) },
  { name: 'of a range', question: (v) => get('/things', { Range: encodeURI(toSendable(v)) }) },
  {
    name: 'of max-affected',
    question: (v) => get('/things', { Prefer: `handling=strict, max-affected=${encodeURI(toSendable(v))}` }),
  },
  {
    name: 'of a column, written',
    question: (v) => ({ method: 'POST', url: '/notes', headers: JSON_BODY, body: JSON.stringify({ body: v, doc: v }) }),
  },
  {
    name: 'as a body',
    question: (v) => ({ method: 'POST', url: '/notes', headers: JSON_BODY, body: toSendable(v) }),
  },
  {
    name: 'as arguments',
    question: (v) => ({ method: 'POST', url: '/rpc/same', headers: JSON_BODY, body: toSendable(v) }),
  },
  {
    name: 'as CSV',
    question: (v) => ({
      method: 'POST',
      url: '/notes',
      headers: { ...JSON_BODY, 'Content-Type': 'text/csv' },
      body: `body\n${toSendable(v)}\n`,
    }),
  },
];
