// A short reference of the URL grammar and of writing, by task. docs/query-language.md has the full grammar.
import type { ExtensionName } from '../../../src/contract/extensions.ts';
import type { GrammarNames } from './grammar-names.ts';

export interface GrammarSection {
  readonly title: string;
  readonly rows: readonly GrammarRow[];
}

export interface GrammarRow {
  readonly task: string;
  readonly syntax: string;
  /** What the server must have enabled. */
  readonly extension?: ExtensionName;
}

/** @param extensions the enabled ones */
export function makeGrammar(names: GrammarNames, extensions: readonly ExtensionName[] = []): readonly GrammarSection[] {
  return listSections(names)
    .map(({ title, rows }) => ({
      title,
      rows: rows.filter(({ extension }) => extension === undefined || extensions.includes(extension)),
    }))
    .filter(({ rows }) => rows.length > 0);
}

function listSections(names: GrammarNames): readonly GrammarSection[] {
  return [
    { title: 'Filter rows', rows: filterRows(names) },
    { title: 'Select columns', rows: selectRows(names) },
    { title: 'Embed related tables', rows: embedRows(names) },
    { title: 'Order and paginate', rows: orderRows(names) },
    { title: 'Aggregate', rows: aggregateRows(names) },
    { title: 'Rank by score', rows: scoreRows(names) },
    { title: 'Call functions', rows: callRows(names) },
    { title: 'Write rows', rows: writeRows(names) },
    { title: 'Several requests at once', rows: batchRows(names) },
    { title: 'Quote special characters', rows: quoteRows(names) },
  ];
}

function filterRows({ text, other, number, date, flag, array, many, manyColumn }: GrammarNames): readonly GrammarRow[] {
  return [
    { task: 'equal to a value', syntax: `${text}=eq.value` },
    { task: 'equal to one of several values', syntax: `${text}=in.(one,two)` },
    { task: 'greater than; at least, less than, at most', syntax: `${number}=gt.100 · gte · lt · lte` },
    { task: 'between two dates', syntax: `${date}=gte.2010-01-01&${date}=lt.2012-01-01` },
    { task: 'containing a text, ignoring case', syntax: `${text}=ilike.*part*` },
    {
      task: 'starting with a text, without wildcards',
      syntax: `${text}=istarts.part · iends · ihas`,
      extension: 'text',
    },
    { task: 'matching a full-text search', syntax: `${text}=wfts(english).word` },
    { task: 'null, or not null', syntax: `${text}=is.null · is.not_null` },
    { task: 'true', syntax: `${flag}=is.true` },
    { task: 'whose array contains an item', syntax: `${array}=cs.{item}` },
    { task: 'not matching a condition', syntax: `${text}=not.eq.value` },
    { task: 'equal to another column of the row', syntax: `${text}=eq(column).${other}`, extension: 'compare' },
    { task: 'matching either of two conditions', syntax: `or=(${text}.eq.value,${other}.is.null)` },
    {
      task: 'matching a condition, or having a related row that does',
      syntax: `or=(${text}.eq.value,${many}.${manyColumn}.eq.value)`,
      extension: 'trees',
    },
  ];
}

function selectRows({ text, number, date, json }: GrammarNames): readonly GrammarRow[] {
  return [
    { task: 'only some columns', syntax: `select=${text},${number}` },
    { task: 'with an alias', syntax: `select=alias:${text}` },
    { task: 'cast to another type', syntax: `select=${date}::text` },
    { task: 'a value inside JSON, as JSON or text', syntax: `select=${json}->key,${json}->>key` },
  ];
}

function embedRows({ many, manyColumn, one, oneColumn }: GrammarNames): readonly GrammarRow[] {
  return [
    { task: 'related rows in each row', syntax: `select=*,${many}(${manyColumn})` },
    { task: 'nested to any depth', syntax: `select=*,${many}(*,related(*))` },
    { task: 'columns of the related row, without nesting', syntax: `select=*,...${one}(alias:${oneColumn})` },
    { task: 'only some related rows', syntax: `${many}.order=${manyColumn}.desc&${many}.limit=1` },
    {
      task: 'only rows with matching related rows',
      syntax: `select=*,${many}!inner(*)&${many}.${manyColumn}=not.is.null`,
    },
    { task: 'only rows without related rows', syntax: `select=*,${many}()&${many}=is.null` },
    {
      task: 'rows of the same table, four levels deep',
      syntax: 'select=*,children:table!parent_id{4}(*)',
      extension: 'recursive',
    },
  ];
}

function orderRows({ text, number, one, oneColumn }: GrammarNames): readonly GrammarRow[] {
  return [
    { task: 'largest value first', syntax: `order=${number}.desc` },
    { task: 'by two columns, nulls last', syntax: `order=${number}.desc.nullslast,${text}` },
    { task: 'by a column of a related table', syntax: `select=*,${one}(${oneColumn})&order=${one}(${oneColumn})` },
    { task: 'third page of ten rows', syntax: 'limit=10&offset=20' },
    {
      task: 'a link to the next page, however many rows there are',
      syntax: 'limit=10 · Prefer: paging=cursor',
      extension: 'cursor',
    },
  ];
}

function aggregateRows({ text, number, many }: GrammarNames): readonly GrammarRow[] {
  return [
    { task: 'number of rows', syntax: 'select=count()' },
    { task: 'number of rows per value', syntax: `select=${text},count()` },
    {
      task: 'sum, average, minimum, maximum',
      syntax: `select=${number}.sum(),${number}.avg(),${number}.min(),${number}.max()`,
    },
    { task: 'number of related rows', syntax: `select=${text},${many}(count())` },
    {
      task: 'only large groups, the largest first',
      syntax: `select=${text},count()&count()=gt.3&order=count().desc`,
      extension: 'aggregates',
    },
    { task: 'each different value once', syntax: `select=${text}&distinct=*&order=${text}`, extension: 'aggregates' },
    {
      task: 'the row with the largest number for each value',
      syntax: `distinct=${text}&order=${text},${number}.desc`,
      extension: 'aggregates',
    },
  ];
}

function scoreRows({ text }: GrammarNames): readonly GrammarRow[] {
  return [
    {
      task: 'best matches of a search first',
      syntax: `select=*,score&${text}=wfts.word&score=${text}.wfts.word&order=score.desc`,
      extension: 'score',
    },
    {
      task: 'most similar texts first (needs pg_trgm)',
      syntax: `select=*,score&score=${text}.trgm.word&order=score`,
      extension: 'score',
    },
  ];
}

function callRows({ call }: GrammarNames): readonly GrammarRow[] {
  return [
    { task: 'with named arguments', syntax: `/rpc/${call}` },
    { task: 'with filters and select, as for a table', syntax: `/rpc/${call}&select=*&limit=3` },
    {
      task: 'that writes: the arguments are the body',
      syntax: `POST /rpc/${call.split('?', 1)[0] ?? ''} {"argument": "value"}`,
    },
  ];
}

function writeRows({ table, key, text, number }: GrammarNames): readonly GrammarRow[] {
  const body = `{${JSON.stringify(text)}: "value"}`;
  return [
    { task: 'insert a row; an array inserts several', syntax: `POST /${table} ${body}` },
    { task: 'update the rows that match', syntax: `PATCH /${table}?${key}=eq.1 ${body}` },
    { task: 'delete the rows that match', syntax: `DELETE /${table}?${key}=eq.1` },
    { task: 'insert, or update the row with the same key', syntax: 'Prefer: resolution=merge-duplicates' },
    { task: 'return the written rows', syntax: 'Prefer: return=representation' },
    {
      task: 'add to a stored number (application/vnd.svc.patch+json)',
      syntax: `PATCH /${table}?${key}=eq.1 {${JSON.stringify(number)}: {"$add": 1}}`,
      extension: 'patch',
    },
    {
      task: 'send a write again without doing it twice',
      syntax: 'Idempotency-Key: "a unique text"',
      extension: 'idempotency',
    },
  ];
}

function batchRows({ table, text }: GrammarNames): readonly GrammarRow[] {
  const first = `{"id": "new", "method": "POST", "path": "/${table}", "headers": {"Prefer": "return=representation"}, "body": {${JSON.stringify(text)}: "value"}}`;
  return [
    {
      task: 'all or none, in one transaction (application/vnd.svc.batch+json)',
      syntax: `POST / [${first}, {"method": "GET", "path": "/${table}"}]`,
      extension: 'batch',
    },
    {
      task: 'a value of an earlier response, within a body',
      syntax: '{"$from": "new", "at": "/0/id"}',
      extension: 'batch',
    },
    {
      task: 'a query string that is too long for a URL, as the body',
      syntax: `QUERY /${table}`,
      extension: 'query',
    },
  ];
}

function quoteRows({ text }: GrammarNames): readonly GrammarRow[] {
  return [
    { task: 'a comma, dot or parentheses in a list', syntax: `${text}=in.("one, two","a.b")` },
    { task: 'a name with a dot or parentheses', syntax: 'select="total (net)"' },
    { task: 'an & or + in a value', syntax: '%26 · %2B' },
  ];
}
